# Run at every build: writes version.cpp from the version and the present commit. The file is left alone if nothing
# changed, so that an unchanged tree links nothing again. Wants -Dsource= -Doutput= -Dversion=.
set(revision "")
find_program(GIT git)
if(GIT AND EXISTS ${source}/.git)
  execute_process(COMMAND ${GIT} -C ${source} describe --always --dirty --exclude=*
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${source}/cmake/version.cpp.in ${output} @ONLY)
