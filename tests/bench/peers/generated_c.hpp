#pragma once

#include <map>
#include <string>

namespace featherline::bench {

using CSources = std::map<std::string, std::string>;  ///< text by file name

/// Compiles the sources to a library, with -O3 -march=native, and returns the address of `function` in it. The library
/// stays in the build folder, named by `name`, the text and the compiler, and is taken from there in later runs. Throws
/// std::runtime_error if the compiler fails.
void* compile_c(const std::string& name, const CSources& sources, const std::string& function);

}  // namespace featherline::bench
