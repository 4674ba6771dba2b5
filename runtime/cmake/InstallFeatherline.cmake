# Installs the runtime, the generator and the CMake package Featherline.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/Featherline)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Featherline)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/featherline DESTINATION include FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS featherline_runtime EXPORT FeatherlineTargets)
install(EXPORT FeatherlineTargets NAMESPACE Featherline:: DESTINATION ${package_directory})
# The sources of Python modules, for add_robot_dynamics(... PYTHON).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/python/native/ DESTINATION ${package_directory}/python
        FILES_MATCHING PATTERN "*.cpp" PATTERN "*.hpp")
if(TARGET featherline)
  install(TARGETS featherline EXPORT FeatherlineGenerator RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT FeatherlineGenerator NAMESPACE Featherline:: DESTINATION ${package_directory})
endif()

configure_package_config_file(runtime/cmake/FeatherlineConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/FeatherlineConfig.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FeatherlineConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/FeatherlineConfig.cmake
              ${PROJECT_BINARY_DIR}/FeatherlineConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/runtime/cmake/AddRobotDynamics.cmake
              ${PROJECT_SOURCE_DIR}/runtime/cmake/FeatherlineOptions.cmake
              ${PROJECT_SOURCE_DIR}/runtime/cmake/NativeCode.cmake
              ${PROJECT_SOURCE_DIR}/runtime/python/cmake/ChoosePython.cmake
        DESTINATION ${package_directory})

# What has to be built before: no tests.
add_custom_target(featherline_to_install)
foreach(target featherline featherline_python)
  if(TARGET ${target})
    add_dependencies(featherline_to_install ${target})
  endif()
endforeach()
