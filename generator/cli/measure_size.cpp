#include "cli/compiled_driver.hpp"

#include "cli/host_compiler.hpp"
#include "cli/output_files.hpp"
#include "cli/text_table.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

bool contains(const std::string& line, const char* text) { return line.find(text) != std::string::npos; }

/// Whether a line of -fstack-usage is about the function itself. g++ writes "arm::rnea(". clang writes a mangled name.
bool is_entry(const std::string& line, const std::string& function) {
  return line.find("::" + function + "(") != std::string::npos ||
         line.find(std::to_string(function.size()) + function + "I") != std::string::npos;
}

/// Whether it is about a function that prepares others.
bool is_prepare(const std::string& line) {
  return contains(line, "::prepare::") || contains(line, "7prepare");
}

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
    if (is_prepare(place)) continue;
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

int own_bytes(const std::map<std::string, int>& symbols) {
  int bytes = 0;
  for (const auto& [name, size] : symbols) bytes += is_shared(name) ? 0 : size;
  return bytes;
}

fs::path compiled(const Emission& emission, const std::string& function, const fs::path& folder,
                  const std::string& flags) {
  // Without the marks that prepare looks for: what is measured is what a call of the function itself takes.
  const fs::path source = folder / (emission.name + "_" + function + ".cpp"), object = source.string() + ".o";
  compile_object(source, {folder, runtime_headers()}, flags + " -ffp-contract=fast -DFEATHERLINE_PREPARE=0",
                 object);
  return object;
}

std::string deviation(int estimate, int measured) {
  if (measured == 0) return "-";
  return fmt::format("{:+.1f} %", 100.0 * (estimate - measured) / measured);
}

}  // namespace

MeasuredSize measure_size(const Emission& emission, const std::string& function, const fs::path& folder) {
  const fs::path object = compiled(emission, function, folder, "-O2 -fstack-usage");
  const fs::path usage = fs::path(object).replace_extension(".su");
  std::map<std::string, int> symbols = object_symbols(object);
  return {own_bytes(symbols), stack_bytes(usage, function), std::move(symbols)};
}

std::string measure_sizes(const Emission& emission, const fs::path& folder, const std::string& target) {
  const fs::path manifest_file = folder / (emission.name + ".json");
  Json manifest = read_json(read_whole(manifest_file).value_or(""));
  TextTable table(
      1, {"bytes of", "  ~stack", "   stack", "  off by", "   ~code", "code -O2", "  off by", "code -Os"});
  std::map<std::string, int> image;  // the linker keeps one copy of each symbol
  for (const emit::FunctionFacts& f : emission.facts) {
    const MeasuredSize size = measure_size(emission, f.name, folder);
    const int small = own_bytes(object_symbols(compiled(emission, f.name, folder, "-Os")));
    image.insert(size.symbols.begin(), size.symbols.end());
    table.add({f.name, std::to_string(f.stack_bytes), std::to_string(size.stack),
               deviation(f.stack_bytes, size.stack), std::to_string(f.code_bytes), std::to_string(size.code),
               deviation(f.code_bytes, size.code), std::to_string(small)});
    manifest["functions"][f.name]["measured"] = {
        {"stack_bytes", size.stack}, {"code_bytes_O2", size.code}, {"code_bytes_Os", small}};
  }
  int image_bytes = 0;
  for (const auto& [name, size] : image) image_bytes += size;
  table.add({"all together", "", "", "", std::to_string(emission.image_bytes), std::to_string(image_bytes),
             deviation(emission.image_bytes, image_bytes)});
  manifest["estimates"]["measured_image_bytes"] = image_bytes;
  write_files({{manifest_file, print_json(manifest)}});
  return table.text("") + "~ is the estimate of `generate` for " + target +
         " and -O2; the others are what the compiler made. Stack includes what is called.\n";
}

}  // namespace featherline::cli
