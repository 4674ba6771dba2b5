# add_robot_dynamics(... PYTHON): the module of a robot is built, imported and used.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/python_module ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOTS=${ROBOTS}
          -DPython3_EXECUTABLE=${PYTHON}
          -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0)  # quicker to compile: other types add -O2
build(${WORK}/build)
run(${CMAKE_COMMAND} -E env PYTHONPATH=${WORK}/build ${PYTHON} ${PROJECTS}/python_module/check.py)
expect("the module agrees")
