#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "joints/joint_table.hpp"
#include "model/chosen_inputs.hpp"
#include "model/clusters.hpp"
#include "model/overview.hpp"
#include "support/index.hpp"
#include "support/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::emit {
namespace {

/// Null for the world.
Json body_name(const model::Tree& tree, int body) {
  return body < 0 ? Json(nullptr) : Json(tree.bodies[index(body)].name);
}

Json joint_entry(const model::Tree& tree, const model::Body& body) {
  const model::Joint& joint = body.joint;
  Json entry{{"name", joint.name},
             {"type", model::name(joint.type)},
             {"parent", body_name(tree, body.parent)},
             {"child", body.name},
             {"idx_q", joint.idx_q},
             {"nq", joint.nq},
             {"idx_v", joint.idx_v},
             {"nv", joint.nv}};
  entry.update(limits_json(joint));
  add_dynamics(joint, entry);
  if (joint.is_eliminated) {
    entry["eliminated"] = true;
  } else if (joint.mimics >= 0) {
    entry["mimics"] = Json{{"joint", tree.bodies[index(joint.mimics)].joint.name},
                           {"multiplier", joint.multiplier},
                           {"offset", joint.offset}};
  }
  return entry;
}

Json link_entry(const model::Tree& tree, const model::Link& link, std::size_t place) {
  const Json joint = link.body < 0 ? Json(nullptr) : Json(tree.bodies[index(link.body)].joint.name);
  return Json{{"name", link.name}, {"index", place}, {"moved_by", joint}, {"mass", link.mass}};
}

Json function_entry(const FunctionFacts& facts) {
  Json entry{{"flops", facts.flops},
             {"sincos", facts.sincos},
             {"statements", facts.statements},
             {"formulation", facts.formulation},
             {"stack_bytes", facts.stack_bytes},
             {"code_bytes", facts.code_bytes}};
  if (facts.leaner)
    entry["less_stack"] = {{"formulation", facts.leaner->formulation},
                           {"stack_bytes", facts.leaner->stack_bytes}};
  // Three digits, so that the text does not depend on how the generator's compiler rounds.
  if (facts.ns) entry["predicted_ns"] = std::stod(fmt::format("{:.3g}", *facts.ns));
  if (facts.cold_ns) entry["predicted_cold_ns"] = std::stod(fmt::format("{:.3g}", *facts.cold_ns));
  if (facts.cycles) entry["predicted_cycles"] = *facts.cycles;
  if (!facts.chosen_inputs.empty()) entry["chosen_inputs"] = facts.chosen_inputs;
  if (facts.plain_calls)
    entry["batch"] = Json{{"calls_it_up_to_lanes", facts.plain_calls->up_to_lanes},
                          {"calls_it_beyond_cache", facts.plain_calls->beyond_cache}};
  for (const auto& [scalar, figures] : facts.on_device) {
    Json& device = entry["device"];
    device["formulation"] = facts.device_formulation;
    device["threads"] = figures.threads;
    device[scalar] = {{"registers", figures.registers},
                      {"spilled_bytes", figures.spilled_bytes},
                      {"instructions", figures.instructions},
                      {"predicted_ns", std::stod(fmt::format("{:.3g}", figures.ns))},
                      {"predicted_ns_in_rows", std::stod(fmt::format("{:.3g}", figures.ns_in_rows))}};
    if (const auto found = facts.in_turn.find(scalar); found != facts.in_turn.end()) {
      for (const DeviceLaunch& launch : found->second)
        device[scalar]["in_turn"].push_back(
            Json{{"kernel", launch.function}, {"inputs", launch.inputs}, {"outputs", launch.outputs}});
    }
  }
  entry["files"] = facts.files;
  if (!facts.nonzeros.empty()) entry["nonzeros"] = facts.nonzeros;
  if (facts.rank) entry["rank"] = *facts.rank;
  return entry;
}

/// "p" and, column by column, "R"; no minus zeros.
Json placement_entry(const model::Placement& placement) {
  const model::Matrix3 R = placement.R.array() + 0.0;
  const model::Vector3 p = placement.p.array() + 0.0;
  return Json{{"p", {p.x(), p.y(), p.z()}}, {"R", std::vector<double>(R.data(), R.data() + R.size())}};
}

Json frame_entry(const model::Tree& tree, const model::ChosenFrame& frame) {
  Json entry{{"name", frame.name}, {"link", tree.links[index(frame.link)].name}};
  entry.update(placement_entry(frame.placement));
  entry["first_row"] = frame.first_row;
  entry["rows"] = frame.num_rows();
  return entry;
}

Json constraint_entry(const model::Tree& tree, const model::Constraint& constraint) {
  Json entry{{"name", constraint.name},
             {"type", model::kind_of(constraint.type).name},
             {"first_row", constraint.first_row},
             {"rows", constraint.num_rows()},
             {"first_residual", first_residual(constraint)},
             {"normal_row", constraint.normal_row()},
             {"links", Json::array()},
             {"placements", Json::array()}};
  for (const model::Anchor& anchor : constraint.anchors) {
    entry["links"].push_back(tree.links[index(anchor.link)].name);
    entry["placements"].push_back(placement_entry(anchor.placement));
  }
  for (const auto& [body, coefficient] : constraint.terms)
    entry["terms"].push_back({{"joint", tree.bodies[index(body)].joint.name}, {"coefficient", coefficient}});
  if (!constraint.terms.empty()) entry["offset"] = constraint.offset;
  if (constraint.world_axes)
    for (const auto& axis : constraint.world_axes->colwise())
      entry["world_axes"].push_back(std::vector<double>(axis.begin(), axis.end()));
  if (model::kind_of(constraint.type).has_radius) entry["radius"] = constraint.radius;
  return entry;
}

}  // namespace

