# Functions that the robot cannot have are left out of groups with a warning, as on the command line. If one is named, the
# build fails. They come when the robot can have them.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

function(write_robot inertial)
  file(WRITE ${WORK}/robot.urdf "<robot name='robot'><link name='base'/><joint name='elbow' type='continuous'>"
       "<parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint><link name='arm'>${inertial}</link></robot>\n")
endfunction()

# build_library(<functions> <build>): configures and builds, whatever comes of it; `result` and `output`.
function(build_library functions)
  file(WRITE ${WORK}/project/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)\nproject(left_out LANGUAGES CXX)\n"
       "find_package(Featherline REQUIRED)\nadd_robot_dynamics(arm URDF ${WORK}/robot.urdf BATCH ${functions})\n")
  configure(${WORK}/project ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX})
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(result "${result}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_result expected)
  if(NOT result EQUAL expected)
    message(FATAL_ERROR "the build ended with ${result}, not ${expected}:\n${output}")
  endif()
endfunction()

# emitted_functions(<result>)
function(emitted_functions result)
  file(READ ${WORK}/build/featherline/arm/arm.json manifest)
  string(JSON functions GET "${manifest}" functions)
  set(${result} "${functions}" PARENT_SCOPE)
endfunction()

write_robot("")
build_library("")
expect_result(0)
expect("warning: joint \"elbow\" moves without inertia .*aba_derivatives left out")
emitted_functions(functions)
if(functions MATCHES "\"aba\"" OR NOT functions MATCHES "\"rnea\"")
  message(FATAL_ERROR "emitted for a robot without inertia:\n${functions}")
endif()
build(${WORK}/build)
expect("no work to do")

write_robot("<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>")
build_library("")
expect_result(0)
emitted_functions(functions)
if(NOT functions MATCHES "\"aba\"")
  message(FATAL_ERROR "emitted for a robot with inertia:\n${functions}")
endif()

write_robot("")
build_library("FUNCTIONS rnea aba")
expect_result(1)
expect("error: joint \"elbow\" moves without inertia .*aba cannot be emitted")
