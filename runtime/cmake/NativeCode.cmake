# add_robot_dynamics(... NATIVE) compiles the library for the processor of the machine that compiles it, with all
# instructions that this processor has:
#
#   processor  flag of g++ and clang
#   x86        -march=native
#   others     -mcpu=native, as on 64-bit ARM
#
# What to know before you use it:
# - A program that links the library runs on this model of processor, and on models that have all its instructions.
#   On others it stops with "illegal instruction". Do not use NATIVE for what you ship or copy to the robot's computer.
# - The last digits of results may differ between machines, because some have fused multiply-add and others do not.
# - It is for the library alone. Your own sources keep your flags, and so does what they instantiate: templates of
#   <NAME>.ipp for other scalars, and <NAME>_eigen.hpp.
# - Your own sources need no such flag. The alignment of Eigen's types depends on the flags, but no such type goes into
#   the library: its functions take pointers to numbers, which need no more alignment than a number. Only sources of
#   yours that exchange Eigen's types, or link another library that does, have to agree about -march.
# - Batches choose AVX2 or AVX-512 when they run, with and without NATIVE. Only the code for processors that have
#   neither, vectors of 16 bytes, is compiled with the flag.
# - It stands behind CMAKE_CXX_FLAGS, so it counts more than an -march in there.
# - It is an error when you cross-compile. Name the processor of the robot in CMAKE_CXX_FLAGS then.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)

# The flag for NATIVE; an error where there is none.
function(_featherline_native_flag result where)
  if(CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "${where}: NATIVE means the processor of this machine, but the code is for another one "
                        "(${CMAKE_SYSTEM_PROCESSOR}); leave out NATIVE and name that processor in CMAKE_CXX_FLAGS, "
                        "such as -mcpu=cortex-a72")
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|[Aa][Mm][Dd]64|i[3-6]86)$")
    set(flag -march=native)
  else()
    set(flag -mcpu=native)
  endif()
  check_cxx_compiler_flag(${flag} FEATHERLINE_HAS_NATIVE_FLAG)
  if(NOT FEATHERLINE_HAS_NATIVE_FLAG)
    message(FATAL_ERROR "${where}: NATIVE: the compiler ${CMAKE_CXX_COMPILER} does not know ${flag}; leave out NATIVE "
                        "and name the processor in CMAKE_CXX_FLAGS")
  endif()
  set(${result} ${flag} PARENT_SCOPE)
endfunction()
