// Marks functions that also compile as CUDA device code.
#pragma once

#if defined(__CUDACC__)
#define TALUS_HD __host__ __device__
#else
#define TALUS_HD
#endif
