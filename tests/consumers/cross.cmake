# Part of the two cross-compiling scripts.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

find_program(cross_compiler aarch64-linux-gnu-g++)
if(NOT cross_compiler)
  message(STATUS "SKIP: no aarch64-linux-gnu-g++; install g++-aarch64-linux-gnu")
  return()
endif()

# The program is for the other machine; it is run where an emulator is installed.
function(check_program program)
  find_program(readelf aarch64-linux-gnu-readelf)
  run(${readelf} -h ${program})
  expect("AArch64")
  find_program(emulator NAMES qemu-aarch64 qemu-aarch64-static)
  if(emulator)
    run(${emulator} ${program})
    expect("arm: torque up to [1-9].*functions agree")
  else()
    message(STATUS "compiled, not run: no qemu-aarch64")
  endif()
endfunction()
