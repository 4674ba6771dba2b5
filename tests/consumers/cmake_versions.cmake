# Users of Ubuntu 22.04 have CMake 3.22. All tests here run with a newer one, so this one looks for what 3.22 does not
# know, in the files of a user's project, in the package, and in the tree that add_subdirectory() takes in. The table is
# from CMake's release notes. To be certain, run the tests of this folder with
# -DFEATHERLINE_CONSUMER_CMAKE=<a cmake of version 3.22>.
cmake_minimum_required(VERSION 3.22)

# Version and regular expression.
set(newer
  "3.23 FILE_SET" "3.23 INITIALIZE_FROM_VARIABLE" "3.23 CMAKE_IGNORE_PREFIX_PATH" "3.23 IMPORTED_NO_SYSTEM"
  "3.23 LINK_LIBRARIES_ONLY_TARGETS"
  "3.24 PATH_EQUAL" "3.24 SET_DEPENDENCY_PROVIDER" "3.24 NO_CMAKE_INSTALL_PREFIX" "3.24 find_package.[^)]* GLOBAL"
  "3.24 COMPILE_WARNING_AS_ERROR" "3.24 CMAKE_COLOR_DIAGNOSTICS" "3.24 INTERFACE_LINK_LIBRARIES_DIRECT"
  "3.24 OVERRIDE_FIND_PACKAGE" "3.24 FIND_PACKAGE_ARGS" "3.24 DOWNLOAD_EXTRACT_TIMESTAMP" "3.24 QUERY WINDOWS_REGISTRY"
  "3.24 .<(LINK_LIBRARY|LINK_GROUP|PATH):" "3.24 CMAKE_PROJECT_TOP_LEVEL_INCLUDES" "3.24 --fresh"
  "3.25 (^|[ \n])(end)?block *[(]" "3.25 PROPAGATE" "3.25 GET_MESSAGE_LOG_LEVEL" "3.25 VALIDATOR" "3.25 SOURCE_FROM_"
  "3.25 add_subdirectory.[^)]* SYSTEM" "3.25 CMAKE_TRY_COMPILE_CONFIGURATION_TYPES" "3.25 [{( ](LINUX|BSD)[}) ]"
  "3.25 EXPORT_NO_SYSTEM"
  "3.26 BUILD_LOCAL_INTERFACE" "3.26 CONFIGURE_LOG" "3.26 INSTALL_BYPRODUCTS" "3.26 COMMENT [^\n]*[$]<"
  "3.27 DEPENDS_EXPLICIT_ONLY" "3.27 cmake_file_api *[(]" "3.27 .<(COMPILE_ONLY|LIST):" "3.27 TARGET_RUNTIME_DLL_DIRS"
  "3.27 install.(CODE|SCRIPT)[^)]*INSTALL_PREFIX>"
  "3.28 JOB_SERVER_AWARE" "3.28 FetchContent_Declare.[^)]* EXCLUDE_FROM_ALL"
  "3.29 IS_(READABLE|WRITABLE|EXECUTABLE)" "3.29 cmake_language.EXIT" "3.29 LINKER_TYPE" "3.29 TEST_LAUNCHER"
  "3.30 [$]<QUOTE>" "3.30 TRANSITIVE_(COMPILE|LINK)_PROPERTIES"
  "3.31 [ \n]CODEGEN[ \n)]" "3.31 cmake_pkg_config *[(]"
  "later than 3.22 (cmake_minimum_required|cmake_policy).VERSION (3[.](2[3-9]|[3-9])|[4-9])"
  "later than 3.22 CMP(0129|01[3-9]|0[2-9])")

# newer_than_3_22(<result> <code>): what of the table is in the code. Comments do not count.
function(newer_than_3_22 result code)
  string(REGEX REPLACE "#[^\n]*" "" code "${code}")
  set(found "")
  foreach(entry ${newer})
    string(REGEX MATCH "^(later than )?3[.][0-9]+" version ${entry})
    string(REGEX REPLACE "^(later than )?3[.][0-9]+ " "" expression ${entry})
    if(code MATCHES "${expression}")
      string(APPEND found "\n  CMake ${version}: ${CMAKE_MATCH_0}")
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# The check itself: it finds what it should, and nothing else.
foreach(code "block()" "set(x 1)\n  block(SCOPE_FOR VARIABLES)" "if(a PATH_EQUAL b)" "add_subdirectory(x SYSTEM)"
        "cmake_minimum_required(VERSION 3.25)" "cmake_policy(VERSION 3.23...3.25)" "cmake_policy(SET CMP0135 NEW)")
  newer_than_3_22(found "${code}")
  if(NOT found)
    message(FATAL_ERROR "not recognised as new: ${code}")
  endif()
endforeach()
newer_than_3_22(found "cmake_minimum_required(VERSION 3.22...3.25)\n# block()\ncmake_policy(SET CMP0128 NEW)\nmy_block()")
if(found)
  message(FATAL_ERROR "CMake 3.22 knows this:${found}")
endif()

file(GLOB_RECURSE files ${REPOSITORY}/generator/*.cmake ${REPOSITORY}/runtime/*.cmake ${REPOSITORY}/tests/*.cmake
     ${REPOSITORY}/generator/CMakeLists.txt ${REPOSITORY}/runtime/CMakeLists.txt ${REPOSITORY}/tests/CMakeLists.txt
     ${REPOSITORY}/runtime/*.cmake.in)
list(REMOVE_ITEM files ${CMAKE_CURRENT_LIST_FILE})
list(LENGTH files count)
if(count LESS 50)
  message(FATAL_ERROR "only ${count} files were looked at")
endif()
set(all "")
foreach(file ${REPOSITORY}/CMakeLists.txt ${files})
  file(READ ${file} code)
  newer_than_3_22(found "${code}")
  if(found)
    string(APPEND all "${file}${found}\n")
  endif()
endforeach()
if(all)
  message(FATAL_ERROR "CMake 3.22 does not know this:\n${all}")
endif()
