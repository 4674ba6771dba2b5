#include "emit/function_files.hpp"

#include "emit/kernel_printer.hpp"
#include "model/canonical.hpp"
#include "model/overview.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace featherline::emit {
namespace {

using Row = std::vector<std::string>;

std::string shown(const std::string& name) { return comment_safe(name, longest_in_comment); }

/// Six digits: the code has them all.
std::string number(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

std::string numbers(const std::vector<double>& values) { return join(each(values, number), " "); }

std::string vector(const model::Vector3& v) { return numbers({v.x(), v.y(), v.z()}); }

/// R = Rz(yaw) Ry(pitch) Rx(roll), as URDF writes rotations.
std::string roll_pitch_yaw(const model::Matrix3& R) {
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2)));
  const bool upright = std::hypot(R(2, 1), R(2, 2)) < 1e-9;  // roll and yaw have one axis: all of it is roll
  if (upright) return numbers({std::atan2(-R(2, 0) * R(0, 1), R(1, 1)), pitch, 0.0});
  return numbers({std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))});
}

std::string entries(const char* array, int first, int count) {
  return count == 1 ? fmt::format("{}[{}]", array, first)
                    : fmt::format("{}[{}..{}]", array, first, first + count - 1);
}

/// What the joint does between its parent's frame, placed, and the body's.
std::string motion(const model::Joint& joint) {
  std::string q = entries("q", joint.idx_q, joint.nq);
  if (joint.multiplier != 1.0) q = number(joint.multiplier) + " " + q;
  if (joint.offset != 0.0) q += (joint.offset < 0.0 ? " - " : " + ") + number(std::abs(joint.offset));
  const model::JointRow& row = joint.row();
  if (row.has_one_axis()) {
    const std::string text = (row.motions.front().turns() ? "turn " : "shift ") + q;
    return row.needs_pitch() ? text + ", shift " + number(joint.pitch) + " of that" : text;
  }
  std::vector<std::string> what;
  if (row.num_slides() > 0) what.push_back(row.num_slides() == 2 ? "shift x y" : "shift x y z");
  if (row.num_turns() > 0) what.push_back(row.quaternion() < 0 ? "turn" : "quaternion");
  return join(what, ", ") + ": " + q;
}

/// The body, counted from 1, in whose frame piecewise common frames express body i; 0 is the world.
int common_frame(const model::CanonicalTree& tree, int i) {
  while (i >= 0 && !tree.own_frames[index(i)]) i = tree.bodies[index(i)].parent;
  return i + 1;
}

std::string frames_table(const model::CanonicalTree& tree) {
  const bool has_common_frames = !tree.own_frames.empty();
  std::vector<Row> rows{{"body", "link", "joint", "v", "parent", "p [m]", "rpy [rad]", "motion"}};
  if (has_common_frames) rows.front().insert(rows.front().begin() + 5, "derivatives in");
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i) {
    const model::Body& body = tree.bodies[index(i)];
    rows.push_back({std::to_string(i + 1), shown(body.name), shown(body.joint.name),
                    entries("v", body.joint.idx_v, body.joint.nv), std::to_string(body.parent + 1),
                    vector(body.joint.placement.p), roll_pitch_yaw(body.joint.placement.R),
                    motion(body.joint)});
    if (has_common_frames) rows.back().insert(rows.back().begin() + 5, std::to_string(common_frame(tree, i)));
  }
  return comment_table(rows);
}

/// Pose of the body's frame in that of the link right behind the joint.
Row pose_in_link(const model::CanonicalTree& tree, int i) {
  const std::string& name = tree.bodies[index(i)].name;
  const auto link =
      std::ranges::find_if(tree.links, [&](const model::Link& l) { return l.body == i && l.name == name; });
  if (link == tree.links.end()) return {"-", "-"};  // between the two axes of one joint
  const model::Placement X_LB = link->placement.inverse();
  return {vector(X_LB.p), roll_pitch_yaw(X_LB.R)};
}

std::string matrix(const model::Matrix3& J) {
  return numbers({J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)});
}

/// Whether a function computes equal limbs side by side. Its bodies have frames of their own.
bool is_in_lanes(const LoweredFunction& f) {
  return has_lanes(f.kernel) || (f.batch_form && has_lanes(f.batch_form->kernel));
}
bool has_lanes(const Request& request) {
  return request.folded_tree != nullptr && std::ranges::any_of(request.functions, is_in_lanes);
}

/// Whether a function reads inertias as they are regrouped for inertias and derivatives.
bool has_other_inertias(const Request& request) {
  return std::ranges::any_of(request.functions, [](const LoweredFunction& f) {
    const std::vector<const ir::Call*> calls = f.kernel.calls();
    return f.kernel.inertia_tables.count(static_cast<int>(model::Grouping::J_xx)) > 0 ||
           std::ranges::any_of(calls, [](const ir::Call* call) { return call->panels != nullptr; });
  });
}

