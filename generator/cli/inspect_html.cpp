#include "cli/inspect.hpp"

#include "cli/tune/choices.hpp"
#include "report/report.hpp"

#include <utility>

namespace featherline::cli {

std::string inspect_html(const CommandLine& given, const Robot& robot, Diagnostics& findings,
                         FindingsLog& log) {
  Progress progress;
  Observer observer;
  observer.progress = [&progress](const std::string& what) { progress.show(what); };
  const CommandLine line = with_choices(given, robot, findings);
  Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  report::Report report = report::make_report(robot, std::move(plan), line.options, observer);
  report.findings = findings;
  return report::page(report);
}

}  // namespace featherline::cli
