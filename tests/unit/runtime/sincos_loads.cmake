# clang must not read angles as a vector out of an array that it has just filled number by number: the processor cannot
# forward several stores to one load, and each call would wait for it. The arguments of sines_of_sums() are in registers,
# so what clang makes of it, inlined as in emitted functions, has no load of a vector of numbers at all.
find_program(clangxx clang++)
if(NOT clangxx)
  message(STATUS "SKIP: no clang++")
  return()
endif()
execute_process(COMMAND ${clangxx} -std=c++17 -O2 -mllvm -inline-threshold=10000 -I${RUNTIME} -S -emit-llvm -o -
                        ${CMAKE_CURRENT_LIST_DIR}/sincos_loads.cpp
                OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
if(NOT code MATCHES "fmul [^\n]*<[248] x double>")
  message(FATAL_ERROR "no lanes, so this says nothing")
endif()
if(code MATCHES "[^\n]*= load <[248] x (double|float)>[^\n]*")
  message(FATAL_ERROR "angles are read as a vector from memory:\n${CMAKE_MATCH_0}")
endif()
