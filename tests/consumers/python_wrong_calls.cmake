# Random calls of every function of a Python module, right and wrong ones, under the address sanitizer: no crash, no
# silent result. Leaks are not looked for: the interpreter keeps much until its end.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/python_wrong_calls ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DPython3_EXECUTABLE=${PYTHON}
          -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0)
build(${WORK}/build)
set(preload "")
foreach(library asan ubsan)
  execute_process(COMMAND ${CXX} -print-file-name=lib${library}.so OUTPUT_VARIABLE file
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS ${file})
    list(APPEND preload ${file})
  endif()
endforeach()
if(NOT preload)
  message("SKIP: ${CXX} has no shared sanitizers that the interpreter could load first")
  return()
endif()
list(JOIN preload ":" preload)
run(${CMAKE_COMMAND} -E env LD_PRELOAD=${preload} ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=${WORK}/build:${REPOSITORY}/tests/python ${PYTHON}
    ${PROJECTS}/python_wrong_calls/check.py)
expect("400 calls of each of [0-9]+ functions")
