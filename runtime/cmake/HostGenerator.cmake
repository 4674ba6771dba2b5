# Cross-compiling with Featherline in the same tree: the generator has to run here, so it is built by an inner
# build with the host's own compiler. FEATHERLINE_HOST_CXX names that compiler if the default is not the one.
include(ExternalProject)

set(FEATHERLINE_HOST_CXX "" CACHE FILEPATH "Compiler for programs that run on this machine; empty: CMake's default")
set(host_directory ${CMAKE_CURRENT_BINARY_DIR}/featherline-host)
set(host_arguments -DCMAKE_BUILD_TYPE=Release -DFEATHERLINE_TESTS=OFF
                   -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${host_directory}/bin
                   -DCMAKE_RUNTIME_OUTPUT_DIRECTORY_RELEASE=${host_directory}/bin)
if(FEATHERLINE_HOST_CXX)
  list(APPEND host_arguments -DCMAKE_CXX_COMPILER=${FEATHERLINE_HOST_CXX})
endif()
if(CMAKE_CXX_COMPILER_LAUNCHER)
  list(APPEND host_arguments -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
set(host_executable ${host_directory}/bin/featherline)

# The cross compiler's settings in the environment are not for the host.
set(host_environment ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX --unset=CFLAGS --unset=CXXFLAGS
                     --unset=LDFLAGS --unset=CMAKE_TOOLCHAIN_FILE)
ExternalProject_Add(featherline_host
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${host_directory}
  CONFIGURE_COMMAND ${host_environment} ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S <SOURCE_DIR> -B <BINARY_DIR>
                    ${host_arguments}
  BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --config Release --target featherline
  INSTALL_COMMAND ""
  BUILD_ALWAYS ON
  BUILD_BYPRODUCTS ${host_executable})
set_target_properties(featherline_host PROPERTIES FEATHERLINE_EXECUTABLE ${host_executable})