Json limits_json(const model::Joint& joint) {
  const auto finite_or_null = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"lower", finite_or_null(joint.limits.lower)},
          {"upper", finite_or_null(joint.limits.upper)},
          {"velocity", finite_or_null(joint.limits.velocity)},
          {"effort", finite_or_null(joint.limits.effort)},
          {"acceleration", finite_or_null(joint.limits.acceleration)},
          {"deceleration", finite_or_null(joint.limits.deceleration)},
          {"jerk", finite_or_null(joint.limits.jerk)}};
}

void add_dynamics(const model::Joint& joint, Json& entry) {
  for (const auto& [name, value] : model::dynamics_of(joint)) entry["dynamics"][name] = value;
}

void add_positions(const model::Tree& tree, Json& manifest) {
  for (const model::Rotor& rotor : tree.rotors)
    manifest["rotors"].push_back({{"joint", tree.bodies[index(rotor.joint)].joint.name},
                                  {"carrier", body_name(tree, rotor.carrier)},
                                  {"axis", {rotor.axis.x(), rotor.axis.y(), rotor.axis.z()}},
                                  {"gear_ratio", rotor.gear_ratio},
                                  {"inertia", rotor.inertia}});
  for (const model::LockedJoint& joint : tree.locked)
    manifest["locked_joints"].push_back({{"name", joint.name},
                                         {"type", model::name(joint.type)},
                                         {"child", joint.child},
                                         {"q", joint.position}});
  for (const model::NamedPosition& position : tree.positions)
    manifest["positions"][position.name] = position.q;
}

void add_tendons(const model::Tree& tree, Json& manifest) {
  for (const model::Tendon& tendon : tree.tendons) {
    Json entry{{"name", tendon.name}, {"joints", Json::object()}, {"dynamics", Json::object()}};
    for (const model::TendonEnd& end : tendon.ends)
      entry["joints"][tree.bodies[index(model::body_of(tree, end))].joint.name] = end.coefficient;
    for (const auto& [name, value] : model::dynamics_of(tendon)) entry["dynamics"][name] = value;
    manifest["tendons"].push_back(std::move(entry));
  }
}

