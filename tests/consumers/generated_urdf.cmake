# A URDF that a command of the build makes: made before the generator runs, and again when its source changes. A file of
# xacro, by a stub in place of the tool.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

set(source ${WORK}/arm.urdf.in)
file(READ ${ROBOTS}/arm6.urdf text)
string(REGEX REPLACE "<robot name=\"[^\"]*\"" "<robot name=\"@ROBOT@\"" text "${text}")
file(WRITE ${source} "${text}")
set(generating "Generating the dynamics of arm")

set(part ${WORK}/part.xacro)
file(WRITE ${part} "<link name='hand'/>\n")
file(WRITE ${WORK}/arm.urdf.xacro "<robot name='$(arg name)' xmlns:xacro='xacro'>\n<xacro:include filename=\"part.xacro\"/>
  <joint name='j' type='continuous'><parent link='hand'/><child link='tip'/></joint>
  <link name='tip'><inertial><mass value='$(arg mass)'/></inertial></link></robot>\n")
configure(${PROJECTS}/generated_urdf ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DSOURCE=${source}
          -DXACRO_FILE=${WORK}/arm.urdf.xacro)
build(${WORK}/build)
expect("${generating}")
run(${WORK}/build/controller)
set(before "${output}")
build(${WORK}/build)
expect_not("${generating}")

set(ENV{FEATHERLINE_XACRO} ${REPOSITORY}/tests/unit/urdf/xacro_stub.sh)
set(manifest featherline/expanded/expanded.json)
build(${WORK}/build --target ${manifest})
file(READ ${WORK}/build/${manifest} text_of_manifest)
string(JSON mass GET "${text_of_manifest}" total_mass)
if(NOT mass EQUAL 2.5)
  message(FATAL_ERROR "XACRO_ARGS did not reach xacro: the mass is ${mass}")
endif()
build(${WORK}/build --target ${manifest})
expect("no work to do")
later()
file(TOUCH ${part})
build(${WORK}/build --target ${manifest})
expect("Generating the dynamics of expanded")

later()
string(REGEX REPLACE "<mass value=\"[^\"]*\"" "<mass value=\"2.5\"" text "${text}")
file(WRITE ${source} "${text}")
build(${WORK}/build)
expect("${generating}")
run(${WORK}/build/controller)
if(output STREQUAL before)
  message(FATAL_ERROR "the library does not have the new mass:\n${output}")
endif()
