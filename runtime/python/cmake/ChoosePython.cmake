# featherline_choose_python(<missing>): finds an interpreter that has numpy and the headers of Python, and Python3 with
# find_package. `missing` is then empty, else it says what is not there and what to do.
#
# Several interpreters are usual: one of the system, with the packages of the system, and others before it in PATH. The
# first that has all counts, unless Python3_EXECUTABLE names one.
function(_featherline_python_lacks result python)
  execute_process(COMMAND ${python} -c "import os, sys, sysconfig
if sys.version_info < (3, 10): sys.exit(f'{sys.executable} is Python {sys.version.split()[0]}, and 3.10 is needed')
include = sysconfig.get_path('include')
if not os.path.exists(os.path.join(include, 'Python.h')):
    sys.exit(f'{sys.executable} has no Python.h in {include} (Debian, Ubuntu: sudo apt install python3-dev)')
try: import numpy
except ImportError: sys.exit(f'{sys.executable} has no numpy (Debian, Ubuntu: sudo apt install python3-numpy)')
" RESULT_VARIABLE code ERROR_VARIABLE reason OUTPUT_QUIET ERROR_STRIP_TRAILING_WHITESPACE)
  if(code EQUAL 0)
    set(reason "")
  elseif(NOT reason)
    set(reason "${python} cannot be run: ${code}")
  endif()
  set(${result} "${reason}" PARENT_SCOPE)
endfunction()

macro(featherline_choose_python missing)
  if(Python3_EXECUTABLE)
    _featherline_python_lacks(${missing} ${Python3_EXECUTABLE})
  else()
    set(${missing} "there is no python3 (Debian, Ubuntu: sudo apt install python3-dev python3-numpy)")
    set(_featherline_reasons "")
    unset(_featherline_python CACHE)
    find_program(_featherline_python python3)
    foreach(_featherline_candidate ${_featherline_python} /usr/bin/python3)
      if(EXISTS ${_featherline_candidate})
        _featherline_python_lacks(${missing} ${_featherline_candidate})
        if(NOT ${missing})
          set(Python3_EXECUTABLE ${_featherline_candidate} CACHE FILEPATH "The Python that the package is built for")
          break()
        elseif(NOT "${${missing}}" IN_LIST _featherline_reasons)
          list(APPEND _featherline_reasons "${${missing}}")
        endif()
      endif()
    endforeach()
    if(NOT Python3_EXECUTABLE AND _featherline_reasons)
      list(JOIN _featherline_reasons "; " ${missing})
    endif()
  endif()
  if(NOT ${missing})
    find_package(Python3 3.10 COMPONENTS Interpreter Development.Module NumPy)
    if(NOT Python3_FOUND)
      set(${missing} "CMake does not find the headers of ${Python3_EXECUTABLE} or of its numpy (Debian, Ubuntu: sudo apt \
install python3-dev python3-numpy)")
    endif()
  endif()
endmacro()
