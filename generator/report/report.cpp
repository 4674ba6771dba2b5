#include "report/report.hpp"

#include "pipeline.hpp"

#include <utility>

namespace featherline::report {

Report make_report(const Robot& robot, Plan plan, const Options& options, const Observer& observer) {
  const std::vector<std::string> added = plan_matrices(plan, robot.tree, options);
  LoweredRobot lowered = lower_robot(robot, plan, options, observer);
  Report report;
  report.robot = &robot;
  report.matrices = take_matrices(lowered.functions, added, robot.tree);
  std::vector<std::string> names;
  for (const LoweredFunction& function : lowered.functions) names.push_back(function_name(function));
  report.flags = flags_in_effect(options, names);
  Emission emission = emit_lowered(robot, plan.name, std::move(lowered), options, observer);
  report.functions = std::move(emission.facts);
  report.image_bytes = emission.image_bytes;
  report.target = cost::name(options.estimated_target());
  return report;
}

}  // namespace featherline::report
