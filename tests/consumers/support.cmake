# Helpers of the consumer scripts. WORK is the test's own folder, emptied here.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
get_filename_component(PREFIX ${WORK}/../prefix ABSOLUTE)
set(PROJECTS ${REPOSITORY}/tests/consumers)
set(ROBOTS ${REPOSITORY}/robots)
# A script does not have CMAKE_HOST_SYSTEM_PROCESSOR.
cmake_host_system_information(RESULT HOST_PROCESSOR QUERY OS_PLATFORM)

# run(<command>...): runs it, stops the test when it fails; what it printed is in `output`.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY ${WORK})
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# configure(<source> <build> <argument>...): with the compiler the tests were built with.
function(configure source build)
  set(launcher "")
  if(LAUNCHER)
    set(launcher -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
  endif()
  run(${CMAKE_COMMAND} -S ${source} -B ${build} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX}
      ${launcher} ${ARGN})
  set(output "${output}" PARENT_SCOPE)
endfunction()

# build(<directory> <argument>...)
function(build directory)
  run(${CMAKE_COMMAND} --build ${directory} --parallel 2 ${ARGN})
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect(<regular expression>): `output` matches it.
function(expect expression)
  if(NOT output MATCHES "${expression}")
    message(FATAL_ERROR "expected to find\n${expression}\nin\n${output}")
  endif()
endfunction()

function(expect_not expression)
  if(output MATCHES "${expression}")
    message(FATAL_ERROR "did not expect to find\n${expression}\nin\n${output}")
  endif()
endfunction()

# later(): what is written from now on is newer than what was written before. Some file systems count whole seconds, most
# count steps of the kernel's clock, at most a hundredth.
function(later)
  file(TOUCH ${WORK}/now)
  execute_process(COMMAND stat -c %y ${WORK}/now OUTPUT_VARIABLE time)
  set(seconds 0.05)
  if(NOT time MATCHES "\\.[0-9]*[1-9]")
    set(seconds 1.1)
  endif()
  run(${CMAKE_COMMAND} -E sleep ${seconds})
endfunction()
