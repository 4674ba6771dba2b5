#include "cli/measure_size.hpp"

#include "cli/host_compiler.hpp"
#include "cli/text_table.hpp"
#include "support/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// Whether a line of -fstack-usage is about the function itself. g++ writes "arm::rnea(". clang writes a mangled name.
bool is_entry(const std::string& line, const std::string& function) {
  return line.find("::" + function + "(") != std::string::npos ||
         line.find(std::to_string(function.size()) + function + "I") != std::string::npos;
}

bool contains(const std::string& line, const char* text) { return line.find(text) != std::string::npos; }

/// Whether the function belongs to sincos on microcontrollers. An image has it once.
bool is_shared(const std::string& name) {
  return contains(name, "sincos_single") || contains(name, "reduce_far") || contains(name, "two_over_pi");
}

/// The deepest chain of calls. Lines are "place and name <tab> bytes <tab> kind". The entry function calls parts or
/// sincos, one after the other. Kinematics has two entry functions, which call the walk. A dense function that jumps to
/// the form without structural zeros has left the stack by then.
int stack_bytes(const fs::path& stack_usage, const std::string& function) {
  std::ifstream in(stack_usage);
  int entry = 0, jumped_to = 0, sincos = 0, deepest = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string place = line.substr(0, tab);
    const int bytes = std::stoi(line.substr(tab + 1));
    if (is_entry(place, function + "_nonzeros")) {
      jumped_to = bytes;
    } else if (is_entry(place, function) || contains(place, "follow_path")) {
      entry += bytes;
    } else if (is_shared(place)) {
      sincos += bytes;
    } else {
      deepest = std::max(deepest, bytes);
    }
  }
  return std::max(entry, jumped_to) + std::max(sincos, deepest);
}

using Symbols = std::map<std::string, int>;

int own_bytes(const Symbols& symbols) {
  int bytes = 0;
  for (const auto& [name, size] : symbols) bytes += is_shared(name) ? 0 : size;
  return bytes;
}

MeasuredSize measure(const fs::path& source, const std::string& function, const fs::path& folder,
                     Symbols& image) {
  const std::vector<fs::path> includes{folder, runtime_headers()};
  const fs::path fast = folder / (function + "_fast.o"), small = folder / (function + "_small.o");
  compile_object(source, includes, "-O2 -ffp-contract=fast -fstack-usage", fast);
  compile_object(source, includes, "-Os -ffp-contract=fast", small);
  fs::path usage = fast;
  usage.replace_extension(".su");
  const Symbols symbols = object_symbols(fast);
  image.insert(symbols.begin(), symbols.end());
  return {own_bytes(symbols), own_bytes(object_symbols(small)), stack_bytes(usage, function)};
}

std::string deviation(int estimate, int measured) {
  if (measured == 0) return "-";
  return fmt::format("{:+.1f} %", 100.0 * (estimate - measured) / measured);
}

}  // namespace

MeasuredSizes measure_sizes(const Emission& emission, const fs::path& folder) {
  MeasuredSizes sizes;
  Symbols image;  // the linker keeps one copy of each symbol
  for (const emit::FunctionFacts& f : emission.facts) {
    const fs::path source = folder / (emission.name + "_" + f.name + ".cpp");
    sizes.functions.push_back(measure(source, f.name, folder, image));
  }
  for (const auto& [name, size] : image) sizes.image += size;
  return sizes;
}

std::string size_table(const Emission& emission, const MeasuredSizes& sizes, const std::string& target) {
  TextTable table(
      1, {"bytes of", "  ~stack", "   stack", "  off by", "   ~code", "code -O2", "  off by", "code -Os"});
  const auto compared = [](int estimate, int measured) {
    return std::vector{std::to_string(estimate), std::to_string(measured), deviation(estimate, measured)};
  };
  const auto add = [&](const std::string& name, std::vector<std::string> cells,
                       const std::vector<std::string>& more) {
    cells.insert(cells.begin(), name);
    cells.insert(cells.end(), more.begin(), more.end());
    table.add(std::move(cells));
  };
  for (std::size_t i = 0; i < sizes.functions.size(); ++i) {
    const emit::FunctionFacts& f = emission.facts[i];
    const MeasuredSize& size = sizes.functions[i];
    std::vector<std::string> code = compared(f.code_bytes, size.code_fast);
    code.push_back(std::to_string(size.code_small));
    add(f.name, compared(f.stack_bytes, size.stack), code);
  }
  add("all together", {"", "", ""}, compared(emission.image_bytes, sizes.image));
  return table.text("") + "~ is the estimate of `generate` for " + target +
         " and -O2; the others are what the compiler made. Stack includes what is called.\n";
}

std::string manifest_with_sizes(const Emission& emission, const MeasuredSizes& sizes) {
  const auto is_manifest = [&](const emit::File& file) {
    return file.relative_name == emission.name + ".json";
  };
  const auto file = std::find_if(emission.files.begin(), emission.files.end(), is_manifest);
  Json manifest = read_json(file->content);
  for (std::size_t i = 0; i < sizes.functions.size(); ++i) {
    const MeasuredSize& size = sizes.functions[i];
    manifest["functions"][emission.facts[i].name]["measured"] = {
        {"stack_bytes", size.stack}, {"code_bytes_O2", size.code_fast}, {"code_bytes_Os", size.code_small}};
  }
  manifest["estimates"]["measured_image_bytes"] = sizes.image;
  return print_json(manifest);
}

}  // namespace featherline::cli
