# Installs Talus into an empty folder, then configures, builds and runs a program that knows nothing but that folder.
set(folder ${build}/house/outside)
file(REMOVE_RECURSE ${folder})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${folder}/prefix)
run(${CMAKE_COMMAND} -S ${source} -B ${folder}/build -G ${generator} -DCMAKE_CXX_COMPILER=${compiler}
  -DCMAKE_PREFIX_PATH=${folder}/prefix)
run(${CMAKE_COMMAND} --build ${folder}/build)
run(${folder}/build/outside)
if(NOT output STREQUAL "after 0.100 s it falls at 1.000 m/s\n")
  message(FATAL_ERROR "unexpected answer: ${output}")
endif()
