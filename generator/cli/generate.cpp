#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/report.hpp"

#include <map>
#include <ostream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// Dumps go to `out` as the stages pass by, progress to the terminal.
Observer watch(const CommandLine& line, Progress& progress, std::ostream& out) {
  Observer observer;
  observer.progress = [&progress](const std::string& what) { progress.show(what); };
  if (!line.dump_after.empty()) {
    observer.stage_done = [&](const std::string& stage, const std::function<std::string()>& text) {
      if (stage != line.dump_after) return;
      progress.clear();
      out << text() << std::flush;
    };
  }
  return observer;
}

/// The manifest first: it stands for all files where a build compares time stamps.
std::string depfile_of(const CommandLine& line, const std::string& name) {
  const fs::path folder = line.output_folder;
  std::vector<fs::path> inputs;
  if (line.urdf != "-") inputs.push_back(line.urdf);
  if (!line.joint_order_file.empty()) inputs.push_back(line.joint_order_file);
  if (line.options.joint_dynamics_file) inputs.push_back(line.options.joint_dynamics_file->file);
  return depfile_text({folder / (name + ".json"), folder / (name + ".hpp")}, inputs);
}

/// What is written when every robot is done, and said then.
struct Output {
  std::vector<OutputFile> files;
  std::vector<fs::path> stale;
  std::string report;
  std::map<std::string, std::string> origins;  ///< emitted file to input

  void add(const CommandLine& line, const Emission& emission) {
    const fs::path folder = line.output_folder;
    for (const emit::File& file : emission.files) {
      const auto [other, fresh] = origins.emplace(file.relative_name, line.urdf);
      if (!fresh) refuse_twice(line.urdf, file.relative_name, other->second);
      files.push_back({folder / file.relative_name, file.content});
    }
    if (!line.depfile.empty()) files.push_back({line.depfile, depfile_of(line, emission.name)});
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

void generate_one(const CommandLine& line, const Observer& observer, Progress& progress, FindingsLog& log,
                  Output& output) {
  Diagnostics findings;
  const Robot robot = read_robot(line.urdf, line.options, findings, observer);
  const Plan plan = make_plan(robot, line.options, findings);
  progress.clear();
  settle_findings(line, findings, log);

  const Emission emission = emit_robot(robot, plan, line.options, observer);
  progress.clear();
  check_budgets(line, emission);
  if (!line.output_folder.empty()) output.add(line, emission);
  if (!line.quiet && line.dump_after.empty()) output.report += report(line, robot.tree, emission);
}

}  // namespace

bool generate(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  Progress progress;
  const Observer observer = watch(line, progress, out);
  Output output;
  const bool all_well = for_each_input(line, log, [&](const CommandLine& one) {
    generate_one(one, observer, progress, log, output);
    return true;
  });
  if (!all_well) return false;
  output.write(line.force);
  out << output.report;
  return true;
}

}  // namespace featherline::cli
