# Featherline as a subdirectory of a project that is compiled for another machine: the generator is built for
# this one first.
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
if(NOT cross_compiler)
  return()
endif()

reuse_objects()
set(arguments -G Ninja -S ${PROJECTS}/add_subdirectory -B ${WORK}/build -DCMAKE_BUILD_TYPE=Release
              -DREPOSITORY=${REPOSITORY} -DCMAKE_TOOLCHAIN_FILE=${PROJECTS}/cross_compile/aarch64.cmake
              -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} ${arguments})
build(${WORK}/build --target controller)
check_program(${WORK}/build/controller)
build(${WORK}/build --target controller)
expect_not("Generating the dynamics|Building CXX object CMakeFiles")
