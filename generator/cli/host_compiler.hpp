#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The compiler of the machine that the generator runs on, for `check`. It is $CXX (which may carry flags, as in make),
/// or c++ if $CXX is not set.
namespace featherline::cli {

/// Whether $CXX makes code for a processor other than this one. If so, it only compiles objects (compile_object()), and
/// c++ compiles the programs that are run.
bool is_cross_compiler();
/// $CXX with its flags, or c++.
std::string chosen_compiler();

/// The folder that holds featherline/version.hpp. It is ../include beside an installed executable. In a build tree the
/// file featherline_headers beside the executable names it. Throws EnvironmentError if neither is there.
std::filesystem::path runtime_headers();

/// $CXX, or c++ if $CXX is not set or makes code for another processor.
inline std::string host_compiler() { return is_cross_compiler() ? "c++" : chosen_compiler(); }

/// What host_compiler() says of itself: "g++ (Debian 12.2.0-14) 12.2.0".
std::string compiler_version();

/// Compiles the sources as C++17 with these flags, several at a time, and links them into `executable`. The object of
/// a source is beside it, with ".o" behind its name. Throws EnvironmentError with the compiler's messages.
void compile(const std::vector<std::filesystem::path>& sources,
             const std::vector<std::filesystem::path>& include_folders,
             const std::filesystem::path& executable, const std::string& flags);

/// Compiles one C++17 source into `object`, with $CXX and further flags. Throws as compile() does.
void compile_object(const std::filesystem::path& source,
                    const std::vector<std::filesystem::path>& include_folders, const std::string& flags,
                    const std::filesystem::path& object);

/// Names and bytes of the functions and tables in an object file, from the nm that belongs to $CXX. Throws
/// EnvironmentError if there is none.
std::map<std::string, int> object_symbols(const std::filesystem::path& object);

}  // namespace featherline::cli
