# The package's generator is the host's, and FEATHERLINE_EXECUTABLE overrides it.
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
if(NOT cross_compiler)
  return()
endif()

set(arguments -G Ninja -S ${PROJECTS}/find_package -DCMAKE_BUILD_TYPE=Release -DROBOT=${ROBOTS}/arm6.urdf
              -DCMAKE_TOOLCHAIN_FILE=${PROJECTS}/cross_compile/aarch64.cmake -DFeatherline_DIR=${PREFIX}/lib/cmake/Featherline)
run(${CMAKE_COMMAND} -B ${WORK}/package ${arguments})
build(${WORK}/package)
check_program(${WORK}/package/controller)

run(${CMAKE_COMMAND} -B ${WORK}/executable ${arguments} -DFEATHERLINE_EXECUTABLE=${FEATHERLINE})
build(${WORK}/executable --verbose)
expect("${FEATHERLINE} generate")
check_program(${WORK}/executable/controller)

# The processor of this machine is not that of the other one.
execute_process(COMMAND ${CMAKE_COMMAND} -B ${WORK}/native ${arguments} -DMORE_FUNCTIONS=NATIVE RESULT_VARIABLE result
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "NATIVE was accepted for another processor")
endif()
string(REGEX REPLACE "[ \n]+" " " output "${output}")
expect("add_robot_dynamics\\(arm\\): NATIVE means the processor of this machine, but the code is for another one .aarch64.")
