#include "emit/bindings/bindings.hpp"
#include "emit/files.hpp"
#include "emit/robot_names.hpp"
#include "model/joint_table.hpp"
#include "support/json.hpp"

#include <cmath>

namespace featherline::emit {
namespace {

/// JSON has no infinity: a missing limit is null.
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json joint_entry(const model::Tree& tree, std::size_t index) {
  const model::Body& body = tree.bodies[index];
  const model::Joint& joint = body.joint;
  Json entry{{"name", joint.name},
             {"type", model::name(joint.type)},
             {"parent", body.parent < 0 ? Json(nullptr)
                                        : Json(tree.bodies[static_cast<std::size_t>(body.parent)].name)},
             {"child", body.name},
             {"idx_q", joint.idx_q},
             {"nq", joint.nq},
             {"idx_v", joint.idx_v},
             {"nv", joint.nv},
             {"lower", finite_or_null(joint.limits.lower)},
             {"upper", finite_or_null(joint.limits.upper)},
             {"velocity", finite_or_null(joint.limits.velocity)},
             {"effort", finite_or_null(joint.limits.effort)}};
  if (joint.mimics >= 0) {
    entry["mimics"] = Json{{"joint", tree.bodies[static_cast<std::size_t>(joint.mimics)].joint.name},
                           {"multiplier", joint.multiplier},
                           {"offset", joint.offset}};
  }
  return entry;
}

Json link_entry(const model::Tree& tree, std::size_t index) {
  const model::Link& link = tree.links[index];
  const Json joint =
      link.body < 0 ? Json(nullptr) : Json(tree.bodies[static_cast<std::size_t>(link.body)].joint.name);
  return Json{{"name", link.name}, {"index", index}, {"moved_by", joint}, {"mass", link.mass}};
}

Json function_entry(const FunctionFacts& facts) {
  return Json{{"flops", facts.flops},
              {"sincos", facts.sincos},
              {"statements", facts.statements},
              {"formulation", facts.formulation},
              {"stack_bytes", facts.stack_bytes},
              {"code_bytes", facts.code_bytes},
              {"files", facts.files}};
}

}  // namespace

std::string manifest_file(const Request& request, const std::vector<FunctionFacts>& facts, int image_bytes) {
  const model::Tree& tree = *request.tree;
  Json manifest{{"name", emitted_name(request.name)},
                {"version", version()},
                {"robot", tree.name},
                {"input", request.urdf_file},
                {"input_sha256", request.urdf_sha256},
                {"options", request.flags},
                {"scalars", request.options.scalars},
                {"batch", request.options.has_binding("batch")}};
  manifest["nq"] = tree.nq;
  manifest["nv"] = tree.nv;
  manifest["joints"] = Json::array();
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) manifest["joints"].push_back(joint_entry(tree, i));
  manifest["links"] = Json::array();
  for (std::size_t i = 0; i < tree.links.size(); ++i) manifest["links"].push_back(link_entry(tree, i));
  manifest["functions"] = Json::object();
  for (const Binding* binding : bindings_of(request)) {
    std::vector<std::string> files;
    for (const PlannedFile& file : robot_files(request, binding->files)) files.push_back(file.name);
    if (!binding->option.empty() && !files.empty())
      manifest[std::string(binding->name)] = Json{{"files", files}};
  }
  manifest["estimates"] =
      Json{{"target", cost::name(request.options.estimated_target())}, {"image_bytes", image_bytes}};
  for (const FunctionFacts& f : facts) manifest["functions"][f.name] = function_entry(f);
  return print_json(manifest);
}

}  // namespace featherline::emit
