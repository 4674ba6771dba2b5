include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/find_package ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOT=${ROBOTS}/arm6.urdf)
build(${WORK}/build --verbose)
expect("${PREFIX}/bin/featherline generate")
expect("-O3 [^\n]*-O2 -ffp-contract=fast")  # the last one counts
expect_not("fast-math")
run(${WORK}/build/controller)
expect("arm: torque up to [1-9].*functions agree")

if(NOT EXISTS ${PREFIX}/share/doc/Featherline/LICENSE)
  message(FATAL_ERROR "LICENSE was not installed")
endif()

# Flags of the user's win.
configure(${PROJECTS}/find_package ${WORK}/build-flags -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOT=${ROBOTS}/arm6.urdf
          "-DCMAKE_CXX_FLAGS=-O1 -ffp-contract=off")
build(${WORK}/build-flags --verbose)
expect_not("-O2|-ffp-contract=fast")

# Another minor version is another interface.
file(WRITE ${WORK}/old/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)\nproject(old LANGUAGES CXX)\n"
     "find_package(Featherline 0.2 REQUIRED)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/old -B ${WORK}/old/build -DCMAKE_PREFIX_PATH=${PREFIX}
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "version 0.2 was asked for and 0.1 accepted")
endif()
expect("requested version \"0.2\"")
