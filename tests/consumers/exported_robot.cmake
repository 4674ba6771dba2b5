# A robot's library is installed, with BUILD_SHARED_LIBS, and used by a third project that has no URDF.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/exported_robot/library ${WORK}/library -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOTS=${ROBOTS}
          -DBUILD_SHARED_LIBS=ON)
build(${WORK}/library)
run(${CMAKE_COMMAND} --install ${WORK}/library --prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK}/library)

configure(${PROJECTS}/exported_robot/user ${WORK}/user -DCMAKE_PREFIX_PATH=${PREFIX} -Darm_DIR=${WORK}/prefix/lib/cmake/arm)
build(${WORK}/user)
run(${WORK}/user/controller)
expect("arm: torque up to [1-9].*functions agree")
