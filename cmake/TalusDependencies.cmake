# Every outside package Talus builds on, from Debian (see ./dev setup).
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)

add_library(talus_hdf5 INTERFACE)
target_include_directories(talus_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(talus_hdf5 INTERFACE ${HDF5_LIBRARIES})

# Beast of Boost serves the live view; its headers are all it takes.
find_package(Boost 1.74 REQUIRED)
add_library(talus_boost INTERFACE)
target_include_directories(talus_boost SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
target_compile_definitions(talus_boost INTERFACE BOOST_ASIO_NO_DEPRECATED)

# Eigen finds the eigenvalues of `talus measure stiffness`; all else works without it.
find_package(Eigen3 3.3 QUIET NO_MODULE)
add_library(talus_eigen INTERFACE)
if(TARGET Eigen3::Eigen)
  target_link_libraries(talus_eigen INTERFACE Eigen3::Eigen)
  target_compile_definitions(talus_eigen INTERFACE TALUS_HAS_EIGEN)
else()
  message(STATUS "Eigen (libeigen3-dev) not found: `talus measure stiffness` will refuse, and its tests are skipped")
endif()
