include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/two_robots ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOTS=${ROBOTS})
build(${WORK}/build)
run(${WORK}/build/controller)
expect("arm: .*quadruped: .*arm: .*quadruped: .*arm: complex.*quadruped: complex")
