#pragma once

#include "cli/commands.hpp"
#include "cli/output_files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace featherline::test {

struct Answer {
  int exit_code = 0;
  std::string out, err;
};

/// The whole program in this process.
inline Answer run_featherline(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int exit_code = cli::run(arguments, out, err);
  return {exit_code, out.str(), err.str()};
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Names of everything in a folder, hidden files included, but for the lock of a temporary folder.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != ".lock") names.push_back(entry.path().filename());
  }
  return names;
}

inline constexpr const char* planar3 = "robots/planar3.urdf";

}  // namespace featherline::test
