# The generator runs when the URDF, an option or the generator changes, and at no other time.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

# A prefix of its own, whose generator this test may touch.
file(COPY ${PREFIX}/ DESTINATION ${WORK}/prefix USE_SOURCE_PERMISSIONS)
set(urdf ${WORK}/arm.urdf)
set(generating "Generating the dynamics of arm")
set(compiling "Building CXX")

function(expect_nothing_done when)
  build(${WORK}/build)
  message(STATUS "${generator}, ${when}: nothing to do")
  expect_not("${generating}|${compiling}|Linking")
endfunction()

function(expect_regenerated when)
  build(${WORK}/build)
  message(STATUS "${generator}, ${when}: generated")
  expect("${generating}")
  expect("${compiling}")
  expect_nothing_done("after ${when}")
endfunction()

# Makefiles see times of whole seconds on some file systems.
function(later)
  run(${CMAKE_COMMAND} -E sleep 1.1)
endfunction()

function(check_rebuilds generator)
  file(REMOVE_RECURSE ${WORK}/build)
  file(COPY_FILE ${ROBOTS}/arm6.urdf ${urdf})
  set(arguments -S ${PROJECTS}/find_package -B ${WORK}/build -G ${generator} -DCMAKE_CXX_COMPILER=${CXX}
                -DCMAKE_PREFIX_PATH=${WORK}/prefix -DROBOT=${urdf} -DCMAKE_CXX_FLAGS=-O0)
  run(${CMAKE_COMMAND} ${arguments})
  expect_regenerated("first build")
  run(${CMAKE_COMMAND} ${arguments})
  expect_nothing_done("configured again")

  later()
  file(READ ${urdf} text)
  string(REPLACE "mass value=\"" "mass value=\"1" text "${text}")
  file(WRITE ${urdf} "${text}")
  expect_regenerated("URDF changed")

  later()
  run(${CMAKE_COMMAND} ${arguments} -DMORE_FUNCTIONS=gravity)
  expect_regenerated("function added")
  later()
  run(${CMAKE_COMMAND} ${arguments} -DMORE_FUNCTIONS=)
  build(${WORK}/build)
  expect("${generating}")
  expect_nothing_done("after function removed")

  later()
  file(TOUCH ${WORK}/prefix/bin/featherline)
  expect_regenerated("generator changed")

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
