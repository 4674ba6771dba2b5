#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// The compiler of the machine the generator runs on, for `check`. It is $CXX (which may carry flags, as in make), or
/// c++.
namespace featherline::cli {

/// The folder that holds featherline/version.hpp: ../include beside an installed executable, else the source tree
/// this executable was built from. Throws EnvironmentError when both are gone.
std::filesystem::path runtime_headers();

/// $CXX, or c++.
std::string host_compiler();

/// One word for the shell.
std::string shell_word(const std::string& text);

/// Compiles, several sources at a time, and links C++17 into `executable`. Throws EnvironmentError with what the compiler said.
void compile(const std::vector<std::filesystem::path>& sources,
             const std::vector<std::filesystem::path>& include_folders,
             const std::filesystem::path& executable);

/// Compiles one C++17 source with further flags into `object`. Throws as compile() does.
void compile_object(const std::filesystem::path& source,
                    const std::vector<std::filesystem::path>& include_folders, const std::string& flags,
                    const std::filesystem::path& object);

/// Bytes of the functions and tables in an object file, by nm. Throws EnvironmentError when there is no nm.
int object_code_bytes(const std::filesystem::path& object);

/// Runs a program with arguments; whether it exited with 0.
bool run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace featherline::cli
