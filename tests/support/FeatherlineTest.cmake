# featherline_test(NAME SOURCES file... [LIBS target...] [DEFINITIONS def...] [LABELS label...] [TIMEOUT seconds] [REFERENCE])
#
# One doctest executable NAME from SOURCES with doctest's main function, run by CTest as one test from the
# repository's root, so that paths such as robots/planar3.urdf and ../shared/robots mean the same in every test.
# A test that exits with 77 is reported as skipped: something it needs outside of the repository is not there. For
# ../shared tests use shared_folder.hpp or need_shared.sh, which say so by the test's name, in FEATHERLINE_TEST.
# REFERENCE runs it twice: as NAME with the values of an independent library in tests/reference, which every clone has,
# and as NAME_shared with those in ../shared/reference.
function(featherline_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "REFERENCE" "TIMEOUT" "SOURCES;LIBS;LABELS;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "featherline_test(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  featherline_test_program(${name} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS} DEFINITIONS ${arg_DEFINITIONS})
  _featherline_add_doctest(${name} COMMAND ${name})
endfunction()

# featherline_test_program(NAME SOURCES file... [LIBS target...] [DEFINITIONS def...]): the executable alone. Tests that
# include the generator or Eigen share a compiled header, and are compiled eight sources at a time, as the generator is;
# what two sources of a program call by the same name is in a namespace of the source. They are optimised little: what
# takes long to run is in libraries.
function(featherline_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS;DEFINITIONS")
  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE featherline_doctest ${arg_LIBS})
  target_compile_options(${name} PRIVATE ${featherline_test_optimisation})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF UNITY_BUILD_BATCH_SIZE 8)
  if(arg_LIBS MATCHES "featherline_(formats|model|ir|algorithms|passes|cost|emit|reference|verify|pipeline|cli)|Eigen3::Eigen")
    target_link_libraries(${name} PRIVATE featherline_precompiled)
    target_precompile_headers(${name} REUSE_FROM featherline_test_headers)
    if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
      set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
    endif()
  endif()
  if(arg_DEFINITIONS)
    target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  endif()
endfunction()

# featherline_compile_quickly(<target>...): programs and libraries beside the tests that include the generator, so that
# they share its compiled header and its optimisation.
function(featherline_compile_quickly)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
  featherline_use_precompiled(${ARGN})
endfunction()

# featherline_emit_for_values(<target>...): libraries of add_robot_dynamics() that a test calls a few times, for values
# alone. Straight-line code takes g++ 1.4 s without optimisation and 7.1 s with -O2 (nonzeros of arm7).
function(featherline_emit_for_values)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # false alarms without optimisation
  endforeach()
endfunction()

# featherline_test_of_files(NAME PROGRAM FILES file... [LABELS label...] [TIMEOUT seconds] [REFERENCE]): the test cases of
# PROGRAM that are in these source files. NAME_shared runs those alone that compare with the independent library, which
# have it in their names: the others do the same as in NAME.
function(featherline_test_of_files name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "REFERENCE" "TIMEOUT" "FILES;LABELS")
  list(TRANSFORM arg_FILES PREPEND "*/")
  list(JOIN arg_FILES "," files)
  set(only_shared "--test-case=*independent library*")
  _featherline_add_doctest(${name} COMMAND ${program} --source-file=${files})
endfunction()

# Takes arg_REFERENCE, arg_TIMEOUT and arg_LABELS of its caller, and what NAME_shared is told besides in only_shared.
function(_featherline_add_doctest name)
  set(names ${name})
  if(arg_REFERENCE)
    list(APPEND names ${name}_shared)
  endif()
  foreach(test ${names})
    set(also "")
    if(test STREQUAL "${name}_shared")
      set(also ${only_shared})
    endif()
    add_test(NAME ${test} ${ARGN} ${also} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    featherline_test_properties(${test} TIMEOUT "${arg_TIMEOUT}" LABELS ${arg_LABELS})
    set_property(TEST ${test} PROPERTY FAIL_REGULAR_EXPRESSION "test cases: +0 ")  # there is no such file
  endforeach()
  if(arg_REFERENCE)
    featherline_test_properties(${name}_shared TIMEOUT "${arg_TIMEOUT}" LABELS ${arg_LABELS} shared)
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT FEATHERLINE_REFERENCE_VALUES=own)
    set_property(TEST ${name}_shared APPEND PROPERTY ENVIRONMENT FEATHERLINE_REFERENCE_VALUES=shared)
  endif()
endfunction()

# The properties every test has, doctest or not.
function(featherline_test_properties name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${arg_LABELS}"
                       ENVIRONMENT "FEATHERLINE_TEST=${name}")
endfunction()
