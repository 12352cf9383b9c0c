// Memory in large pages where the system has them, for arrays that are swept through at every step.
#pragma once

#include <cstddef>

namespace talus::base {

/// Aligned to 64 bytes at least; throws std::bad_alloc.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory) noexcept;

}  // namespace talus::base
