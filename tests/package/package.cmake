# Helpers of the package scripts, besides those of the consumers.
include(${CMAKE_CURRENT_LIST_DIR}/../consumers/support.cmake)

find_program(dpkg_deb dpkg-deb)
find_program(CMAKE_CPACK_COMMAND cpack)
if(NOT dpkg_deb)
  message(STATUS "SKIP: no dpkg-deb; Debian and its relatives have it")
  return()
endif()
