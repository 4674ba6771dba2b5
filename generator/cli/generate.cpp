#include "cli/budgets.hpp"
#include "cli/commands.hpp"
#include "cli/file_owner.hpp"
#include "cli/output_folder.hpp"
#include "cli/progress.hpp"
#include "cli/read_input.hpp"
#include "cli/report.hpp"

#include <map>
#include <ostream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// Dumps go to `out` as the stages pass by, progress to the terminal.
Observer watch(const Options& options, Progress& progress, std::ostream& out) {
  Observer observer;
  observer.progress = [&progress](const std::string& what) { progress.show(what); };
  if (!options.dump_after.empty()) {
    observer.stage_done = [&](const std::string& stage, const std::function<std::string()>& text) {
      if (stage != options.dump_after) return;
      progress.clear();
      out << text() << std::flush;
    };
  }
  return observer;
}

/// The manifest first: it stands for all files where a build compares time stamps.
std::string depfile_of(const Options& options, const std::string& name) {
  const fs::path folder = options.output_folder;
  std::vector<fs::path> inputs;
  if (options.urdf != "-") inputs.push_back(options.urdf);
  if (!options.joint_order_file.empty()) inputs.push_back(options.joint_order_file);
  if (options.joint_dynamics != "off" && options.joint_dynamics != "urdf")
    inputs.push_back(options.joint_dynamics);
  return depfile_text({folder / (name + ".json"), folder / (name + ".hpp")}, inputs);
}

/// What is written when every robot is done, and said then.
struct Output {
  std::vector<OutputFile> files;
  std::vector<fs::path> stale;
  std::string report;
  std::map<std::string, std::string> origins;  ///< emitted file to input

  void add(const Options& options, const Emission& emission) {
    const fs::path folder = options.output_folder;
    for (const emit::File& file : emission.files) {
      const auto [other, fresh] = origins.emplace(file.relative_name, options.urdf);
      if (!fresh) refuse_twice(options.urdf, file.relative_name, other->second);
      files.push_back({folder / file.relative_name, file.content});
    }
    if (!options.depfile.empty()) files.push_back({options.depfile, depfile_of(options, emission.name)});
    const std::vector<fs::path> old = stale_files(folder, emission.name, emission.files);
    stale.insert(stale.end(), old.begin(), old.end());
  }

  void write(bool force) const {
    refuse_foreign_files(files, force);
    write_atomically(files);
    for (const fs::path& file : stale) fs::remove(file);
  }

 private:
  [[noreturn]] static void refuse_twice(const std::string& urdf, const std::string& file,
                                        const std::string& other) {
    Diagnostics findings;
    findings.error({urdf, 0, ""},
                   featherline::quoted(file) + " is emitted for " + featherline::quoted(other) + ", too",
                   "rename one of the robots, or generate it by itself with --name");
    throw InputError(findings);
  }
};

void generate_one(const Options& asked, const Observer& observer, Progress& progress, FindingsLog& log,
                  Output& output) {
  Diagnostics findings;
  const Robot robot = read_input(asked, findings, observer);
  const Options options = with_existing_functions(asked, robot, findings);
  progress.clear();
  settle_findings(options, findings, log);

  const Emission emission = emit_robot(robot, emit_options(options), observer);
  progress.clear();
  check_budgets(options, emission);
  if (!options.output_folder.empty()) output.add(options, emission);
  if (!options.quiet && options.dump_after.empty()) output.report += report(options, robot.tree, emission);
}

}  // namespace

bool generate(const Options& options, std::ostream& out, FindingsLog& log) {
  Progress progress;
  const Observer observer = watch(options, progress, out);
  Output output;
  const bool all_well = for_each_input(options, log, [&](const Options& one) {
    generate_one(one, observer, progress, log, output);
    return true;
  });
  if (!all_well) return false;
  output.write(options.force);
  out << output.report;
  return true;
}

}  // namespace featherline::cli