void add_chosen(const model::Tree& tree, Json& manifest) {
  for (const int link : tree.chosen.forces)
    manifest["external_forces"].push_back(tree.links[index(link)].name);
  for (const model::Parameter& parameter : model::parameters(tree)) {
    manifest["parameters"].push_back(Json{{"name", parameter.name},
                                          {"index", parameter.index},
                                          {"size", parameter.size()},
                                          {"unit", parameter.unit},
                                          {"defaults", parameter.defaults}});
    if (!parameter.joints.empty()) manifest["parameters"].back()["joints"] = parameter.joints;
  }
  for (const model::JointColumn& column : tree.joint_columns)
    manifest["joint_columns"].push_back(model::name_of(column));
  if (!tree.frames.chosen.empty()) manifest["frame_axes"] = model::name_of(tree.frames.axes);
  for (const model::ChosenFrame& frame : tree.frames.chosen)
    manifest["frames"].push_back(frame_entry(tree, frame));
  if (tree.constraints.count() > 0) manifest["stabilisation"] = {tree.constraints.kp, tree.constraints.kd};
  for (const model::Constraint& constraint : tree.constraints.all)
    manifest["constraints"].push_back(constraint_entry(tree, constraint));
  if (!tree.clusters) return;
  manifest["all_joints"] = {
      {"nq", tree.clusters->nq}, {"nv", tree.clusters->nv}, {"names", joints_of_q_all(tree)}};
  for (const model::Cluster& cluster : tree.clusters->all)
    manifest["clusters"].push_back(Json{
        {"loops", cluster.loops}, {"independent", cluster.independent}, {"dependent", cluster.dependent}});
}

Json limbs_json(const model::UserTree& tree) {
  Json groups = Json::array();
  for (const model::LimbGroup& group : model::find_limb_groups(tree)) {
    Json joints = Json::array();
    for (const std::vector<int>& limb : group.limbs) {
      joints.push_back(Json::array());
      for (const int i : limb) joints.back().push_back(tree.bodies[index(i)].joint.name);
    }
    groups.push_back({{"names", model::limb_names(tree, group)},
                      {"parent", body_name(tree, group.parent)},
                      {"joints", joints}});
  }
  return groups;
}

std::string manifest_file(const Request& request, const std::vector<FunctionFacts>& facts, int image_bytes) {
  const model::Tree& tree = *request.tree;
  Json manifest{{"name", emitted_name(request.name)},
                {"version", version()},
                {"robot", tree.name},
                {"input", request.model_file},
                {"input_sha256", request.model_sha256},
                {"options", request.flags},
                {"scalars", request.options.scalars},
                {"batch", request.options.has_binding("batch")}};
  manifest["nq"] = tree.nq;
  manifest["nv"] = tree.nv;
  manifest["joints"] = Json::array();
  for (const model::Body& body : tree.bodies) manifest["joints"].push_back(joint_entry(tree, body));
  manifest["links"] = Json::array();
  for (const model::Link& link : tree.links)
    manifest["links"].push_back(link_entry(tree, link, manifest["links"].size()));
  add_tendons(tree, manifest);
  add_positions(tree, manifest);
  manifest["neutral"] = neutral_position(tree);
  manifest["total_mass"] = total_mass(tree);
  add_chosen(tree, manifest);
  if (std::ranges::any_of(request.functions, [](const auto& f) { return f.spec->knows_motors; })) {
    manifest["without_motor"] = tree.constraints.without_motor;
    manifest["moment_length"] = tree.constraints.length;
  }
  manifest["limbs"] = limbs_json(*request.tree);
  manifest["functions"] = Json::object();
  for (const Binding* binding : bindings_of(request)) {
    const std::vector<std::string> files = robot_files(request, binding->files);
    if (binding->option.empty() || files.empty()) continue;
    Json& entry = manifest[std::string(binding->name)] = Json{{"files", files}};
    if (binding->robot_symbol != nullptr) entry["robot"] = binding->robot_symbol(request);
  }
  manifest["estimates"] =
      Json{{"target", cost::name(request.options.estimated_target())}, {"image_bytes", image_bytes}};
  for (const FunctionFacts& f : facts) manifest["functions"][f.name] = function_entry(f);
  return print_json(manifest);
}

}  // namespace featherline::emit
