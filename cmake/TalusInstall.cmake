# `cmake --install`: headers, the one library, the program, the gallery, and a package for find_package(Talus).
include(CMakePackageConfigHelpers)

install(TARGETS talus talus_flags EXPORT TalusTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET talus_program)
  install(TARGETS talus_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/talus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/talus OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/tools/plot_run.py ${PROJECT_SOURCE_DIR}/tools/plot_profile.py
  ${PROJECT_SOURCE_DIR}/tools/plot_file.py
  DESTINATION ${CMAKE_INSTALL_DATADIR}/talus/tools)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Talus)
install(EXPORT TalusTargets NAMESPACE Talus:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TalusConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/TalusConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor release may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/TalusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/TalusConfig.cmake ${PROJECT_BINARY_DIR}/package/TalusConfigVersion.cmake
  DESTINATION ${package_folder})
