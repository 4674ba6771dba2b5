#include "cli/measure_size.hpp"

#include "cli/host_compiler.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// Whether a line of -fstack-usage is about the function itself: g++ writes "arm::rnea(", clang a mangled name.
bool is_entry(const std::string& line, const std::string& function) {
  return line.find("::" + function + "(") != std::string::npos ||
         line.find(std::to_string(function.size()) + function + "I") != std::string::npos;
}

/// Lines are "place and name <tab> bytes <tab> kind".
int stack_bytes(const fs::path& stack_usage, const std::string& function) {
  std::ifstream in(stack_usage);
  int entry = 0, deepest = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    int& largest = is_entry(line.substr(0, tab), function) ? entry : deepest;
    largest = std::max(largest, std::stoi(line.substr(tab + 1)));
  }
  return entry + deepest;
}

MeasuredSize measure(const fs::path& source, const std::string& function, const fs::path& folder) {
  const std::vector<fs::path> includes{folder, runtime_headers()};
  const fs::path fast = folder / (function + "_fast.o"), small = folder / (function + "_small.o");
  compile_object(source, includes, "-O2 -ffp-contract=fast -fstack-usage", fast);
  compile_object(source, includes, "-Os -ffp-contract=fast", small);
  fs::path usage = fast;
  usage.replace_extension(".su");
  return {object_code_bytes(fast), object_code_bytes(small), stack_bytes(usage, function)};
}

}  // namespace

std::vector<MeasuredSize> measure_sizes(const Emission& emission, const fs::path& folder) {
  std::vector<MeasuredSize> sizes;
  for (const emit::FunctionFacts& f : emission.facts) {
    sizes.push_back(measure(folder / (emission.name + "_" + f.name + ".cpp"), f.name, folder));
  }
  return sizes;
}

std::string size_table(const Emission& emission, const std::vector<MeasuredSize>& sizes) {
  std::size_t width = std::string_view("bytes of").size();
  for (const emit::FunctionFacts& f : emission.facts) width = std::max(width, f.name.size());
  std::string table = fmt::format("{:<{}}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}\n", "bytes of", width, "~stack",
                                  "stack", "~code", "code -O2", "code -Os");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const emit::FunctionFacts& f = emission.facts[i];
    table += fmt::format("{:<{}}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}\n", f.name, width, f.stack_bytes,
                         sizes[i].stack, f.code_bytes, sizes[i].code_fast, sizes[i].code_small);
  }
  return table +
         "~ is the estimate of `generate`; the others are what the host compiler made, sincos included\n";
}

std::string manifest_with_sizes(const Emission& emission, const std::vector<MeasuredSize>& sizes) {
  const auto is_manifest = [&](const emit::File& file) {
    return file.relative_name == emission.name + ".json";
  };
  const auto file = std::find_if(emission.files.begin(), emission.files.end(), is_manifest);
  auto manifest = nlohmann::ordered_json::parse(file->content);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    manifest["functions"][emission.facts[i].name]["measured"] = {{"stack_bytes", sizes[i].stack},
                                                                 {"code_bytes_O2", sizes[i].code_fast},
                                                                 {"code_bytes_Os", sizes[i].code_small}};
  }
  return manifest.dump(2) + "\n";
}

}  // namespace featherline::cli
