# ChoosePython.cmake says what an interpreter lacks: cmake -DSOURCE=<repository> -DWORK=<folder> -P choose_python.cmake
cmake_minimum_required(VERSION 3.22)
include(${SOURCE}/runtime/python/cmake/ChoosePython.cmake)

# The question is code for the interpreter. A real one is asked, and `replacement` changes what it finds.
function(expect_lack pattern replacement)
  file(WRITE ${WORK}/python "#!/bin/sh
exec ${PYTHON} -c \"${replacement}
exec(compile('''$2''', 'question', 'exec'))\"
")
  file(CHMOD ${WORK}/python PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  _featherline_python_lacks(reason ${WORK}/python)
  if(NOT reason MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}, got \"${reason}\"")
  endif()
endfunction()

expect_lack("^$" "")
expect_lack("is Python 3.9.1, and 3.10 is needed" "import sys; sys.version_info = (3, 9, 1); sys.version = '3.9.1 (old)'")
expect_lack("no Python.h in .*python3-dev" "import os.path; os.path.exists = lambda path: False")
expect_lack("no numpy .*python3-numpy" "import sys; sys.modules['numpy'] = None")

_featherline_python_lacks(reason ${WORK}/nowhere)
if(NOT reason MATCHES "nowhere cannot be run")
  message(FATAL_ERROR "got \"${reason}\"")
endif()
