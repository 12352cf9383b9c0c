// Marks functions that also compile as CUDA device code.
#pragma once

#if defined(__CUDACC__)
#define TALUS_HD __host__ __device__
#define TALUS_HOT __host__ __device__
#define TALUS_INLINE inline
#else
#define TALUS_HD
// The same for what is called once a contact: always inlined, so that packs stay in registers.
#define TALUS_HOT [[gnu::always_inline]] inline
// The same for what no device ever calls.
#define TALUS_INLINE [[gnu::always_inline]] inline
#endif
