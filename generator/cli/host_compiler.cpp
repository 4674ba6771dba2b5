#include "cli/host_compiler.hpp"

#include "cli/environment_error.hpp"
#include "diagnostic.hpp"

#include <cstdlib>
#include <fstream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// One word for the shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string host_compiler() {
  const char* chosen = std::getenv("CXX");
  return chosen != nullptr && *chosen != '\0' ? chosen : "c++";
}

std::string first_lines(const fs::path& file, int count) {
  std::ifstream in(file);
  std::string text;
  for (std::string line; count > 0 && std::getline(in, line); --count) text += "\n  " + line;
  return text;
}

}  // namespace

fs::path runtime_headers() {
  const fs::path marker = fs::path("featherline") / "version.hpp";
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = executable.parent_path().parent_path() / "include";
  if (!error && fs::exists(installed / marker)) return installed;
  const fs::path built_from = FEATHERLINE_RUNTIME_FOLDER;
  if (fs::exists(built_from / marker)) return built_from;
  throw EnvironmentError("the runtime headers are neither in " + featherline::quoted(installed.string()) +
                         " nor in " + featherline::quoted(built_from.string()) +
                         "; install featherline again");
}

void compile(const std::vector<fs::path>& sources, const std::vector<fs::path>& include_folders,
             const fs::path& executable) {
  const fs::path log = executable.string() + ".log";
  std::string command = host_compiler() + " -std=c++17 -O1 -o " + shell_word(executable.string());
  for (const fs::path& folder : include_folders) command += " -I " + shell_word(folder.string());
  for (const fs::path& source : sources) command += " " + shell_word(source.string());
  command += " >" + shell_word(log.string()) + " 2>&1";
  if (std::system(command.c_str()) == 0) return;
  throw EnvironmentError("the host compiler " + featherline::quoted(host_compiler()) +
                         " failed; set CXX to one that compiles C++17. It said:" + first_lines(log, 20));
}

bool run_program(const fs::path& program, const std::vector<std::string>& arguments) {
  std::string command = shell_word(program.string());
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  return std::system(command.c_str()) == 0;
}

}  // namespace featherline::cli
