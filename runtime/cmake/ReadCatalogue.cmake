# add_robot_dynamics() has to know functions and emitted files before there is a generator that could be asked. They are
# read from the generator's own declarations, entry by entry, and written to a list that is also installed. The test
# consumer_function_list compares it with what the generator says and emits.
#
# The list sets:
#   FEATHERLINE_GROUPS, FEATHERLINE_GROUP_<group>   functions by group; packed forms are a group of their own
#   FEATHERLINE_DEFAULT_GROUPS                      what is emitted when nothing is asked for
#   FEATHERLINE_FUNCTIONS                           all of them
#   FEATHERLINE_LINK_FUNCTIONS                      those that take a link
#   FEATHERLINE_WITHOUT_FORCES                      those that do not exist with external forces, though they depend on them
#   FEATHERLINE_FOREIGN_NAMES                       pairs <name>=<function>: what other libraries call a function, in
#                                                   lower case and without underscores and dashes
#   FEATHERLINE_BINDING_OPTIONS                     what asks for bindings, as `generate` spells it: c-api, batch
#   FEATHERLINE_FILES                               rules <option>|<kind>|<name>: what asks for the file, or "always"; what
#                                                   there is one for (`Each` of emit/file_plan.hpp); its name, where NAME
#                                                   and FUNCTION are to be filled in

# MATCHALL of the text of files, again whenever they change.
function(_featherline_read result files pattern)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(all "")
  foreach(file ${files})
    file(READ ${file} text)
    string(REGEX MATCHALL "${pattern}" found "${text}")
    list(APPEND all ${found})
  endforeach()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

function(_featherline_read_catalogue)
  set(generator ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../generator)
  set(parts dynamics_functions.cpp kinematics_functions.cpp whole_body_functions.cpp
            constraint_functions.cpp)
  set(identifier "[A-Za-z][A-Za-z0-9_]*")

  list(TRANSFORM parts PREPEND ${generator}/catalog/)

  # Matrices and tensors are the arguments whose shape has several sides.
  set(matrices "")
  set(matrix "Argument ${identifier}{[ \n]*\"[^\"]*\",[ \n]*{[^}]*,[^}]*}")
  _featherline_read(declared "${parts}" "${matrix}")
  foreach(argument ${declared})
    string(REGEX MATCH "Argument (${identifier})" _ "${argument}")
    list(APPEND matrices ${CMAKE_MATCH_1})
  endforeach()

  _featherline_read(declared ${generator}/catalog/functions.hpp "{\"[a-z-]+\", (true|false), [0-9]}")
  set(FEATHERLINE_GROUPS "")
  set(FEATHERLINE_DEFAULT_GROUPS "")
  foreach(group ${declared})
    string(REGEX MATCH "\"(.*)\", (true|false)" _ "${group}")
    list(APPEND FEATHERLINE_GROUPS ${CMAKE_MATCH_1})
    set(FEATHERLINE_GROUP_${CMAKE_MATCH_1} "")
    if(CMAKE_MATCH_2 STREQUAL "true")
      list(APPEND FEATHERLINE_DEFAULT_GROUPS ${CMAKE_MATCH_1})
    endif()
  endforeach()

  set(FEATHERLINE_GROUP_packed "")
  set(FEATHERLINE_LINK_FUNCTIONS "")
  set(FEATHERLINE_WITHOUT_FORCES "")
  _featherline_read(declared "${parts}"
    "\\.(name = \"${identifier}\"|group = ${identifier}|outputs = {[^}]*}|depends = ${identifier}|takes_link = true)")
  foreach(field ${declared})
    string(REGEX MATCHALL "${identifier}" words "${field}")
    list(POP_FRONT words key)
    if(key STREQUAL "name")
      set(function ${words})
    elseif(key STREQUAL "group")
      string(REPLACE "_" "-" group ${words})
      list(APPEND FEATHERLINE_GROUP_${group} ${function})
    elseif(key STREQUAL "outputs")
      list(REMOVE_ITEM words ${matrices})
      if(NOT words)
        list(APPEND FEATHERLINE_GROUP_packed ${function}_packed)
      endif()
    elseif(key STREQUAL "depends")
      if(words STREQUAL "on_all_but_forces")
        list(APPEND FEATHERLINE_WITHOUT_FORCES ${function} ${function}_packed)
      endif()
    else()
      list(APPEND FEATHERLINE_LINK_FUNCTIONS ${function})
      list(REMOVE_ITEM FEATHERLINE_GROUP_packed ${function}_packed)
    endif()
  endforeach()
  list(APPEND FEATHERLINE_GROUPS packed)
  set(FEATHERLINE_FUNCTIONS "")
  foreach(group ${FEATHERLINE_GROUPS})
    list(APPEND FEATHERLINE_FUNCTIONS ${FEATHERLINE_GROUP_${group}})
  endforeach()

  set(FEATHERLINE_FOREIGN_NAMES "")
  get_filename_component(foreign ${generator}/../templates/foreign_names.in ABSOLUTE)
  _featherline_read(pairs ${foreign} "\n[a-z0-9]+ = [a-z_]+")
  foreach(pair ${pairs})
    string(REGEX REPLACE "\n(.*) = (.*)" "\\1=\\2" pair "${pair}")
    list(APPEND FEATHERLINE_FOREIGN_NAMES ${pair})
  endforeach()

  set(FEATHERLINE_FILES "")
  set(FEATHERLINE_BINDING_OPTIONS "")
  file(GLOB bindings CONFIGURE_DEPENDS ${generator}/emit/bindings/*.cpp)
  foreach(file ${generator}/emit/file_plan.cpp ${bindings})
    _featherline_read(option ${file} "\\.option = \"[a-z-]*\"")
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" option "${option}")
    if(option)
      list(APPEND FEATHERLINE_BINDING_OPTIONS ${option})
    else()
      set(option always)
    endif()
    _featherline_read(rules ${file} "{Each::[a-z_]+, \"[^\"]*\"")
    foreach(rule ${rules})
      string(REGEX REPLACE "{Each::(.*), \"(.*)\"" "${option}|\\1|\\2" rule "${rule}")
      list(APPEND FEATHERLINE_FILES "${rule}")
    endforeach()
  endforeach()

  set(list "# Made by ReadCatalogue.cmake.\n")
  set(variables FEATHERLINE_GROUPS FEATHERLINE_DEFAULT_GROUPS FEATHERLINE_FUNCTIONS FEATHERLINE_LINK_FUNCTIONS
                FEATHERLINE_WITHOUT_FORCES FEATHERLINE_FOREIGN_NAMES FEATHERLINE_BINDING_OPTIONS FEATHERLINE_FILES)
  foreach(group ${FEATHERLINE_GROUPS})
    list(APPEND variables FEATHERLINE_GROUP_${group})
  endforeach()
  foreach(variable ${variables})
    string(APPEND list "set(${variable} \"${${variable}}\")\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/FeatherlineFunctions.cmake CONTENT "${list}" @ONLY)
  set_property(GLOBAL PROPERTY FEATHERLINE_FUNCTION_LIST ${PROJECT_BINARY_DIR}/FeatherlineFunctions.cmake)
endfunction()

_featherline_read_catalogue()
