# A URDF that a command of the build makes, such as xacro: made before the generator runs, and again when its source
# changes.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

set(source ${WORK}/arm.urdf.in)
file(READ ${ROBOTS}/arm6.urdf text)
string(REGEX REPLACE "<robot name=\"[^\"]*\"" "<robot name=\"@ROBOT@\"" text "${text}")
file(WRITE ${source} "${text}")
set(generating "Generating the dynamics of arm")

configure(${PROJECTS}/generated_urdf ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DSOURCE=${source})
build(${WORK}/build)
expect("${generating}")
run(${WORK}/build/controller)
set(before "${output}")
build(${WORK}/build)
expect_not("${generating}")

later()
string(REGEX REPLACE "<mass value=\"[^\"]*\"" "<mass value=\"2.5\"" text "${text}")
file(WRITE ${source} "${text}")
build(${WORK}/build)
expect("${generating}")
run(${WORK}/build/controller)
if(output STREQUAL before)
  message(FATAL_ERROR "the library does not have the new mass:\n${output}")
endif()
