#include "cli/read_input.hpp"

#include "diagnostic_format.hpp"

#include <ostream>

namespace featherline::cli {
namespace {

/// One note for all <dynamics> elements that would matter if they were used.
void note_unused_dynamics(const urdf::Description& robot, Diagnostics& findings) {
  int count = 0, first_line = 0;
  for (const urdf::Joint& joint : robot.joints) {
    if (!joint.dynamics || (joint.dynamics->damping == 0.0 && joint.dynamics->friction == 0.0)) continue;
    if (count++ == 0) first_line = joint.dynamics->line;
  }
  if (count == 0) return;
  findings.note({robot.file, first_line, ""},
                "damping and friction of " + std::to_string(count) + (count == 1 ? " joint" : " joints") +
                    " (<dynamics>) enter no emitted function");
}

}  // namespace

void print_findings(const Options& options, const Diagnostics& findings, std::ostream& err) {
  err << (options.diagnostics == Options::Format::json ? format_json(findings) : format_text(findings)) << std::flush;
}

Robot read_input(const Options& options, Diagnostics& findings, const Observer& observer) {
  Robot robot = read_robot(options.urdf, options.build, findings, observer);
  note_unused_dynamics(robot.description, findings);
  if (options.warnings_are_errors && findings.has_warnings()) {
    const std::size_t count = findings.count(Severity::warning);
    findings.error({robot.description.file, 0, ""},
                   std::to_string(count) + (count == 1 ? " warning stops" : " warnings stop") + " the run under --werror",
                   "mend the input or leave the flag out");
    throw InputError(findings);
  }
  return robot;
}

}  // namespace featherline::cli
