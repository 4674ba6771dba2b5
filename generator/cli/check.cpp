#include "cli/check_driver.hpp"
#include "cli/commands.hpp"
#include "cli/host_compiler.hpp"
#include "cli/measure_size.hpp"
#include "cli/output_folder.hpp"
#include "cli/progress.hpp"
#include "cli/read_input.hpp"
#include "cli/report.hpp"
#include "cli/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ostream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

constexpr double largest_allowed = 1e-10;

/// What a function's worst state and output entry were.
struct Worst {
  double error = 0.0;
  int state = 0;
  std::string entry = "-";
};

/// How many states a function is compared at: as asked for, or fewer the longer its reference takes.
int state_count(const Options& options, const algorithms::Algorithm& algorithm) {
  if (options.states > 0) return options.states;
  if (algorithm.group == "second-order") return 2;
  return algorithm.group == "derivatives" ? 10 : 100;
}

/// Fewer states where all results together would pass 320 MB (100,000 links).
void limit_states(std::vector<CheckedFunction>& functions) {
  constexpr std::size_t most_numbers = 40'000'000;
  std::size_t numbers = 1;
  for (const CheckedFunction& function : functions) numbers += function.total_size();
  const int most = std::max(2, static_cast<int>(most_numbers / numbers));
  for (CheckedFunction& function : functions) function.states = std::min(function.states, most);
}

std::vector<CheckedFunction> find_functions(const Options& options, const model::Tree& tree) {
  std::mt19937 random(options.seed);
  const reference::State any = reference::random_state(tree, random);
  std::vector<CheckedFunction> functions;
  const auto add = [&](const algorithms::Algorithm& algorithm, const std::string& name, bool packed) {
    const auto& asked = options.functions;
    if (std::find(asked.begin(), asked.end(), name) == asked.end()) return;
    const reference::OutputFunction* judge = reference::find_outputs(algorithm.name);
    if (judge == nullptr) throw InternalError("no reference for " + algorithm.name);
    functions.push_back({name, packed, &algorithm, judge, state_count(options, algorithm), {}});
    for (const auto& output : judge->compute(tree, any))
      functions.back().sizes.push_back(output.values.size());
  };
  for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
    add(algorithm, algorithm.name, false);
    if (algorithms::has_packed_form(algorithm)) add(algorithm, algorithms::packed_name(algorithm), true);
  }
  if (options.states == 0) limit_states(functions);
  return functions;
}

std::vector<reference::State> make_states(const model::Tree& tree,
                                          const std::vector<CheckedFunction>& functions, std::uint32_t seed) {
  int count = 0;
  for (const CheckedFunction& function : functions) count = std::max(count, function.states);
  std::mt19937 random(seed);
  std::vector<reference::State> states;
  for (int k = 0; k < count; ++k) states.push_back(reference::random_state(tree, random));
  return states;
}

Emission emit_checked(const Options& options, const Robot& robot, Progress& progress) {
  Observer observer;
  observer.progress = [&progress](const std::string& what) { progress.show(what); };
  EmitOptions emit_options{options.name, options.functions, options.formulations, options.scalars,
                           options_in_effect(options)};
  emit_options.target = options.target;
  return emit_robot(robot, emit_options, observer);
}

/// What --size estimates for: as asked for, or what a cross compiler in $CXX is told to make code for.
passes::Target size_target(const Options& options) {
  if (options.target) return *options.target;
  if (!is_cross_compiler()) return passes::usual_target(options.scalars);
  return cross_compiler().find("cortex-m4") == std::string::npos ? passes::Target::cortex_m7
                                                                 : passes::Target::cortex_m4f;
}

/// Writes all files to the folder and compiles; the path of the driver.
fs::path build_driver(const Emission& emission, const model::Tree& tree,
                      const std::vector<CheckedFunction>& functions, const fs::path& folder,
                      Progress& progress) {
  std::vector<OutputFile> files;
  std::vector<fs::path> sources{folder / "featherline_check_driver.cpp"};
  files.push_back({sources.front(), driver_source(emission.name, tree, functions)});
  for (const emit::File& file : emission.files) {
    files.push_back({folder / file.relative_name, file.content});
    if (files.back().path.extension() == ".cpp") sources.push_back(files.back().path);
  }
  write_atomically(files);
  progress.show("compiling");
  const fs::path driver = folder / "driver";
  compile(sources, {folder, runtime_headers()}, driver);
  return driver;
}

/// What sizes are measured of: what is compared; with a cross compiler, or for a microcontroller, another emission in
/// float.
Emission emit_measured(const Options& options, const Robot& robot, const Emission& compared,
                       const fs::path& folder, Progress& progress) {
  const passes::Target target = size_target(options);
  if (!passes::is_cortex_m(target)) return compared;
  if (!is_cross_compiler()) {
    throw UsageError("--target " + passes::name(target) +
                     " with --size needs a cross compiler; set CXX, as in "
                     "CXX='arm-none-eabi-g++ -mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -mthumb'");
  }
  Options in_float = options;
  in_float.scalars = {"float"};
  in_float.target = target;
  Emission emission = emit_checked(in_float, robot, progress);
  std::vector<OutputFile> files;
  for (const emit::File& file : emission.files) files.push_back({folder / file.relative_name, file.content});
  write_atomically(files);
  return emission;
}

