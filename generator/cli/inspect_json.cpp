#include "cli/inspect.hpp"
#include "model/joint_table.hpp"
#include "support/diagnostic_format.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace featherline::cli {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const model::Vector3& v) { return {v.x(), v.y(), v.z()}; }

Json to_json(const model::Placement& placement) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back(to_json(model::Vector3(placement.R.row(i))));
  return {{"R", rows}, {"p", to_json(placement.p)}};
}

Json to_json(const model::Joint& joint) {
  Json json{{"name", joint.name},          {"type", model::name(joint.type)},
            {"idx_q", joint.idx_q},        {"nq", joint.nq},
            {"idx_v", joint.idx_v},        {"nv", joint.nv},
            {"axis", to_json(joint.axis)}, {"placement", to_json(joint.placement)}};
  json["limits"] = {{"lower", finite_or_null(joint.limits.lower)},
                    {"upper", finite_or_null(joint.limits.upper)},
                    {"velocity", finite_or_null(joint.limits.velocity)},
                    {"effort", finite_or_null(joint.limits.effort)}};
  if (joint.mimics >= 0) {
    json["mimics"] = {{"body", joint.mimics}, {"multiplier", joint.multiplier}, {"offset", joint.offset}};
  }
  return json;
}

Json to_json(const model::Body& body) {
  return {{"name", body.name},
          {"parent", body.parent},
          {"mass", body.inertia.mass},
          {"joint", to_json(body.joint)}};
}

Json to_json(const model::Link& link) {
  return {{"name", link.name},
          {"body", link.body},
          {"placement", to_json(link.placement)},
          {"mass", link.mass},
          {"com", to_json(link.com)}};
}

std::string print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string inspect_json(const Robot& robot, const Diagnostics& findings) {
  const model::Tree& tree = robot.tree;
  const Masses mass = sum_masses(tree);
  Json json{{"name", tree.name},
            {"file", robot.description.file},
            {"input_sha256", robot.description.sha256},
            {"base", tree.floating_base ? "floating" : "fixed"},
            {"gravity", to_json(tree.gravity)},
            {"nq", tree.nq},
            {"nv", tree.nv},
            {"mass", {{"moving", mass.moving}, {"welded_to_world", mass.welded_to_world}}}};
  json["bodies"] = Json::array();
  for (const model::Body& body : tree.bodies) json["bodies"].push_back(to_json(body));
  json["links"] = Json::array();
  for (const model::Link& link : tree.links) json["links"].push_back(to_json(link));
  json["diagnostics"] = Json::parse(format_json(findings));
  return print(json);
}

std::string inspect_json(const std::string& file, const Diagnostics& findings) {
  return print({{"file", file}, {"diagnostics", Json::parse(format_json(findings))}});
}

}  // namespace featherline::cli
