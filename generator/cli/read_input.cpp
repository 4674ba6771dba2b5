#include "cli/read_input.hpp"

#include "diagnostic_format.hpp"

#include <ostream>

namespace featherline::cli {

void print_findings(const Options& options, const Diagnostics& findings, std::ostream& err) {
  err << (options.diagnostics == Options::Format::json ? format_json(findings) : format_text(findings)) << std::flush;
}

Robot read_input(const Options& options, Diagnostics& findings, const Observer& observer) {
  Robot robot = read_robot(options.urdf, options.build, findings, observer);
  const std::size_t count = findings.count(Severity::warning);
  if (options.warnings_are_errors && count > 0) {
    findings.error({robot.description.file, 0, ""},
                   std::to_string(count) + (count == 1 ? " warning stops" : " warnings stop") + " the run under --werror",
                   "mend the input or leave the flag out");
    throw InputError(findings);
  }
  return robot;
}

}  // namespace featherline::cli
