# A Cortex-M image under qemu: results, size, stack, instructions. See firmware_m7/README.md.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

find_program(cross_compiler arm-none-eabi-g++)
find_program(emulator qemu-system-arm)
if(NOT cross_compiler OR NOT emulator)
  message(STATUS "SKIP: no arm-none-eabi-g++ or qemu-system-arm; install gcc-arm-none-eabi, "
                 "libstdc++-arm-none-eabi-newlib and qemu-system-arm")
  return()
endif()
find_program(size arm-none-eabi-size)
find_program(nm arm-none-eabi-nm)
run(${cross_compiler} -dumpfullversion)
set(cross_version "${output}")

# check_no_symbol(<image> <regular expression> <what it would mean>)
function(check_no_symbol image expression meaning)
  run(${nm} ${image})
  string(REGEX MATCHALL "[^ \n]*(${expression})[^ \n]*" found "${output}")
  if(found)
    message(FATAL_ERROR "${image} has ${found}: ${meaning}")
  endif()
endfunction()

# image_bytes(<result> <image>): code and constants of an image of one function.
function(image_bytes result image)
  run(${size} ${image})
  string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)" _ "${output}")
  math(EXPR bytes "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
  set(${result} ${bytes} PARENT_SCOPE)
endfunction()

# check_fixed_frames(<directory>): -fstack-usage of all emitted functions says "static".
function(check_fixed_frames directory)
  file(GLOB files ${directory}/CMakeFiles/*.dir/featherline/*/*.cpp.su)
  if(NOT files)
    message(FATAL_ERROR "-fstack-usage says nothing in ${directory}")
  endif()
  foreach(file ${files})
    file(STRINGS ${file} others REGEX "\t(dynamic|dynamic,bounded)$")
    if(others)
      message(FATAL_ERROR "frames without a fixed size:\n${others}")
    endif()
  endforeach()
endfunction()

# check_limits(<row> <bytes of code> <bytes of stack> <instructions> <most instructions>): what rnea of a quadruped has to
# stay below. Instructions are those of one version of the compiler.
function(check_limits row code stack instructions most_instructions)
  if(code GREATER 12288 OR stack GREATER 2048)
    message(FATAL_ERROR "${row}: ${code} bytes of code, ${stack} of stack; allowed are 12288 and 2048")
  endif()
  if(cross_version MATCHES "^12\\." AND instructions GREATER most_instructions)
    message(FATAL_ERROR "${row}: allowed are ${most_instructions} instructions")
  endif()
endfunction()

# run_core(<cpu> <fpu> <board> <build type> <most instructions>): builds, runs, checks, prints rows of the README's table.
function(run_core cpu fpu board build_type most_instructions)
  set(directory ${WORK}/${cpu}-${fpu}-${build_type})
  run(${CMAKE_COMMAND} -S ${PROJECTS}/firmware_m7 -B ${directory} -G Ninja -DCMAKE_BUILD_TYPE=${build_type}
      -DCMAKE_TOOLCHAIN_FILE=${PROJECTS}/firmware_m7/toolchain.cmake -DCPU=${cpu} -DFPU=${fpu}
      -DFeatherline_DIR=${PREFIX}/lib/cmake/Featherline -DROBOTS=${ROBOTS} -DEXPECTED=${WORK}/expected
      "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
  build(${directory})
  expect_not("warning:")
  check_fixed_frames(${directory})
  check_no_symbol(${directory}/firmware.elf "malloc|_sbrk|_Znw|_Zna" "the image has a heap")
  check_no_symbol(${directory}/firmware.elf "__aeabi_d|__aeabi_[fiul]*2d|df3$" "the image computes in double")
  run(${emulator} -M ${board} -cpu ${cpu} -nographic -icount shift=0 -monitor none -serial none
      -semihosting-config enable=on,target=native -kernel ${directory}/firmware.elf)
  message(STATUS "${cpu} ${fpu} ${build_type}\n${output}")
  set(optimisation -O2)
  if(build_type STREQUAL MinSizeRel)
    set(optimisation -Os)
  endif()
  string(REGEX MATCHALL "[a-z0-9]+ [a-z_]+: error [^\n]+" rows "${output}")
  foreach(row ${rows})
    string(REGEX MATCH "([a-z0-9]+) ([a-z_]+): error ([0-9]+)e-9, stack ([0-9]+), instructions ([0-9]+)" _ "${row}")
    set(robot ${CMAKE_MATCH_1})
    set(function ${CMAKE_MATCH_2})
    set(figures "${CMAKE_MATCH_4} | ${CMAKE_MATCH_5} | ${CMAKE_MATCH_3}e-9")
    set(stack ${CMAKE_MATCH_4})
    set(instructions ${CMAKE_MATCH_5})
    image_bytes(bytes ${directory}/${robot}_${function}.elf)
    string(APPEND table "| ${cpu}, ${fpu}, ${optimisation} | ${robot} | `${function}` | ${bytes} | ${figures} |\n")
    if(robot STREQUAL quadruped AND function STREQUAL rnea)
      check_limits("${row}" ${bytes} ${stack} ${instructions} ${most_instructions})
    endif()
  endforeach()
  set(table "${table}" PARENT_SCOPE)
endfunction()

configure(${PROJECTS}/firmware_m7/host ${WORK}/host -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOTS=${ROBOTS}
          -DOUTPUT=${WORK}/expected/expected.hpp)
file(MAKE_DIRECTORY ${WORK}/expected)
build(${WORK}/host)

# Measured instructions (2029, 2271, 2079) and 1.5 %.
run_core(cortex-m7 fpv5-d16 mps2-an500 Release 2059)
run_core(cortex-m7 fpv5-d16 mps2-an500 MinSizeRel 2305)
run_core(cortex-m4 fpv4-sp-d16 mps2-an386 Release 2110)
message(STATUS "The table of tests/consumers/firmware_m7/README.md:\n${table}")
