#include "cli/compilers.hpp"

#include "cli/output_files.hpp"
#include "option_types.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// What a command prints, up to the end of the first line; empty if the command fails.
std::string first_output(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return "";
  char line[4096] = "";
  std::string text = std::fgets(line, sizeof line, pipe) != nullptr ? line : "";
  if (pclose(pipe) != 0) return "";
  return text.substr(0, text.find('\n'));
}

/// "arm" of "arm-none-eabi".
std::string processor(const std::string& compiler) {
  const std::string machine = first_output(compiler + " -dumpmachine");
  return machine.substr(0, machine.find('-'));
}

std::string first_lines(const fs::path& file, int count) {
  std::ifstream in(file);
  std::string text;
  for (std::string line; count > 0 && std::getline(in, line); --count) text += "\n  " + line;
  return text;
}

void run_compiler(const std::string& compiler, const std::string& flags, const std::vector<fs::path>& sources,
                  const std::vector<fs::path>& include_folders, const fs::path& result) {
  const fs::path log = result.string() + ".log";
  std::string command = compiler + " -std=c++17 " + flags + " -o " + shell_word(result.string());
  for (const fs::path& folder : include_folders) command += " -I " + shell_word(folder.string());
  for (const fs::path& source : sources) command += " " + shell_word(source.string());
  command += " >" + shell_word(log.string()) + " 2>&1";
  if (std::system(command.c_str()) == 0) return;
  throw EnvironmentError("the host compiler " + featherline::in_quotes(compiler) +
                         " failed; set CXX to one that compiles C++17. It said:" + first_lines(log, 20));
}

/// At most so many compilers run at a time, because a large function takes a gigabyte each.
constexpr unsigned most_compilers = 4;

/// Compiles each source to an object file beside it. Stops at the first failure.
std::vector<fs::path> compile_objects(const std::vector<fs::path>& sources,
                                      const std::vector<fs::path>& include_folders,
                                      const std::string& flags) {
  std::vector<fs::path> objects;
  for (const fs::path& source : sources) objects.emplace_back(source.string() + ".o");
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < sources.size(); i = next++) {
      try {
        run_compiler(host_compiler(), flags + " -c", {sources[i]}, include_folders, objects[i]);
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

std::string chosen_compiler() {
  const char* chosen = std::getenv("CXX");
  return chosen != nullptr && *chosen != '\0' ? chosen : "c++";
}

bool is_cross_compiler() {
  const std::string chosen = processor(chosen_compiler()), host = processor("c++");
  return !chosen.empty() && !host.empty() && chosen != host;
}

std::string compiler_version() { return first_output(host_compiler() + " --version"); }

fs::path runtime_headers() {
  const fs::path marker = fs::path("featherline") / "version.hpp";
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) throw EnvironmentError("/proc/self/exe cannot be read, and the runtime headers are found by it");
  const fs::path installed = folder.parent_path() / "include";
  if (fs::exists(installed / marker)) return installed;
  std::string source_tree;
  std::ifstream note(folder / "featherline_headers");
  if (std::getline(note, source_tree) && fs::exists(source_tree / marker)) return source_tree;
  throw EnvironmentError("the runtime headers are not in " + featherline::in_quotes(installed.string()) +
                         (source_tree.empty() ? "" : " and not in " + featherline::in_quotes(source_tree)) +
                         "; install featherline again");
}

void compile(const std::vector<fs::path>& sources, const std::vector<fs::path>& include_folders,
             const fs::path& executable, const std::string& flags) {
  run_compiler(host_compiler(), flags, compile_objects(sources, include_folders, flags), {}, executable);
}

void compile_object(const fs::path& source, const std::vector<fs::path>& include_folders,
                    const std::string& flags, const fs::path& object) {
  run_compiler(chosen_compiler(), flags + " -c", {source}, include_folders, object);
}

std::map<std::string, int> object_symbols(const fs::path& object) {
  const fs::path list = object.string() + ".nm";
  const std::string found = first_output(chosen_compiler() + " -print-prog-name=nm");
  const std::string command = (found.empty() ? "nm" : found) + " -S " + shell_word(object.string()) + " >" +
                              shell_word(list.string());
  if (std::system(command.c_str()) != 0) {
    throw EnvironmentError("nm failed, which tells the size of compiled functions; install binutils");
  }
  std::ifstream in(list);
  std::map<std::string, int> symbols;
  for (std::string line; std::getline(in, line);) {  // each line has address, size, kind, name
    std::istringstream words(line);
    std::string address, size, kind, name;
    if (!(words >> address >> size >> kind >> name)) continue;
    // Functions, and tables that have a name. Literal constants have none.
    if (std::string("tTwWrRuvV").find(kind) != std::string::npos)
      symbols[name] = std::stoi(size, nullptr, 16);
  }
  return symbols;
}

}  // namespace featherline::cli
