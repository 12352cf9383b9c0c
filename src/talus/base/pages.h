// Memory in large pages where the system has them, for arrays that are swept through at every step.
#pragma once

#include <cstddef>
#include <vector>

namespace talus::base {

/// Aligned to 64 bytes at least; throws std::bad_alloc.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory) noexcept;

template <class T>
struct PageAllocator {
    using value_type = T;
    PageAllocator() = default;
    template <class U>
    PageAllocator(const PageAllocator<U>&) noexcept {}
    T* allocate(std::size_t count) { return static_cast<T*>(allocate_pages(count * sizeof(T))); }
    void deallocate(T* p, std::size_t) noexcept { free_pages(p); }
    template <class U>
    friend bool operator==(const PageAllocator&, const PageAllocator<U>&) {
        return true;
    }
};

/// A vector in large pages.
template <class T>
using PageVector = std::vector<T, PageAllocator<T>>;

}  // namespace talus::base
