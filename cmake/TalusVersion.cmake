# Gives the room base its version.cpp, which names the commit the program was built from. One small file is compiled
# again when the commit changes; nothing else depends on it.
set(version_source ${PROJECT_BINARY_DIR}/generated/version.cpp)
set(write_version ${CMAKE_COMMAND} -Dsource=${PROJECT_SOURCE_DIR} -Doutput=${version_source}
  -Dversion=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake)
execute_process(COMMAND ${write_version})
add_custom_target(talus_version COMMAND ${write_version} BYPRODUCTS ${version_source}
  COMMENT "Noting the commit" VERBATIM)
target_sources(talus_base PRIVATE ${version_source})
add_dependencies(talus_base talus_version)
