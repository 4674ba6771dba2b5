#include "cli/compare/comparison.hpp"
#include "cli/host_compiler.hpp"
#include "cli/tune/choices.hpp"

namespace featherline::cli {
namespace {

Json to_json(const std::optional<ir::Operations>& operations) {
  if (!operations) return nullptr;
  return {{"multiplications", operations->multiplications},
          {"divisions", operations->divisions},
          {"additions", operations->additions}};
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const ComparedFormulation& row) {
  const cost::Figures& figures = row.figures;
  Json json{{"name", row.formulation->name},
            {"chosen", row.chosen},
            {"by_name_only", row.formulation->by_name_only()},
            {"plain_frames", row.in_plain_frames},
            {"written", to_json(row.written)},
            {"flops_before", row.flops_before},
            {"flops", figures.flops},
            {"sincos", figures.sincos},
            {"stack_bytes", figures.stack_bytes},
            {"code_bytes", figures.code_bytes},
            {"predicted_ns", or_null(figures.ns)},
            {"error", or_null(row.error)}};
  if (row.timing) json["measured"] = {{"ns", row.timing->ns}, {"code_bytes", row.timing->bytes}};
  return json;
}

Json to_json(const ComparedFunction& function) {
  Json json{{"chosen", function.chosen().formulation->name},
            {"formulations", Json::array()},
            {"left_out", Json::array()}};
  for (const ComparedFormulation& row : function.formulations) {
    if (row.is_compared())
      json["formulations"].push_back(to_json(row));
    else
      json["left_out"].push_back({{"name", row.formulation->name}, {"reason", row.left_out}});
  }
  return json;
}

Json to_json(const PaperRow& row) {
  return {{"method", row.method},
          {"functions", row.functions},
          {"formulation", row.formulation.empty() ? Json(nullptr) : Json(row.formulation)},
          {"paper", {{"multiplications", row.paper.multiplications}, {"additions", row.paper.additions}}},
          {"written", to_json(row.written)},
          {"simplified", to_json(row.simplified)}};
}

}  // namespace

Json comparison_json(const Comparison& comparison, const Robot& robot, const CommandLine& line) {
  Json json{{"featherline_comparison", 1},
            {"robot", robot.tree.name},
            {"file", robot.description.file},
            {"nq", robot.tree.nq},
            {"nv", robot.tree.nv},
            {"options", robot_flags(line.options)},
            {"target", cost::name(line.options.estimated_target())},
            {"functions", Json::object()}};
  if (line.measure) {
    json["measured_on"] = {
        {"cpu", processor_name()}, {"compiler", compiler_version()}, {"flags", timing_flags}};
  }
  for (const ComparedFunction& function : comparison.functions)
    json["functions"][function.name] = to_json(function);
  json["table_3"] = Json::array();
  for (const PaperRow& row : paper_rows(comparison, robot.tree)) json["table_3"].push_back(to_json(row));
  return json;
}

}  // namespace featherline::cli
