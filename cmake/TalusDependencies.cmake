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

# ARKODE takes implicit steps (`method = "implicit"`) and is a witness for the Runge-Kutta pairs in tests.
find_package(SUNDIALS QUIET COMPONENTS arkode nvecserial sunlinsolspgmr)
add_library(talus_arkode INTERFACE)
set(TALUS_ARKODE OFF)
if(TARGET SUNDIALS::arkode_shared AND TARGET SUNDIALS::sunlinsolspgmr_shared)
  set(TALUS_ARKODE ON)
  set(TALUS_ARKODE_LIBRARIES SUNDIALS::arkode_shared SUNDIALS::nvecserial_shared SUNDIALS::sunlinsolspgmr_shared)
  target_link_libraries(talus_arkode INTERFACE ${TALUS_ARKODE_LIBRARIES})
  target_compile_definitions(talus_arkode INTERFACE TALUS_HAS_ARKODE)
else()
  message(STATUS "SUNDIALS (libsundials-dev) not found: integration.method = \"implicit\" will be refused, and the tests "
    "Arkode.* and Implicit.* are skipped")
endif()

# `talus render` needs Embree (rays), libpng (files), FreeType and a font (labels); all else works without them.
find_package(embree 3 QUIET CONFIG)
find_package(PNG QUIET)
find_package(Freetype QUIET)
find_file(TALUS_FONT DejaVuSans.ttf PATHS /usr/share/fonts PATH_SUFFIXES truetype/dejavu dejavu TTF)
set(TALUS_RENDER OFF)
if(TARGET embree AND PNG_FOUND AND FREETYPE_FOUND AND TALUS_FONT)
  set(TALUS_RENDER ON)
  add_library(talus_render_libraries INTERFACE)
  target_link_libraries(talus_render_libraries INTERFACE embree PNG::PNG Freetype::Freetype)
  target_compile_definitions(talus_render_libraries INTERFACE TALUS_FONT="${TALUS_FONT}")
else()
  message(STATUS "Embree, libpng, FreeType or DejaVuSans.ttf (libembree-dev, libpng-dev, libfreetype-dev, "
    "fonts-dejavu-core) not found: `talus render` will refuse, and the tests unit_render.* and cli.Render.* are skipped")
endif()
