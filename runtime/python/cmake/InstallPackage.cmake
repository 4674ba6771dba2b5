# Runs when the package is installed. `modules`, `native` and others are set before.

# Relative to the prefix, unless it is absolute.
if(NOT FEATHERLINE_PYTHON_DIR)
  set(FEATHERLINE_PYTHON_DIR lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/site-packages)
  if(is_debian AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(FEATHERLINE_PYTHON_DIR lib/python${Python3_VERSION_MAJOR}/dist-packages)
  elseif(is_debian AND CMAKE_INSTALL_PREFIX STREQUAL "/usr/local")
    set(FEATHERLINE_PYTHON_DIR lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/dist-packages)
  endif()
endif()
get_filename_component(package ${FEATHERLINE_PYTHON_DIR}/featherline ABSOLUTE BASE_DIR ${CMAKE_INSTALL_PREFIX})

function(_featherline_seen_from_package result path)
  get_filename_component(path ${path} ABSOLUTE BASE_DIR ${CMAKE_INSTALL_PREFIX})
  file(RELATIVE_PATH path ${package} ${path})
  set(${result} ${path} PARENT_SCOPE)
endfunction()

_featherline_seen_from_package(FEATHERLINE_PYTHON_EXECUTABLE ${CMAKE_INSTALL_BINDIR}/featherline)
_featherline_seen_from_package(FEATHERLINE_PYTHON_HEADERS include)
_featherline_seen_from_package(FEATHERLINE_PYTHON_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/Featherline)
configure_file(${configuration} ${scratch}/_configuration.py @ONLY)

file(INSTALL DESTINATION ${package} TYPE FILE FILES ${modules} ${scratch}/_configuration.py ${native})
