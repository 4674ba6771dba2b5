#include "cli/commands.hpp"

#include "cli/check/check.hpp"
#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "cli/tune/tune.hpp"

#include <fmt/format.h>
#include <featherline/batch.hpp>

#include <ostream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// The target that --size estimates for: the one that the user asked for, or the one that a cross compiler in $CXX
/// makes code for.
cost::Target size_target(const Options& options) {
  if (options.target || !is_cross_compiler()) return options.estimated_target();
  if (chosen_compiler().find("cortex-m") == std::string::npos) {
    throw UsageError(
        "--size: there are estimates for Cortex-M7 and M4F alone; say -mcpu=cortex-m7 or "
        "-mcpu=cortex-m4 in CXX, or which comes nearest with --target");
  }
  return chosen_compiler().find("cortex-m4") == std::string::npos ? cost::Target::cortex_m7
                                                                  : cost::Target::cortex_m4f;
}

/// The emission whose size is measured. It is usually the one that is compared. For a microcontroller it is another
/// emission, in float.
Emission emit_measured(cost::Target target, const Options& options, const Robot& robot, const Plan& plan,
                       const Emission& compared, const fs::path& folder, Progress& progress) {
  if (!cost::is_cortex_m(target)) return compared;
  if (!is_cross_compiler()) {
    throw UsageError("--target " + cost::name(target) +
                     " with --size needs a cross compiler; set CXX, as in "
                     "CXX='arm-none-eabi-g++ -mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -mthumb'");
  }
  Options in_float = options;
  in_float.scalars = {"float"};
  in_float.target = target;
  Emission emission = emit_robot(robot, plan, in_float, progress.observer());
  write_emitted(emission.files, folder);
  return emission;
}

/// The table of --size. The figures are also added to the manifest in the folder.
std::string measure(const Options& options, const Robot& robot, const Plan& plan, const Emission& compared,
                    const fs::path& folder, Progress& progress) {
  const cost::Target target = size_target(options);
  const Emission emission = emit_measured(target, options, robot, plan, compared, folder, progress);
  progress.show("measuring");
  const std::string by =
      is_cross_compiler() ? "compared with the host's c++, measured with " + chosen_compiler() + "\n" : "";
  return by + measure_sizes(emission, folder, cost::name(target));
}

bool check_one(const CommandLine& given, std::ostream& out, FindingsLog& log) {
  Diagnostics findings(given.accepted);
  const Robot robot = read_robot(given.model, given.options, findings);
  const CommandLine line = with_choices(given, robot, findings);
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);

  const TemporaryFolder folder(line.keep ? TemporaryFolder::Keep::yes : TemporaryFolder::Keep::no);
  Progress progress;
  const Emission emission = emit_robot(robot, plan, line.options, progress.observer());
  const std::vector<CheckedFunction> functions = plan_check(line, emission.facts, robot.tree);
  int count = 0;
  for (const CheckedFunction& function : functions) count = std::max(count, function.states);
  const std::vector<reference::State> states = random_states(robot.tree, line.seed, count);
  const char* flags = is_supported(InstructionSet::avx2) ? "-O1 -DFEATHERLINE_BATCH_PLAIN" : "-O1";
  JoinedSources sources = join_sources(emission);
  sources.files.insert(sources.files.end(), emission.files.begin(), emission.files.end());
  const fs::path results =
      run_driver(folder.path(), sources.files, driver_source(emission.name, robot.tree, functions), flags,
                 states, progress, sources.included);
  const std::vector<Row> rows = compare_results(robot, functions, states, results, progress);
  const std::string sizes =
      line.size ? measure(line.options, robot, plan, emission, folder.path(), progress) : "";
  progress.clear();
  if (line.inputs.size() > 1)
    out << fmt::format("robot {} ({})\n", featherline::in_quotes(robot.tree.name), robot.description.file);
  if (line.keep) out << "files are in " << folder.path().string() << '\n';
  const bool agrees = print_table(rows, robot.tree, out);
  out << advice(rows, line, robot, emission) << sizes;
  return agrees;
}

}  // namespace

bool check(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  bool first = true;
  return for_each_input(line, log, [&](const CommandLine& one) {
    if (!first) out << std::endl;
    first = false;
    return check_one(one, out, log);
  });
}

}  // namespace featherline::cli
