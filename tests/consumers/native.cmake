# add_robot_dynamics(... NATIVE): the flag is for its library and for nothing else of the project.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

set(flag -mcpu=native)
if(HOST_PROCESSOR STREQUAL x86_64)
  set(flag -march=native)
endif()

# Without optimisation the linker has to choose between the functions that both libraries bring.
foreach(build_type Release Debug)
  configure(${PROJECTS}/native ${WORK}/${build_type} -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOTS=${ROBOTS}
            -DCMAKE_BUILD_TYPE=${build_type} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
  file(READ ${WORK}/${build_type}/compile_commands.json commands)
  string(JSON count LENGTH "${commands}")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON command GET "${commands}" ${i} command)
    string(JSON file GET "${commands}" ${i} file)
    string(FIND "${command}" " ${flag} " at)
    if(file MATCHES "/featherline/(native|many)/" AND at EQUAL -1)
      message(FATAL_ERROR "${file} is compiled without ${flag}:\n${command}")
    elseif(NOT file MATCHES "/featherline/(native|many)/" AND NOT at EQUAL -1)
      message(FATAL_ERROR "${file} is compiled with ${flag}:\n${command}")
    endif()
  endforeach()
  build(${WORK}/${build_type})
  run(${WORK}/${build_type}/controller)
  expect("rnea: .*agree")
endforeach()
