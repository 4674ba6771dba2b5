#include "cli/host_compiler.hpp"

#include "cli/environment_error.hpp"
#include "diagnostic.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

std::string first_lines(const fs::path& file, int count) {
  std::ifstream in(file);
  std::string text;
  for (std::string line; count > 0 && std::getline(in, line); --count) text += "\n  " + line;
  return text;
}

void run_compiler(const std::string& flags, const std::vector<fs::path>& sources,
                  const std::vector<fs::path>& include_folders, const fs::path& result) {
  const fs::path log = result.string() + ".log";
  std::string command = host_compiler() + " -std=c++17 " + flags + " -o " + shell_word(result.string());
  for (const fs::path& folder : include_folders) command += " -I " + shell_word(folder.string());
  for (const fs::path& source : sources) command += " " + shell_word(source.string());
  command += " >" + shell_word(log.string()) + " 2>&1";
  if (std::system(command.c_str()) == 0) return;
  throw EnvironmentError("the host compiler " + featherline::quoted(host_compiler()) +
                         " failed; set CXX to one that compiles C++17. It said:" + first_lines(log, 20));
}

/// At most so many compilers at a time: large functions take a gigabyte each.
constexpr unsigned most_compilers = 4;

/// Object files beside their sources. Compiling ends early where one fails.
std::vector<fs::path> compile_objects(const std::vector<fs::path>& sources,
                                      const std::vector<fs::path>& include_folders,
                                      const std::string& flags) {
  std::vector<fs::path> objects;
  for (const fs::path& source : sources) objects.emplace_back(source.string() + ".o");
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < sources.size(); i = next++) {
      try {
        compile_object(sources[i], include_folders, flags, objects[i]);
      } catch (...) {
        next = sources.size();
        throw;
      }
    }
  };
  const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1u, most_compilers);
  std::vector<std::future<void>> compilers;
  for (unsigned k = 0; k < count; ++k) compilers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& compiler : compilers) compiler.get();
  return objects;
}

}  // namespace

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string host_compiler() {
  const char* chosen = std::getenv("CXX");
  return chosen != nullptr && *chosen != '\0' ? chosen : "c++";
}

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
  run_compiler("-O1", compile_objects(sources, include_folders, "-O1"), {}, executable);
}

void compile_object(const fs::path& source, const std::vector<fs::path>& include_folders,
                    const std::string& flags, const fs::path& object) {
  run_compiler(flags + " -c", {source}, include_folders, object);
}

int object_code_bytes(const fs::path& object) {
  const fs::path list = object.string() + ".nm";
  const std::string command = "nm -S " + shell_word(object.string()) + " >" + shell_word(list.string());
  if (std::system(command.c_str()) != 0) {
    throw EnvironmentError("nm failed, which tells the size of compiled functions; install binutils");
  }
  std::ifstream in(list);
  int bytes = 0;
  for (std::string line; std::getline(in, line);) {  // address, size, kind, name
    std::istringstream words(line);
    std::string address, size, kind, name;
    if (!(words >> address >> size >> kind >> name)) continue;
    // Functions, and tables by name; literal constants have none.
    if (std::string("tTwWrRuvV").find(kind) != std::string::npos) bytes += std::stoi(size, nullptr, 16);
  }
  return bytes;
}

bool run_program(const fs::path& program, const std::vector<std::string>& arguments) {
  std::string command = shell_word(program.string());
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  return std::system(command.c_str()) == 0;
}

}  // namespace featherline::cli
