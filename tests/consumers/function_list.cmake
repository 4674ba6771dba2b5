# add_robot_dynamics() knows the functions, groups and file names of the generator by heart: compare.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)
include(${REPOSITORY}/runtime/cmake/FeatherlineFunctions.cmake)

run(${FEATHERLINE} generate --help)
foreach(group ${FEATHERLINE_GROUPS})
  list(JOIN FEATHERLINE_GROUP_${group} " " names)
  expect("\n *${group}: ${names} *\n")
endforeach()
string(REGEX REPLACE ".*Functions by group:" "" listed "${output}")
string(REGEX MATCHALL "[a-z-]+:" groups "${listed}")
list(LENGTH groups count)
list(LENGTH FEATHERLINE_GROUPS expected)
if(NOT count EQUAL expected)
  message(FATAL_ERROR "the generator has the groups ${groups}, runtime/cmake/FeatherlineFunctions.cmake has "
                      "${FEATHERLINE_GROUPS}")
endif()

# Every file emitted is compiled or installed by the library's target.
configure(${PROJECTS}/find_package ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOT=${ROBOTS}/arm6.urdf
          -DMORE_FUNCTIONS=all)
build(${WORK}/build --target featherline/arm/arm.hpp)
file(GLOB emitted RELATIVE ${WORK}/build/featherline/arm ${WORK}/build/featherline/arm/*)
file(READ ${WORK}/build/build.ninja rules)
foreach(file ${emitted})
  string(FIND "${rules}" "featherline/arm/${file}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file} is emitted, and add_robot_dynamics() does not know it")
  endif()
endforeach()
