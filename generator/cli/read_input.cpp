#include "cli/read_input.hpp"

#include "cli/robot_name.hpp"
#include "support/diagnostic_format.hpp"
#include "model/joint_losses.hpp"
#include "output_size.hpp"
#include "singularity.hpp"
#include "size_policy.hpp"

#include <fstream>
#include <ostream>
#include <sstream>

namespace featherline::cli {
namespace {

void read_joint_losses(const std::string& file, Robot& robot, Diagnostics& findings) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.fail()) {
    throw UsageError("--joint-dynamics: " + quoted(file) +
                     " cannot be read; give off, urdf, or a file with lines " +
                     "JOINT DAMPING FRICTION ARMATURE");
  }
  model::set_joint_losses(robot.tree, text.str(), file, findings);
  Diagnostics said_before;
  if (robot.snapped) model::set_joint_losses(*robot.snapped, text.str(), file, said_before);
  if (findings.has_errors()) throw InputError(findings);
}

}  // namespace

Robot read_input(const Options& options, Diagnostics& findings, const Observer& observer) {
  Robot robot = read_robot(options.urdf, options.build, findings, observer);
  const bool from_file = options.joint_dynamics != "off" && options.joint_dynamics != "urdf";
  if (from_file) read_joint_losses(options.joint_dynamics, robot, findings);
  return robot;
}

Options with_existing_functions(const Options& options, const Robot& robot, Diagnostics& findings) {
  tell_renaming(options, robot, findings);
  refuse_oversized_outputs(options.functions, robot.tree, robot.description.file, findings);
  if (findings.has_errors()) throw InputError(findings);
  Options result = options;
  result.functions = drop_functions_without_inverse({options.functions, options.named_functions}, robot.tree,
                                                    options.verify, robot.description.file, findings);
  result.functions =
      drop_unrolled_only({result.functions, options.named_functions}, robot.tree, options.formulations,
                         options.batch, robot.description.file, findings);
  if (findings.has_errors()) throw InputError(findings);
  return result;
}

void FindingsLog::add(const Diagnostics& findings) {
  if (format_ == Options::Format::json)
    collected_.append(findings);
  else
    err_ << format_text(findings) << std::flush;
}

FindingsLog::~FindingsLog() {
  if (format_ == Options::Format::json) err_ << format_json(collected_) << std::flush;
}

bool for_each_input(const Options& options, FindingsLog& log,
                    const std::function<bool(const Options&)>& work) {
  bool all_well = true;
  for (const std::string& input : options.inputs) {
    Options one = options;
    one.urdf = input;
    try {
      all_well = work(one) && all_well;
    } catch (const InputError& error) {
      log.add(error.findings());
      all_well = false;
    }
  }
  return all_well;
}

void settle_findings(const Options& options, Diagnostics& findings, FindingsLog& log) {
  const std::size_t count = findings.count(Severity::warning);
  if (options.warnings_are_errors && count > 0) {
    findings.error({findings.all().front().where.file, 0, ""},
                   std::to_string(count) + (count == 1 ? " warning stops" : " warnings stop") +
                       " the run under --werror",
                   "mend the input or leave the flag out");
    throw InputError(findings);
  }
  log.add(findings);
}

}  // namespace featherline::cli
