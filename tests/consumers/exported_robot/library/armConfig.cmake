include(CMakeFindDependencyMacro)
find_dependency(Featherline)
include(${CMAKE_CURRENT_LIST_DIR}/armTargets.cmake)
