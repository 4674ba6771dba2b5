# Featherline as a subdirectory of a project that is compiled for another machine: the generator is built for
# this one first. The test add_subdirectory compiles the whole of it; here a program of three lines stands in for it,
# which hands over to the generator that is there.
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
if(NOT cross_compiler)
  return()
endif()

set(tree ${WORK}/featherline)
file(COPY ${REPOSITORY}/CMakeLists.txt ${REPOSITORY}/LICENSE ${REPOSITORY}/generator ${REPOSITORY}/robots
          ${REPOSITORY}/runtime DESTINATION ${tree})
file(WRITE ${tree}/generator/CMakeLists.txt "add_executable(featherline main.cpp)\n")
file(WRITE ${tree}/generator/main.cpp
     "#include <unistd.h>\n\nint main(int, char** arguments) { return execv(\"${FEATHERLINE}\", arguments); }\n")

set(arguments -G Ninja -S ${PROJECTS}/add_subdirectory -B ${WORK}/build -DCMAKE_BUILD_TYPE=Release
              -DREPOSITORY=${tree} -DCMAKE_TOOLCHAIN_FILE=${PROJECTS}/cross_compile/aarch64.cmake)
if(LAUNCHER)
  list(APPEND arguments -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
endif()
run(${CMAKE_COMMAND} ${arguments})
build(${WORK}/build --target controller)
check_program(${WORK}/build/controller)
# The host's generator is a program of this machine, made by the inner build.
run(${WORK}/build/featherline/featherline-host/bin/featherline --version)
build(${WORK}/build --target controller)
expect_not("Generating the dynamics|Building CXX object CMakeFiles")
