# The page of the live view: packages from npm, bundled by Vite into build/viewer/, which is installed with the program.
# Nothing of it is needed to run scenes: without npm it is left out, and `talus view` says so.
option(TALUS_BUILD_VIEWER "Build the page of the live view (needs npm, and its registry the first time)" ON)
find_program(TALUS_NPM npm)
if(NOT TALUS_BUILD_VIEWER)
  return()
elseif(NOT TALUS_NPM)
  message(STATUS "npm not found: the page of `talus view` and `talus run --view` is left out, and its tests are skipped")
  return()
endif()

set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(TALUS_VIEWER_PACKAGES ${viewer}/node_modules/.package-lock.json)  # npm writes it last
set(TALUS_VIEWER_PAGE ${PROJECT_BINARY_DIR}/viewer)
add_custom_command(OUTPUT ${TALUS_VIEWER_PACKAGES}
  COMMAND ${TALUS_NPM} ci --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${TALUS_VIEWER_PACKAGES}
  DEPENDS ${viewer}/package.json ${viewer}/package-lock.json
  WORKING_DIRECTORY ${viewer} COMMENT "Installing the packages of the page" VERBATIM)
file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer}/src/* ${viewer}/public/*)
add_custom_command(OUTPUT ${TALUS_VIEWER_PAGE}/index.html
  COMMAND ${TALUS_NPM} run --silent build -- --outDir ${TALUS_VIEWER_PAGE} --emptyOutDir --logLevel warn
  DEPENDS ${TALUS_VIEWER_PACKAGES} ${viewer}/index.html ${viewer}/vite.config.js ${viewer_sources}
  WORKING_DIRECTORY ${viewer} COMMENT "Bundling the page of the live view" VERBATIM)
add_custom_target(talus_viewer ALL DEPENDS ${TALUS_VIEWER_PAGE}/index.html)
install(DIRECTORY ${TALUS_VIEWER_PAGE}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/talus/viewer OPTIONAL)
