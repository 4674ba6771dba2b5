# cmake -DHEADER=<path> -P CheckEmittedName.cmake
# The generator renames what C++ or its libraries have taken (class, index, ...); the build then waits for files
# that never come, so say it here.
if(NOT EXISTS ${HEADER})
  get_filename_component(name ${HEADER} NAME_WE)
  message(FATAL_ERROR "add_robot_dynamics: the generator did not write ${HEADER}: the name ${name} is reserved "
                      "in C++ or its libraries; choose another one with NAME")
endif()
