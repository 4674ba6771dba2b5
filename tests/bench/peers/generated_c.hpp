#pragma once

#include <map>
#include <string>

namespace featherline::bench {

using CSources = std::map<std::string, std::string>;  ///< text by file name

/// Compiles the sources to a library, with -O3 -march=native, and returns the address of `function` in it. The library
/// stays in the build folder, under a name made of `name`, of a hash of `origin` and of the compiler. Later runs take
/// it from there without a look at the sources, so `origin` must hold all that decides them. Throws std::runtime_error
/// if the compiler fails.
void* compile_c(const std::string& name, const std::string& origin, const CSources& sources,
                const std::string& function);

}  // namespace featherline::bench
