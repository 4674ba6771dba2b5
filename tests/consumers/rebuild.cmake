# The generator runs when the URDF, an option or the generator changes, and at no other time; what it makes anew is
# compiled, and nothing else.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

# A prefix of its own, whose generator this test may touch.
file(COPY ${PREFIX}/ DESTINATION ${WORK}/prefix USE_SOURCE_PERMISSIONS)
set(urdf ${WORK}/arm.urdf)
set(manifest ${WORK}/build/featherline/arm/arm.json)
set(generating "Generating the dynamics of arm")
set(compiling "Building CXX")

function(expect_nothing_done when)
  build(${WORK}/build)
  message(STATUS "${generator}, ${when}: nothing to do")
  expect_not("${generating}|${compiling}|Linking")
endfunction()

# expect_regenerated(<when> <shard>...): the generator ran, these files of the robot were compiled and no others; then
# there is nothing left to do. Shard 1 has rnea, 2 has bias, 3 gravity, 4 mass_matrix, 5
# forward_kinematics.
function(expect_regenerated when)
  build(${WORK}/build)
  expect("${generating}")
  string(REGEX MATCHALL "[a-z_0-9]+\\.cpp\\.o" compiled "${output}")
  list(FILTER compiled INCLUDE REGEX "^arm_")
  list(SORT compiled)
  list(TRANSFORM compiled REPLACE "arm_(.*)\\.cpp\\.o" "\\1")
  message(STATUS "${generator}, ${when}: generated; compiled: ${compiled}")
  if(NOT compiled STREQUAL "${ARGN}")
    message(FATAL_ERROR "${when}: compiled ${compiled} instead of ${ARGN}:\n${output}")
  endif()
  set(built "${output}")
  expect_nothing_done("after ${when}")
  set(output "${built}" PARENT_SCOPE)
endfunction()

# What is compiled does not hang on the user's program: it includes the header alone.
function(expect_unchanged_program)
  expect_not("${compiling}|Linking")
endfunction()

# emitted_digests(<result>): name and digest of every emitted file but the manifest.
function(emitted_digests result)
  file(GLOB files ${WORK}/build/featherline/arm/*pp)
  set(digests "")
  foreach(file ${files})
    execute_process(COMMAND stat -c %y ${file} OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(SHA256 ${file} digest)
    list(APPEND digests "${file} ${time} ${digest}")
  endforeach()
  set(${result} "${digests}" PARENT_SCOPE)
endfunction()

function(check_rebuilds generator)
  file(REMOVE_RECURSE ${WORK}/build)
  file(COPY_FILE ${ROBOTS}/arm6.urdf ${urdf})
  set(order ${WORK}/order.txt)
  file(WRITE ${order} "waist\nshoulder\nelbow\nwrist_roll\nwrist_pitch\nflange_roll\n")
  set(arguments -S ${PROJECTS}/find_package -B ${WORK}/build -G ${generator} -DCMAKE_CXX_COMPILER=${CXX}
                -DCMAKE_PREFIX_PATH=${WORK}/prefix -DROBOT=${urdf} -DCMAKE_CXX_FLAGS=-O0
                -DORDER=${order})
  run(${CMAKE_COMMAND} ${arguments} -DMORE_FUNCTIONS=forward_kinematics)
  expect_regenerated("first build" 1 2 3 4 5 6 7 8)
  run(${CMAKE_COMMAND} ${arguments})
  expect_nothing_done("configured again")

  emitted_digests(digests)
  foreach(input ${urdf} ${order})
    later()
    file(TOUCH ${input})
    expect_regenerated("${input} touched")
    expect_unchanged_program()
  endforeach()
  later()
  file(READ ${urdf} text)
  string(REPLACE "</robot>" "<!-- nothing that moves --><odd/></robot>" text "${text}")
  file(WRITE ${urdf} "${text}")
  file(READ ${manifest} manifest_before)
  expect_regenerated("a comment in the URDF")
  expect("arm.urdf:[0-9]+: warning: ignored: <odd> [^\n]*\\[unknown-attribute\\]")  # as a compiler's
  expect_not("~ns")  # the generator's report
  expect_unchanged_program()
  emitted_digests(digests_after)
  file(READ ${manifest} manifest_after)
  if(NOT digests_after STREQUAL "${digests}" OR manifest_before STREQUAL manifest_after)
    message(FATAL_ERROR "a comment in the URDF changed more than the manifest, or not even that")
  endif()

  later()
  string(REPLACE "mass value=\"" "mass value=\"1" text "${text}")
  file(WRITE ${urdf} "${text}")
  expect_regenerated("masses changed" 1 2 4)

  later()
  run(${CMAKE_COMMAND} ${arguments} "-DMORE_FUNCTIONS=forward_kinematics\\;gravity")
  expect_regenerated("function added" 3)
  expect("/arm\\.cpp\\.o")  # the user's program includes a header with one declaration more
  later()
  run(${CMAKE_COMMAND} ${arguments} -DMORE_FUNCTIONS=)
  expect_regenerated("functions removed" 3 5)

  later()
  file(TOUCH ${WORK}/prefix/bin/featherline)
  expect_regenerated("generator touched")
  expect_unchanged_program()

  # Whoever removes an emitted file gets it back, with Make from CMake.
  file(REMOVE ${WORK}/build/featherline/arm/arm_2.cpp)
  later()
  run(${CMAKE_COMMAND} ${arguments})
  expect_regenerated("file removed" 2)

  # Bad input stops the build with the generator's words, and the next good input heals it.
  later()
  file(WRITE ${urdf} "<robot name='broken'>")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(FATAL_ERROR "a broken URDF built:\n${output}")
  endif()
  expect("arm.urdf:[0-9]+: error: ")
  later()
  file(WRITE ${urdf} "${text}")
  expect_regenerated("URDF mended")
  run(${WORK}/build/controller)
endfunction()

check_rebuilds(Ninja)
check_rebuilds("Unix Makefiles")
