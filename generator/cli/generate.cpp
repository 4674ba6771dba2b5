#include "cli/commands.hpp"
#include "cli/output_folder.hpp"
#include "cli/progress.hpp"
#include "cli/read_input.hpp"
#include "cli/report.hpp"

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

std::string depfile_of(const Options& options, const fs::path& header) {
  std::vector<fs::path> inputs;
  if (options.urdf != "-") inputs.push_back(options.urdf);
  if (!options.joint_order_file.empty()) inputs.push_back(options.joint_order_file);
  if (options.joint_dynamics != "off" && options.joint_dynamics != "urdf")
    inputs.push_back(options.joint_dynamics);
  return depfile_text({header}, inputs);
}

void write_files(const Options& options, const Emission& emission) {
  const fs::path folder = options.output_folder;
  const std::vector<fs::path> stale = stale_files(folder, emission.name, emission.files);
  std::vector<OutputFile> files;
  for (const emit::File& file : emission.files) files.push_back({folder / file.relative_name, file.content});
  if (!options.depfile.empty()) {
    files.push_back({options.depfile, depfile_of(options, folder / (emission.name + ".hpp"))});
  }
  write_atomically(files);
  for (const fs::path& file : stale) fs::remove(file);
}

}  // namespace

void generate(const Options& asked, std::ostream& out, std::ostream& err) {
  Progress progress;
  const Observer observer = watch(asked, progress, out);
  Diagnostics findings;
  const Robot robot = read_input(asked, findings, observer);
  const Options options = with_existing_functions(asked, robot, findings);
  settle_findings(options, findings, err);

  EmitOptions emit_options{options.name, options.functions, options.formulations, options.scalars,
                           options_in_effect(options)};
  emit_options.c_interface = options.c_api;
  const Emission emission = emit_robot(robot, emit_options, observer);
  progress.clear();
  if (!options.output_folder.empty()) write_files(options, emission);
  if (!options.quiet && options.dump_after.empty()) out << report(options, robot.tree, emission);
}

}  // namespace featherline::cli
