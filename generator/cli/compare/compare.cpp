#include "cli/commands.hpp"

#include "cli/compare/comparison.hpp"
#include "cli/tune/choices.hpp"

#include <algorithm>
#include <ostream>

namespace featherline::cli {
namespace {

/// Without the packed forms of functions that are compared in dense form.
std::vector<std::string> in_one_form(std::vector<std::string> functions) {
  const std::vector<std::string> all = functions;
  std::erase_if(functions, [&](const std::string& name) {
    const std::string& dense = catalog::find(name)->name;
    return name != dense && std::find(all.begin(), all.end(), dense) != all.end();
  });
  return functions;
}

/// The comparison of one robot, as text of the format.
std::string compare_one(const CommandLine& given, FindingsLog& log) {
  Progress progress;
  Diagnostics findings(given.accepted);
  const Robot robot = read_robot(given.urdf, given.options, findings);
  CommandLine line = with_choices(given, robot, findings);
  line.options.functions = in_one_form(line.options.functions);
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  Comparison comparison = compare_formulations(robot, plan, line.options, progress.observer(), line.measure);
  if (line.measure) measure(comparison, robot, line, progress);
  switch (line.format) {
    case CommandLine::Format::json:
      return print_json(comparison_json(comparison, robot, line));
    case CommandLine::Format::markdown:
      return comparison_markdown(comparison, robot, line);
    default:
      return comparison_text(comparison, robot, line);
  }
}

}  // namespace

bool compare(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  return print_each(line, out, log, compare_one);
}

}  // namespace featherline::cli
