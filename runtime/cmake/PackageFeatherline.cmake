# `cpack --preset deb` makes the Debian package `featherline`: what `cmake --install` installs, under /usr. What Debian
# wants besides, debian/CompleteTree.cmake adds.
if(NOT PROJECT_IS_TOP_LEVEL OR NOT TARGET featherline)
  return()
endif()

# Nobody can be reached under .invalid (RFC 2606). Who publishes packages gives an address here, the only place that has
# one: cpack, the package and its change log take it from here.
set(FEATHERLINE_MAINTAINER "the Featherline authors <no-address@featherline.invalid>" CACHE STRING
    "Who answers for the Debian package: NAME <ADDRESS>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME featherline)
set(CPACK_PACKAGE_VENDOR Featherline)
set(CPACK_PACKAGE_CONTACT "${FEATHERLINE_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "generator of C++ code for the dynamics of a robot")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Reads the file of a robot and writes the robot's dynamics as C++ without
allocations, for this one robot: inverse and forward dynamics, the mass matrix,
their analytical derivatives, and kinematics.
.
The package has the program featherline, the headers that the code includes,
a CMake package with the function add_robot_dynamics(), and a Python module
that generates, compiles and loads robots.")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The emitted code wants a compiler; featherline.load() of Python wants numpy.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang, cmake, ninja-build | make, python3, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS libeigen3-dev)

# The prefix is known to install rules that ask for it: paths of Python differ between /usr and others.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/postinst
                                       ${CMAKE_CURRENT_LIST_DIR}/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_FEATHERLINE_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_FEATHERLINE_FLAGS "${CMAKE_CXX_FLAGS}")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/CompleteTree.cmake)
include(CPack)
