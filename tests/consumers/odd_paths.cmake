# Files of robots whose paths have what CMake, shells, Make and Ninja give a meaning to.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

# check_path(<generator> <folder>): the robot is generated, and again when its file changes, or the one that this
# includes. `output` is that of a build that has nothing to do.
function(check_path generator folder)
  set(model "${WORK}/${folder}/ar m.xml")
  set(included "${WORK}/${folder}/li nk.xml")
  file(WRITE "${model}" "<mujoco model='arm'><worldbody><include file='li nk.xml'/></worldbody></mujoco>\n")
  file(WRITE "${included}" "<mujocoinclude><body name='arm'><joint axis='0 1 0'/><geom size='1'/></body></mujocoinclude>\n")
  file(WRITE ${WORK}/project/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)\nproject(odd LANGUAGES CXX)\n"
       "find_package(Featherline REQUIRED)\nadd_robot_dynamics(arm MODEL [==[${model}]==] FUNCTIONS rnea)\n")
  file(REMOVE_RECURSE ${WORK}/build)
  run(${CMAKE_COMMAND} -S ${WORK}/project -B ${WORK}/build -G ${generator} -DCMAKE_CXX_COMPILER=${CXX}
      -DCMAKE_PREFIX_PATH=${PREFIX} -DCMAKE_CXX_FLAGS=-O0)
  file(READ ${WORK}/build/featherline/arm.arguments arguments)
  string(FIND "${arguments}" "${model}\n" place)
  if(NOT place EQUAL 0)
    message(FATAL_ERROR "the path was changed:\n${arguments}")
  endif()
  run(${CMAKE_COMMAND} --build ${WORK}/build --target arm)
  expect("Generating the dynamics of arm")
  foreach(file "${model}" "${included}")
    later()
    file(TOUCH "${file}")
    run(${CMAKE_COMMAND} --build ${WORK}/build --target arm)
    expect("Generating the dynamics of arm")
  endforeach()
  run(${CMAKE_COMMAND} --build ${WORK}/build --target arm)
  set(output "${output}" PARENT_SCOPE)
endfunction()

foreach(generator "Ninja" "Unix Makefiles")
  check_path(${generator} "@PROJECT_NAME@ (1) 50%")
  expect_not("Generating|Building")
  check_path(${generator} "it's \"a\" $HOME & #2")  # CMake 3.25 and Ninja lose these in dependency files: generated again
  expect_not("Building")
endforeach()
