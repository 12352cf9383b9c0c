#include "talus/base/pages.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace talus::base {

void* allocate_pages(std::size_t bytes) {
    constexpr std::size_t line = 64;
    constexpr std::size_t large = std::size_t{2} << 20U;
    const bool is_large = bytes >= large / 4;  // a page half empty costs less than a hundred small ones
    const std::size_t unit = is_large ? large : line;
    const std::size_t whole = (bytes + unit - 1) / unit * unit;
    void* memory = std::aligned_alloc(unit, whole > 0 ? whole : unit);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
#if defined(MADV_HUGEPAGE)
    if (is_large) {
        madvise(memory, whole, MADV_HUGEPAGE);  // a wish: it does not matter if it is not granted
    }
#endif
    return memory;
}

void free_pages(void* memory) noexcept {
    std::free(memory);
}

}  // namespace talus::base
