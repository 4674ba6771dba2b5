# Batches for 64-bit ARM, where the baseline is NEON: compiled by the cross compiler, run under the emulator, and
# compared there with the scalar functions.
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
if(NOT cross_compiler)
  return()
endif()

run(${CMAKE_COMMAND} -G Ninja -S ${PROJECTS}/batch -B ${WORK}/build -DCMAKE_BUILD_TYPE=Release -DROBOTS=${ROBOTS}
    -DCMAKE_TOOLCHAIN_FILE=${PROJECTS}/cross_compile/aarch64.cmake -DFeatherline_DIR=${PREFIX}/lib/cmake/Featherline
    -DFEATHERLINE_EXECUTABLE=${FEATHERLINE} -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON)  # linked statically: no threads
build(${WORK}/build)
find_program(emulator NAMES qemu-aarch64 qemu-aarch64-static)
if(NOT emulator)
  message(STATUS "SKIP: compiled, not run: no qemu-aarch64; install qemu-user")
  return()
endif()
run(${emulator} ${WORK}/build/batches)
expect("baseline: batches agree")

# Lanes are vectors, and no function is called from within one.
find_program(objdump aarch64-linux-gnu-objdump)
run(${objdump} -dC --no-show-raw-insn ${WORK}/build/batches)
expect("fmla\tv[0-9]+\\.2d")
expect("fmla\tv[0-9]+\\.4s")