/// The table of --size; the manifest in the folder learns the figures, too.
std::string measure(const Options& options, const Robot& robot, const Emission& compared,
                    const fs::path& folder, Progress& progress) {
  const Emission emission = emit_measured(options, robot, compared, folder, progress);
  progress.show("measuring");
  const MeasuredSizes sizes = measure_sizes(emission, folder);
  write_atomically({{folder / (emission.name + ".json"), manifest_with_sizes(emission, sizes)}});
  const std::string by =
      is_cross_compiler() ? "compared with the host's c++, measured with " + cross_compiler() + "\n" : "";
  return by + size_table(emission, sizes, passes::name(size_target(options)));
}

void write_states(const fs::path& file, const std::vector<reference::State>& states) {
  std::string bytes;
  for (const reference::State& state : states) {
    const std::vector<double> values = flatten(state);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  }
  write_atomically({{file, bytes}});
}

/// Compares one state's outputs of one function, which lie at `found`.
void compare_state(const CheckedFunction& function, const model::Tree& tree, const reference::State& state,
                   const double* found, int index, Worst& worst) {
  const reference::OutputFunction& judge = *function.reference;
  const reference::Outputs expected = judge.compute(tree, state);
  reference::Outputs emitted;
  for (const reference::OutputArray& array : expected) {
    emitted.push_back({array.name, {found, found + array.values.size()}});
    found += array.values.size();
  }
  const reference::OutputError error =
      reference::compare(judge.compared(state, emitted), judge.compared(state, expected));
  if (error.relative > worst.error) worst = {error.relative, index, error.entry};
}

std::vector<Worst> compare_all(const model::Tree& tree, const std::vector<CheckedFunction>& functions,
                               const std::vector<reference::State>& states, const fs::path& results,
                               Progress& progress) {
  std::ifstream in(results, std::ios::binary);
  std::vector<Worst> worst(functions.size());
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (s % 100 == 0) progress.show(fmt::format("comparing state {}", s));
    for (std::size_t f = 0; f < functions.size(); ++f) {
      std::vector<double> found(functions[f].total_size());
      in.read(reinterpret_cast<char*>(found.data()),
              static_cast<std::streamsize>(found.size() * sizeof(double)));
      if (!in) throw InternalError("the driver wrote fewer results than states");
      if (static_cast<int>(s) >= functions[f].states) continue;
      compare_state(functions[f], tree, states[s], found.data(), static_cast<int>(s), worst[f]);
    }
  }
  return worst;
}

/// Prints the table; whether every function agrees.
bool print_table(const std::vector<CheckedFunction>& functions, const std::vector<Worst>& worst,
                 std::ostream& out) {
  std::size_t width = 8;
  for (const CheckedFunction& function : functions) width = std::max(width, function.name.size());
  out << fmt::format("{:<{}}  {:>6}  {:>14}  worst entry\n", "function", width, "states", "relative error");
  bool all_agree = true;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const bool agrees = worst[f].error <= largest_allowed;
    all_agree = all_agree && agrees;
    out << fmt::format("{:<{}}  {:>6}  {:>14.1e}  {} of state {}{}\n", functions[f].name, width,
                       functions[f].states, worst[f].error, worst[f].entry, worst[f].state,
                       agrees ? "" : "  FAILED");
  }
  out << fmt::format("{}: max |x - ref| / max(1, max |ref|) is allowed up to {:.0e}\n",
                     all_agree ? "agreed" : "DISAGREED", largest_allowed);
  return all_agree;
}

bool check_one(const Options& asked, std::ostream& out, FindingsLog& log) {
  Diagnostics findings;
  const Robot robot = read_input(asked, findings);
  const Options options = with_existing_functions(asked, robot, findings);
  settle_findings(options, findings, log);
  const std::vector<CheckedFunction> functions = find_functions(options, robot.tree);
  const std::vector<reference::State> states = make_states(robot.tree, functions, options.seed);

  TemporaryFolder folder;
  if (options.keep) folder.keep();
  Progress progress;
  const Emission emission = emit_checked(options, robot, progress);
  const fs::path driver = build_driver(emission, robot.tree, functions, folder.path(), progress);
  const fs::path state_file = folder.path() / "states.bin", result_file = folder.path() / "results.bin";
  write_states(state_file, states);
  progress.show("running");
  if (!run_program(driver, {state_file.string(), result_file.string(), std::to_string(states.size())})) {
    throw InternalError("the compiled driver in " + folder.path().string() + " failed");
  }
  const std::vector<Worst> worst = compare_all(robot.tree, functions, states, result_file, progress);
  const std::string sizes = options.size ? measure(options, robot, emission, folder.path(), progress) : "";
  progress.clear();
  if (options.inputs.size() > 1)
    out << fmt::format("robot {} ({})\n", featherline::quoted(robot.tree.name), robot.description.file);
  if (options.keep) out << "files are in " << folder.path().string() << '\n';
  const bool agrees = print_table(functions, worst, out);
  out << sizes;
  return agrees;
}

}  // namespace

bool check(const Options& options, std::ostream& out, FindingsLog& log) {
  bool first = true;
  return for_each_input(options, log, [&](const Options& one) {
    if (!first) out << std::endl;
    first = false;
    return check_one(one, out, log);
  });
}

}  // namespace featherline::cli
