#pragma once

#include "emit/emit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// Compiling and running emitted text from a test.
namespace compile {

/// The compilers found when the tests were configured.
inline std::vector<std::string> compilers() {
  std::vector<std::string> found;
  std::istringstream list(FEATHERLINE_TEST_COMPILERS);
  for (std::string path; std::getline(list, path, ':');) {
    if (!path.empty() && path.find("NOTFOUND") == path.npos) found.push_back(path);
  }
  return found;
}

/// What user code is compiled with: every warning of the contract is an error.
inline std::string warning_flags() {
  return std::string(
             " -std=c++17 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Wdouble-promotion -Werror -I ") +
         FEATHERLINE_RUNTIME_DIR + " -isystem " + FEATHERLINE_EIGEN_DIR;
}

/// A new folder that goes with the object.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "featherline-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name) << content;
  }
  void write(const std::vector<featherline::emit::File>& files) const {
    for (const auto& file : files) write(file.relative_name, file.content);
  }
  /// The same with few sources, because most of what one costs to compile is what it includes: all functions together,
  /// and of batches those for one set of instructions. What includes the header comes apart from what it declares.
  void write_together(const std::vector<featherline::emit::File>& files) const {
    std::map<std::string, std::string> together;
    for (const auto& [name, content] : files) {
      if (name.size() < 4 || name.substr(name.size() - 4) != ".cpp") {
        write(name, content);
        continue;
      }
      std::string kind = name.find("_batch_") != name.npos ? "batch" : "functions";
      for (const char* last : {"_avx2", "_avx512", "_c"}) {
        if (name.find(last + std::string(".cpp")) != name.npos) kind = last;
      }
      together[name.substr(0, name.find('_')) + kind + ".cpp"] += "#line 1 \"" + name + "\"\n" + content;
    }
    for (const auto& [name, content] : together) write(name, content);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Runs a command in the folder; a failure fails the test and shows what the command printed.
inline std::string run(const Folder& folder, const std::string& command) {
  const std::string full = "cd " + folder.path() + " && " + command + " 2>&1";
  FILE* pipe = popen(full.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), n);
  const int status = pclose(pipe);
  INFO(command << "\n" << output);
  REQUIRE(status == 0);
  return output;
}

}  // namespace compile
