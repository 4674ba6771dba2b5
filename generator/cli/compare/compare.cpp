#include "cli/commands.hpp"

#include "cli/compare/comparison.hpp"
#include "cli/compare/comparison_tables.hpp"
#include "cli/inspect.hpp"
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
  Observer observer;
  observer.progress = [&progress](const std::string& what) { progress.show(what); };
  Diagnostics findings(given.accepted);
  const Robot robot = read_robot(given.urdf, given.options, findings);
  CommandLine line = with_choices(given, robot, findings);
  line.options.functions = in_one_form(line.options.functions);
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  Comparison comparison = compare_formulations(robot, plan, line.options, observer, line.measure);
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
  const bool array = line.format == CommandLine::Format::json && line.inputs.size() > 1;
  const char* between = array ? "," : "\n";
  bool first = true;
  if (array) out << "[\n";
  const bool all_well = for_each_input(line, log, [&](const CommandLine& one) {
    const auto print = [&](const std::string& text) {
      out << (first ? "" : between) << text << std::flush;
      first = false;
    };
    try {
      print(compare_one(one, log));
    } catch (const InputError& error) {
      if (array) print(inspect_json(one.urdf, error.findings()));
      throw;
    }
    return true;
  });
  if (array) out << "]\n";
  return all_well;
}

}  // namespace featherline::cli
