# Options, build type and the flags that pin floating point to the same bits in every build.
option(TALUS_BUILD_TESTS "Build the tests" ON)
option(TALUS_BUILD_BENCHMARKS "Build what measures the limits of the machine" ON)
option(TALUS_WARNINGS_AS_ERRORS "Treat warnings in our own code as errors" ON)
set(TALUS_ARCH "x86-64-v3" CACHE STRING "Value of -march on x86-64; empty for the compiler's default")
set(TALUS_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize (address,undefined or thread)")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")  # invariants assert in every build: the cost is outside the hot loops

find_program(TALUS_CCACHE ccache)
if(TALUS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TALUS_CCACHE})
endif()

add_library(talus_flags INTERFACE)
target_include_directories(talus_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(talus_flags INTERFACE cxx_std_20)

add_library(talus_build_flags INTERFACE)  # ours alone, not for those who link to us
target_compile_options(talus_build_flags INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  $<$<CXX_COMPILER_ID:GNU>:-Wdouble-promotion>  # clang also means double to long double by it, and the macro NAN
  # gcc 12 at -O3 sees overflows inside std::string and fmt that cannot happen (gcc bug 105651 and its kin).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<BOOL:${TALUS_WARNINGS_AS_ERRORS}>:-Werror>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND TALUS_ARCH)
  # Tuned for processors that load 32 bytes at once: gcc's generic tuning splits such loads, which stalls packs.
  target_compile_options(talus_build_flags INTERFACE -march=${TALUS_ARCH} -mtune=haswell)
endif()
if(TALUS_SANITIZE)
  target_compile_options(talus_build_flags INTERFACE -fsanitize=${TALUS_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(talus_build_flags INTERFACE -fsanitize=${TALUS_SANITIZE})
endif()