std::string inertias_table(const Request& request, const model::CanonicalTree& tree) {
  const bool has_others = has_other_inertias(request);
  const model::CanonicalTree others = model::regroup_inertias(tree, model::Grouping::J_xx);
  std::vector<Row> rows{
      {"body", "p in link", "rpy in link", "m [kg]", "h [kg m]", "J [kg m^2]: xx yy zz xy xz yz"}};
  if (has_others) rows.front().push_back("J of inertias and derivatives");
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Inertia& inertia = tree.bodies[i].inertia;
    const Row pose = pose_in_link(tree, static_cast<int>(i));
    rows.push_back({std::to_string(i + 1), pose[0], pose[1], number(inertia.mass), vector(inertia.h),
                    matrix(inertia.J)});
    if (has_others) rows.back().push_back(matrix(others.bodies[i].inertia.J));
  }
  return comment_table(rows);
}

bool formulation_has(const Request& request, const char* words) {
  return std::ranges::any_of(request.functions, [&](const LoweredFunction& f) {
    return f.kernel.formulation.find(words) != std::string::npos;
  });
}

/// Whether a function needs the mass of all bodies.
bool has_sums_of_mass(const Request& request) {
  return std::ranges::any_of(request.functions, [](const LoweredFunction& f) {
    return f.spec->group.name == catalog::whole_body.name && f.spec->depends.inertia;
  });
}

/// Which number of the chosen inputs is what; nothing where none are chosen.
std::string chosen_inputs_table(const model::CanonicalTree& tree) {
  if (!tree.chosen.any()) return "";
  const auto of_link = [&](int i) {
    const model::Link& link = tree.links[index(i)];
    return "link " + shown(link.name) + ", which body " + std::to_string(link.body + 1) + " carries";
  };
  std::vector<Row> rows;
  const auto add = [&](const char* array, int first, int count, const std::string& meaning) {
    rows.push_back({fmt::format("{0}[{1}] ... {0}[{2}]", array, first, first + count - 1), meaning});
  };
  const model::ChosenInputs& chosen = tree.chosen;
  for (std::size_t k = 0; k < chosen.forces.size(); ++k)
    add("fext", model::force_entries * static_cast<int>(k), model::force_entries,
        "force and moment on " + of_link(chosen.forces[k]));
  if (chosen.gravity) add("p", 0, model::gravity_entries, "gravity in the axes of the world");
  for (std::size_t k = 0; k < chosen.payloads.size(); ++k)
    add("p", chosen.first_of_payload(k), model::payload_entries,
        (chosen.payloads[k].replaces ? "inertia of " : "payload of ") + of_link(chosen.payloads[k].link));
  for (std::size_t k = 0; k < chosen.anchors.size(); ++k)
    add("p", chosen.first_of_anchor(k), model::anchor_entries,
        "where contact " + std::to_string(k + 1) + " is held in the world");
  for (std::size_t k = 0; k < chosen.joints.size(); ++k) {
    const std::vector<std::string> joints = each(chosen.joints[k].joints, shown);
    add("p", chosen.first_of_joints(k), static_cast<int>(joints.size()),
        std::string(chosen.joints[k].number->word) + " of joint" +
            (joints.size() == 1 ? " " + joints.front() : "s " + joints.front() + " ... " + joints.back()));
  }
  for (std::size_t k = 0; k < chosen.placements.size(); ++k)
    add("p", chosen.first_of_placement(k), model::placement_entries,
        "where joint " + shown(chosen.placements[k]) + " stands, in its frame above");
  if (chosen.stabilisation)
    add("p", chosen.first_of_stabilisation(), model::stabilisation_entries,
        "KP and KD of the stabilisation of constraints");
  return comment_table(rows);
}

/// The groups whose limbs are in lanes. Of each limb only the first body is listed.
std::vector<model::LimbGroup> groups_in_lanes(const model::FoldedTree& tree) {
  std::vector<model::LimbGroup> groups;
  for (const model::FoldedBody& body : tree.folding.bodies) {
    const bool on_limb = body.parent >= 0 && tree.folding.bodies[index(body.parent)].lanes() > 1;
    if (body.lanes() == 1 || on_limb) continue;
    groups.emplace_back();
    for (const int first : body.members) groups.back().limbs.push_back({first});
  }
  return groups;
}

/// "2, 5, 8 and 11": the first bodies of the limbs, counted from 1.
std::string first_bodies(const model::LimbGroup& group) {
  const auto bodies = each(group.limbs, [](const auto& limb) { return std::to_string(limb.front() + 1); });
  return join({bodies.begin(), bodies.end() - 1}, ", ") + " and " + bodies.back();
}

/// Patterns of lanes that have the other sign in values called mir_..., by the number of lanes.
using MirroredLanes = std::map<int, std::set<std::vector<int>>>;

