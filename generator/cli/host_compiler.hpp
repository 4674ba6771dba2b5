#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The compiler of the machine the generator runs on, for `check`. It is $CXX (which may carry flags, as in make), or
/// c++.
namespace featherline::cli {

/// Whether $CXX makes code for another processor than this one. It then compiles objects only, see compile_object(),
/// and c++ compiles what is run.
bool is_cross_compiler();
/// $CXX, flags included.
std::string cross_compiler();

/// The folder that holds featherline/version.hpp: ../include beside an installed executable, else the source tree
/// this executable was built from. Throws EnvironmentError when both are gone.
std::filesystem::path runtime_headers();

/// $CXX, or c++.
std::string host_compiler();

/// One word for the shell.
std::string shell_word(const std::string& text);

/// Compiles, several sources at a time, and links C++17 into `executable`. Throws EnvironmentError with what the
/// compiler said.
void compile(const std::vector<std::filesystem::path>& sources,
             const std::vector<std::filesystem::path>& include_folders,
             const std::filesystem::path& executable);

/// Compiles one C++17 source with $CXX and further flags into `object`. Throws as compile() does.
void compile_object(const std::filesystem::path& source,
                    const std::vector<std::filesystem::path>& include_folders, const std::string& flags,
                    const std::filesystem::path& object);

/// Names and bytes of the functions and tables in an object file, by the nm of $CXX. Throws EnvironmentError when there
/// is none.
std::map<std::string, int> object_symbols(const std::filesystem::path& object);

/// Runs a program with arguments; whether it exited with 0.
bool run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace featherline::cli
