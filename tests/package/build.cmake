# Makes the package, and refuses to make one that other machines cannot run.
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)

file(REMOVE_RECURSE ${PACKAGES})
set(cpack ${CMAKE_CPACK_COMMAND} --config ${FEATHERLINE_BUILD}/CPackConfig.cmake)
run(${cpack} -B ${PACKAGES})

foreach(flag -march=native -fsanitize=address)
  execute_process(COMMAND ${cpack} -B ${WORK} -D "CPACK_FEATHERLINE_FLAGS=-O2 ${flag}" RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect("this build has the flags -O2 ${flag}, and a package is for all machines; use the preset release")
  file(GLOB made ${WORK}/*.deb)
  if(result EQUAL 0 OR made)
    message(FATAL_ERROR "a package was made of a build with ${flag}")
  endif()
endforeach()
