# featherline_test(NAME SOURCES file... [LIBS target...] [LABELS label...] [TIMEOUT seconds] [DEFINITIONS def...])
#
# One doctest executable NAME from SOURCES with doctest's main function, run by CTest as one test from the
# repository's root, so that paths such as robots/planar3.urdf and ../shared/robots mean the same in every test.
# A test that exits with 77 is reported as skipped: something it needs outside of the repository is not there. For
# ../shared tests use shared_folder.hpp or need_shared.sh, which say so by the test's name, in FEATHERLINE_TEST.
function(featherline_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBS;LABELS;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "featherline_test(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE featherline_doctest ${arg_LIBS})
  if(arg_LIBS MATCHES "featherline_(urdf|model|ir|algorithms|passes|cost|emit|reference|verify|pipeline|cli)")
    target_link_libraries(${name} PRIVATE featherline_precompiled)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(${name} REUSE_FROM featherline_test_headers)
  endif()
  if(arg_DEFINITIONS)
    target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  featherline_test_properties(${name} TIMEOUT "${arg_TIMEOUT}" LABELS ${arg_LABELS})
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

# featherline_reference_test(NAME ...): arguments as above. Runs twice: as NAME with the values in tests/reference, which
# every clone has, and as NAME_shared with those in ../shared/reference.
function(featherline_reference_test name)
  featherline_test(${name} ${ARGN})
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBS;LABELS;DEFINITIONS")
  add_test(NAME ${name}_shared COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  featherline_test_properties(${name}_shared TIMEOUT "${arg_TIMEOUT}" LABELS ${arg_LABELS} shared)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT FEATHERLINE_REFERENCE_VALUES=own)
  set_property(TEST ${name}_shared APPEND PROPERTY ENVIRONMENT FEATHERLINE_REFERENCE_VALUES=shared)
endfunction()
