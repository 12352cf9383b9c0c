# Runs the probe and compares what it prints with the recorded hash.
execute_process(COMMAND ${PROBE} 10000 OUTPUT_VARIABLE printed RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
file(READ ${EXPECTED} expected)
string(STRIP "${expected}" expected)
if(NOT code EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "the state after 10000 steps is '${printed}', recorded is '${expected}'. If the physics or the "
    "order of operations was meant to change, record the new hash in ${EXPECTED} and say so in the commit.")
endif()
message(STATUS "state ${printed}, as recorded")
