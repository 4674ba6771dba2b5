#include "cli/compilers.hpp"

#include "catalog/functions.hpp"
#include "cli/output_files.hpp"
#include "emit/function_files.hpp"
#include "option_types.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <utility>

namespace featherline::cli {

namespace fs = std::filesystem;

std::string input_types(const model::Tree& tree) {
  std::vector<std::size_t> sizes;
  std::vector<std::string> pointers, starts;
  for (const catalog::Argument& input : catalog::inputs()) {
    starts.push_back(fmt::format("start({})", sizes.size()));
    sizes.push_back(static_cast<std::size_t>(input.shape.size(catalog::sizes_of(tree))));
    pointers.push_back("*" + input.name);
  }
  return fmt::format(R"(constexpr std::size_t num_inputs = {}, input_sizes[] = {{{}}}, state_size = {};

template <class S>
struct Inputs {{
  const S {};
}};

template <class S, class Start>
Inputs<S> make_inputs(Start start) {{
  return {{{}}};
}}

)",
                     sizes.size(), fmt::join(sizes, ", "),
                     std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), fmt::join(pointers, ", "),
                     fmt::join(starts, ", "));
}

std::string call_arguments(const catalog::FunctionSpec& function, const model::Tree& tree,
                           const std::function<std::string(std::size_t)>& output, const std::string& link,
                           const std::string& frame, bool is_batch) {
  std::size_t k = 0;
  return emit::argument_list(emit::make_signature(function, &tree), [&](const emit::Parameter& p) {
    if (p.kind == emit::ParameterKind::input)
      return (p.is_number() && !is_batch ? "*x." : "x.") + catalog::input_in_states(p.name).name;
    if (p.kind == emit::ParameterKind::output) return output(k++);
    if (p.kind == emit::ParameterKind::steps) return std::string("1");
    return p.kind == emit::ParameterKind::link ? link : frame;
  });
}

std::vector<reference::State> random_states(const model::UserTree& tree, std::uint32_t seed, int count) {
  std::mt19937 random(seed);
  std::vector<reference::State> states;
  for (int k = 0; k < count; ++k) states.push_back(reference::random_state(tree, random));
  return states;
}

std::vector<fs::path> write_emitted(const std::vector<emit::File>& files, const fs::path& folder) {
  std::vector<OutputFile> written;
  std::vector<fs::path> sources;
  for (const emit::File& file : files) {
    written.push_back({folder / file.relative_name, file.content});
    if (written.back().path.extension() == ".cpp") sources.push_back(written.back().path);
  }
  write_files(written);
  return sources;
}

fs::path run_driver(const fs::path& folder, const std::vector<emit::File>& files, const std::string& driver,
                    const std::string& flags, const std::vector<reference::State>& states, Progress& progress,
                    const std::set<std::string>& included) {
  std::vector<fs::path> sources = write_emitted(files, folder);
  std::erase_if(sources, [&](const fs::path& source) { return included.contains(source.filename()); });
  const fs::path source = folder / "featherline_driver.cpp", program = folder / "driver";
  const fs::path state_file = folder / "states.bin", results = folder / "results";
  std::string bytes;
  for (const reference::State& state : states) {
    for (const catalog::Argument& input : catalog::inputs()) {
      const Eigen::VectorXd& values = state.*input.in_state;
      bytes.append(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::size_t>(values.size()) * sizeof(double));
    }
  }
  write_files({{source, driver}, {state_file, bytes}});
  sources.insert(sources.begin(), source);
  progress.show(fmt::format("compiling {} files", sources.size()));
  compile(sources, {folder, runtime_headers()}, program, flags);
  progress.show("running");
  const std::string command = fmt::format("{} {} {}", shell_word(program.string()),
                                          shell_word(state_file.string()), shell_word(results.string()));
  if (std::system(command.c_str()) != 0)
    throw InternalError("the compiled driver in " + folder.string() + " failed");
  return results;
}

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