void add_mirrored(const ir::Kernel& kernel, MirroredLanes& lanes) {
  const ir::Graph& graph = kernel.graph;
  const ir::NodeId size = kernel.mirrored.empty() ? 0 : graph.size();
  for (ir::NodeId id = 0; id < size; ++id) {
    for (std::string name : {graph.node_name(id), graph.hint(id)}) {
      if (name.starts_with("neg_")) name = name.substr(4);
      const auto found = kernel.mirrored.find(name);
      if (found != kernel.mirrored.end()) lanes[graph[id].lanes].insert(found->second);
    }
  }
  for (const ir::Kernel* body : kernel.bodies()) add_mirrored(*body, lanes);
}

/// "lh, rh": the limbs with the other sign; "rf, rh or lh, rh" if that depends on the value.
std::string mirrored_limbs(const std::vector<std::string>& limbs, const MirroredLanes& mirrored) {
  const auto patterns = mirrored.find(static_cast<int>(limbs.size()));
  if (patterns == mirrored.end()) return "none";
  const auto names = [&](const std::vector<int>& lanes) {
    return join(each(lanes, [&](int lane) { return limbs[index(lane)]; }), ", ");
  };
  return join(each(patterns->second, names), " or ");
}

/// The types of values in lanes, which limb is in which lane, and which ones are mirrored.
std::string lanes_table(const model::FoldedTree& tree, const MirroredLanes& mirrored) {
  std::vector<std::vector<std::string>> rows{{"type", "limb in each lane", "first bodies"}};
  if (!mirrored.empty()) rows.front().emplace_back("other sign in mir_");
  for (const model::LimbGroup& group : groups_in_lanes(tree)) {
    const std::vector<std::string> names = each(model::limb_names(tree.full, group), shown);
    rows.push_back({value_type(group.size()), join(names, ", "), first_bodies(group)});
    if (!mirrored.empty()) rows.back().push_back(mirrored_limbs(names, mirrored));
  }
  return comment_table(rows);
}

/// "w2 holds w of bodies 2, 5, 8 and 11": an example from the first group.
std::string lanes_example(const model::FoldedTree& tree) {
  const model::LimbGroup group = groups_in_lanes(tree).front();
  return "w" + std::to_string(group.limbs.front().front() + 1) + " holds w of bodies " + first_bodies(group);
}

/// What the skeleton says of functions in lanes, and their tables if those are other ones.
void add_lanes(const Request& request, std::vector<Replacement>& values) {
  MirroredLanes mirrored;
  for (const LoweredFunction& function : request.functions) add_mirrored(function.kernel, mirrored);
  const bool in_lanes = has_lanes(request);
  std::string frames, inertias;
  if (in_lanes) {
    frames = frames_table(request.folded_tree->full);
    inertias = inertias_table(request, request.folded_tree->full);
  }
  if (frames == frames_table(*request.tracing_tree) &&
      inertias == inertias_table(request, *request.tracing_tree))
    frames.clear();
  values.insert(values.end(), {{"lanes", in_lanes ? lanes_table(*request.folded_tree, mirrored) : ""},
                               {"lanes_example", in_lanes ? lanes_example(*request.folded_tree) : ""},
                               {"has_mirrored", mirrored.empty() ? "" : "yes"},
                               {"lane_frames", frames},
                               {"lane_inertias", inertias}});
}

/// Fills the paragraphs of `text` into lines of comments; tables are such lines.
std::string as_comment(std::string_view text) {
  text.remove_suffix(1);  // the skeleton that takes it ends the line
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    std::string part(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 2);
    if (!part.starts_with("//")) {
      std::ranges::replace(part, '\n', ' ');
      part = fill_lines(part, "// ", "// ");
    }
    parts.push_back(std::move(part));
  }
  return join(parts, "\n//\n");
}

}  // namespace

std::string reading_guide(const Request& request) {
  const model::CanonicalTree& tree = *request.tracing_tree;
  if (tree.bodies.empty()) return "";
  const model::Inertia& grounded = tree.grounded;
  const bool counts_grounded = grounded.mass != 0.0 && has_sums_of_mass(request);
  const auto flag = [](bool holds) { return holds ? "yes" : ""; };
  std::vector<Replacement> values{{"name", emitted_name(request.name)},
                                  {"frames", frames_table(tree)},
                                  {"has_common_frames", flag(!tree.own_frames.empty())},
                                  {"has_plain_frames", flag(formulation_has(request, "plain frames"))},
                                  {"grounded_mass", counts_grounded ? number(grounded.mass) : ""},
                                  {"grounded_moment", vector(grounded.h)},
                                  {"has_other_inertias", flag(has_other_inertias(request))},
                                  {"inertias", inertias_table(request, tree)},
                                  {"chosen_inputs", chosen_inputs_table(tree)},
                                  {"has_payloads", flag(!tree.chosen.payloads.empty())},
                                  {"names", names_table(request)}};
  add_lanes(request, values);
  return as_comment(render(skeleton("cpp/reading_guide"), values));
}

}  // namespace featherline::emit
