#include "emit/function_files.hpp"

#include "emit/constants.hpp"
#include "emit/identifiers.hpp"
#include "emit/kernel_printer.hpp"
#include "emit/legend.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"
#include "model/regroup.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace featherline::emit {
namespace {

using Row = std::vector<std::string>;

/// Six digits: the code has them all.
std::string number(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + number(value);
  return text;
}

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
    rows.push_back({std::to_string(i + 1), comment_safe(body.name, longest_in_comment),
                    comment_safe(body.joint.name, longest_in_comment),
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
  const auto link = std::find_if(tree.links.begin(), tree.links.end(),
                                 [&](const model::Link& l) { return l.body == i && l.name == name; });
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
  return request.folded_tree != nullptr &&
         std::any_of(request.functions.begin(), request.functions.end(), is_in_lanes);
}

/// Whether a function reads inertias as they are regrouped for inertias and derivatives.
bool has_other_inertias(const Request& request) {
  return std::any_of(request.functions.begin(), request.functions.end(), [](const LoweredFunction& f) {
    const std::vector<const ir::Call*> calls = f.kernel.calls();
    return f.kernel.inertia_tables.count(static_cast<int>(model::Grouping::J_xx)) > 0 ||
           std::any_of(calls.begin(), calls.end(),
                       [](const ir::Call* call) { return call->panels != nullptr; });
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

bool has_statement(const ir::Kernel& kernel, ir::NodeId id) {
  return id >= kernel.inlined.size() || !kernel.inlined[id];
}

/// Places in the legend of what the names in a request's functions speak of.
std::set<std::size_t> named_quantities(const Request& request) {
  std::set<std::size_t> found;
  for (const LoweredFunction& f : request.functions) {
    const ir::Graph& graph = f.kernel.graph;
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
      found.insert(place_in_legend(graph.node_name(id)));
      if (graph.node_name(id).empty() && has_statement(f.kernel, id))
        found.insert(place_in_legend(graph.hint(id)));
    }
  }
  found.erase(legend().size());
  return found;
}

std::string names_table(const Request& request) {
  std::vector<Row> rows;
  for (const std::size_t i : named_quantities(request)) {
    const Quantity& quantity = legend()[i];
    const bool many = quantity.letters.size() > 3;
    rows.push_back(
        {many ? quantity.letters.front() + " ... " + quantity.letters.back() : join(quantity.letters, ", "),
         quantity.meaning});
  }
  rows.push_back({"s_JOINT, c_JOINT", "sine and cosine of what the joint turns by, as the first table says"});
  if (!request.functions.empty())
    rows.push_back({request.functions.front().kernel.outputs.front().name + "_0, ...",
                    "an entry that is not only stored has the name of its array and its number"});
  rows.push_back({"..._part", "used in nothing but the value, or the entries of the quantity, before _part"});
  rows.push_back({"t1, t2, ...", "values without a name of their own"});
  rows.push_back({"ws", "values that cross from one part of a long function to the next"});
  return comment_table(rows);
}

std::string paragraph(const std::string& text) { return fill_lines(text, "// ", "// "); }

bool formulation_has(const Request& request, const char* words) {
  return std::any_of(request.functions.begin(), request.functions.end(), [&](const LoweredFunction& f) {
    return f.kernel.formulation.find(words) != std::string::npos;
  });
}

std::string about_bodies(const Request& request) {
  return "How to read " + emitted_name(request.name) +
         "_*.ipp. Body i is a link behind a moving joint with all that is welded to it; body 0 is the "
         "world. Each body has a frame. Where its joint has one axis, z is that axis; the origin lies "
         "on it, and x points across it so that many numbers vanish. The frame stands in the parent's "
         "at p and rpy (angles about the fixed axes x, y, z, as in URDF); from there the joint turns it "
         "about z or shifts it along z. A number added to q is there because these frames have another "
         "zero than the URDF. Numbers are rounded to six digits here; the code has all.";
}

std::string about_frames(const Request& request) {
  std::string text = "Quantities of a body are in the axes of its own frame and about its origin.";
  if (!request.tracing_tree->own_frames.empty()) {
    text +=
        " Derivatives and coriolis_matrix use the frame of the body under \"derivatives in\" instead. Two "
        "formulations "
        "differ: \"body frames\" has every body in its own frame; \"ground frame\" has all bodies in "
        "one frame, that of the world, or that of the first body where its joint shifts it.";
  }
  if (formulation_has(request, "plain frames")) {
    text +=
        " Functions in \"plain frames\" have z along the joint's axis and the link's origin instead, "
        "which these tables do not show.";
  }
  return text;
}

/// Whether a function needs the mass of all bodies.
bool has_sums_of_mass(const Request& request) {
  return std::any_of(request.functions.begin(), request.functions.end(), [](const LoweredFunction& f) {
    return f.spec->group.name == catalog::whole_body.name && f.spec->depends.inertia;
  });
}

std::string about_inertias(const Request& request) {
  std::string text =
      "The next table says where a body's frame stands in the URDF's link, and which inertia the "
      "equations use: mass m, first moment h (mass times centre of mass), rotational inertia J about "
      "the frame's origin. These are not the URDF's numbers: the part of a body's inertia that its "
      "joint cannot feel is counted with the parent. This changes no torque (base inertial parameters, "
      "Gautier and Khalil 1990).";
  const model::Inertia& grounded = request.tracing_tree->grounded;
  if (grounded.mass != 0.0 && has_sums_of_mass(request))
    text +=
        " Nor does it change mass, momentum and energy of the robot, where mass that has moved to the world "
        "counts "
        "in the centre of mass: m = " +
        number(grounded.mass) + ", h = " + vector(grounded.h) + ".";
  if (has_other_inertias(request))
    text += " Inverse dynamics uses the first J, inertias and derivatives use the other.";
  return text;
}

/// "p[3] ... p[12]".
std::string number_range(const std::string& array, int first, int count) {
  const auto entry = [&](int k) { return array + "[" + std::to_string(k) + "]"; };
  return entry(first) + " ... " + entry(first + count - 1);
}

/// Which number of the chosen inputs is what. Only where some are chosen.
std::vector<std::string> about_chosen_inputs(const model::CanonicalTree& tree) {
  if (!tree.chosen.any()) return {};
  const auto of_link = [&](int i) {
    const model::Link& link = tree.links[index(i)];
    return "link " + comment_safe(link.name, longest_in_comment) + ", which body " +
           std::to_string(link.body + 1) + " carries";
  };
  std::vector<Row> rows;
  for (std::size_t k = 0; k < tree.chosen.forces.size(); ++k)
    rows.push_back({number_range("fext", model::force_entries * static_cast<int>(k), model::force_entries),
                    "force and moment on " + of_link(tree.chosen.forces[k])});
  if (tree.chosen.gravity)
    rows.push_back({number_range("p", 0, model::gravity_entries), "gravity in the axes of the world"});
  for (std::size_t k = 0; k < tree.chosen.payloads.size(); ++k)
    rows.push_back({number_range("p", tree.chosen.first_of_payload(k), model::payload_entries),
                    "payload of " + of_link(tree.chosen.payloads[k])});
  for (std::size_t k = 0; k < tree.chosen.anchors.size(); ++k)
    rows.push_back({number_range("p", tree.chosen.first_of_anchor(k), model::anchor_entries),
                    "where contact " + std::to_string(k + 1) + " is held in the world"});
  if (tree.chosen.stabilisation)
    rows.push_back({number_range("p", tree.chosen.first_of_stabilisation(), model::stabilisation_entries),
                    "KP and KD of the stabilisation of constraints"});
  const char* payloads = "The table has bodies without their payloads. ";
  return {paragraph(std::string(tree.chosen.payloads.empty() ? "" : payloads) +
                    "Inputs that were chosen when this code was generated:"),
          comment_table(rows)};
}

/// About functions in lanes: which limb is where, and their tables if those are other ones.
std::vector<std::string> about_lanes(const Request& request) {
  const model::FoldedTree& tree = *request.folded_tree;
  const std::vector<std::string> tables{frames_table(tree.full), inertias_table(request, tree.full)};
  const bool same_frames = tables == std::vector<std::string>{frames_table(*request.tracing_tree),
                                                              inertias_table(request, *request.tracing_tree)};
  const MirroredLanes mirrored = mirrored_lanes(request);
  const std::string signs =
      mirrored.empty()
          ? ""
          : "A name such as mir_w3_y is w3_y with the other sign in the limbs that mirror the first "
            "one; the last column names them. ";
  std::vector<std::string> parts{
      paragraph(
          "Functions in \"limb lanes\" compute equal limbs side by side, one in each lane of a value of type "
          "featherline::Lanes, as the next table says. Such a value has the name of the first limb's: " +
          lanes_example(tree) +
          ", and s_WORDS_limbs, c_WORDS_limbs hold the sines and cosines of these limbs' joints, whose names "
          "all "
          "have these words. Numbers that differ between limbs stand first in a function, one for each lane; "
          "lanes_1, lanes_2, ... are those without a name of their own. lane_sum adds the lanes where the "
          "limbs "
          "meet the body that carries them. " +
          signs + "An operation on all lanes counts as one flop."),
      lanes_table(tree, mirrored)};
  if (same_frames) return parts;
  parts.push_back(
      paragraph("The frames of equal limbs are chosen together there, so that a number that is zero in one "
                "limb is zero in the others. So these functions have frames and inertias of their own:"));
  parts.insert(parts.end(), tables.begin(), tables.end());
  return parts;
}

constexpr const char* about_names =
    "Names end in the body's number and the component: w3_y is the y component of w of body 3, J3_xy is "
    "an entry of a matrix, and S3w_x belongs to the angular half of a spatial vector. Motions have the "
    "halves w and u, forces n and f. An m behind the number says that the quantity is now in the common "
    "frame of a body nearer to the root; a, b, ... tell the axes of one joint apart. neg_w3_y is minus "
    "w3_y: signs are moved to where they cost nothing. Quantities that are equal for this robot are one "
    "value; its "
    "other names stand behind it.";

}  // namespace

std::string reading_guide(const Request& request) {
  const model::CanonicalTree& tree = *request.tracing_tree;
  if (tree.bodies.empty()) return "";
  std::vector<std::string> parts{paragraph(about_bodies(request)), frames_table(tree),
                                 paragraph(about_frames(request)), paragraph(about_inertias(request)),
                                 inertias_table(request, tree)};
  for (std::string& part : about_chosen_inputs(tree)) parts.push_back(std::move(part));
  parts.insert(parts.end(), {paragraph(about_names), names_table(request)});
  if (has_lanes(request)) {
    for (std::string& part : about_lanes(request)) parts.push_back(std::move(part));
  }
  return join(parts, "\n//\n");
}

}  // namespace featherline::emit
