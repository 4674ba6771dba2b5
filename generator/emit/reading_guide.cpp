#include "emit/reading_guide.hpp"

#include "emit/signature.hpp"
#include "emit/text.hpp"
#include "model/regroup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace featherline::emit {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t longest_name = 32;

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
  switch (joint.type) {
    case model::JointType::revolute:
    case model::JointType::continuous:
      return "turn " + q;
    case model::JointType::prismatic:
      return "shift " + q;
    case model::JointType::helical:
      return "turn " + q + ", shift " + number(joint.pitch) + " of that";
    case model::JointType::planar:
      return "shift x y, turn: " + q;
    case model::JointType::spherical:
      return "quaternion " + q;
    case model::JointType::floating:
      return "shift x y z, quaternion: " + q;
    case model::JointType::cylindrical:
    case model::JointType::universal:
      break;
  }
  return q;
}

/// The body, counted from 1, in whose frame piecewise common frames express body i; 0 is the world.
int home(const model::Tree& tree, int i) {
  while (i >= 0 && !tree.frame_roots[static_cast<std::size_t>(i)])
    i = tree.bodies[static_cast<std::size_t>(i)].parent;
  return i + 1;
}

std::string frames_table(const model::Tree& tree) {
  const bool has_homes = !tree.frame_roots.empty();
  std::vector<Row> rows{{"body", "link", "joint", "v", "parent", "p [m]", "rpy [rad]", "motion"}};
  if (has_homes) rows.front().insert(rows.front().begin() + 5, "home");
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i) {
    const model::Body& body = tree.bodies[static_cast<std::size_t>(i)];
    rows.push_back({std::to_string(i + 1), comment_safe(body.name, longest_name),
                    comment_safe(body.joint.name, longest_name),
                    entries("v", body.joint.idx_v, body.joint.nv), std::to_string(body.parent + 1),
                    vector(body.joint.placement.p), roll_pitch_yaw(body.joint.placement.R),
                    motion(body.joint)});
    if (has_homes) rows.back().insert(rows.back().begin() + 5, std::to_string(home(tree, i)));
  }
  return comment_table(rows);
}

/// Pose of the body's frame in that of the link right behind the joint.
Row pose_in_link(const model::Tree& tree, int i) {
  const std::string& name = tree.bodies[static_cast<std::size_t>(i)].name;
  const auto link = std::find_if(tree.links.begin(), tree.links.end(),
                                 [&](const model::Link& l) { return l.body == i && l.name == name; });
  if (link == tree.links.end()) return {"-", "-"};  // between the two axes of one joint
  const model::Placement X_LB = link->placement.inverse();
  return {vector(X_LB.p), roll_pitch_yaw(X_LB.R)};
}

std::string matrix(const model::Matrix3& J) {
  return numbers({J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)});
}

/// Whether a function has rotational inertias as regroup_inertias() leaves them by default.
bool is_inverse_dynamics(const FunctionRequest& f) {
  return f.algorithm->name == "rnea" || f.algorithm->name == "bias" || f.algorithm->name == "gravity";
}

std::string inertias_table(const Request& request) {
  const model::Tree& tree = *request.tracing_tree;
  const auto other = [](const FunctionRequest& f) {
    return !is_inverse_dynamics(f) && !is_kinematics(*f.algorithm);
  };
  const bool has_others = std::any_of(request.functions.begin(), request.functions.end(), other);
  const model::Tree others = model::regroup_inertias(tree, model::Grouping::J_xx);
  std::vector<Row> rows{
      {"body", "p in link", "rpy in link", "m [kg]", "h [kg m]", "J [kg m^2]: xx yy zz xy xz yz"}};
  if (has_others) rows.front().push_back("J of other functions");
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Inertia& inertia = tree.bodies[i].inertia;
    const Row pose = pose_in_link(tree, static_cast<int>(i));
    rows.push_back({std::to_string(i + 1), pose[0], pose[1], number(inertia.mass), vector(inertia.h),
                    matrix(inertia.J)});
    if (has_others) rows.back().push_back(matrix(others.bodies[i].inertia.J));
  }
  return comment_table(rows);
}

struct Quantity {
  const char *letters, *meaning;
};

// In the order they are computed. Without a meaning: told with the one before.
constexpr Quantity legend[] = {
    {"w", "angular velocity"},
    {"wd", "angular acceleration"},
    {"a", "acceleration of the frame's origin minus gravity"},
    {"o", "the same of the parent's point at that place, in the parent's axes"},
    {"wxwy", "product of two components of w; so are wxwz and wywz"},
    {"wxwz", nullptr},
    {"wywz", nullptr},
    {"u", "velocity of the body's point at the frame's origin"},
    {"aw", "spatial acceleration, angular half"},
    {"au", "spatial acceleration, linear half, minus gravity"},
    {"h", "first moment, m times the centre of mass, of the body and all it carries"},
    {"J",
     "rotational inertia about the frame's origin, of the body and all it carries; articulated where the "
     "section says so"},
    {"K",
     "with momentum (n, f): body Coriolis matrix 2 B = [K - [n]x, 0; -2 [f]x, 0], of the body and all it "
     "carries"},
    {"f", "force through the joint: what the body and all it carries need"},
    {"n", "moment through the joint, about the frame's origin"},
};

/// The letters that a label begins with: "wd" of "neg_wd3_y". Empty where it is not of that form.
std::string quantity_of(const std::string& label) {
  const std::size_t begin = label.starts_with("neg_") ? 4 : 0;
  const std::size_t end = label.find_first_of("0123456789_", begin);
  return end == label.npos || label[end] == '_' ? "" : label.substr(begin, end - begin);
}

/// Quantities that the names in a request's functions speak of.
std::set<std::string> named_quantities(const Request& request) {
  std::set<std::string> found;
  for (const FunctionRequest& f : request.functions) {
    const ir::Graph& graph = f.program.function.graph;
    for (ir::NodeId id = 0; id < graph.size(); ++id) found.insert(quantity_of(graph.node_name(id)));
  }
  return found;
}

std::string names_table(const Request& request) {
  const std::set<std::string> found = named_quantities(request);
  std::vector<Row> rows;
  for (const Quantity& quantity : legend) {
    if (quantity.meaning != nullptr && found.count(quantity.letters) > 0)
      rows.push_back({quantity.letters, quantity.meaning});
  }
  rows.push_back({"s_JOINT, c_JOINT", "sine and cosine of what the joint turns by, as the first table says"});
  rows.push_back({"t1, t2, ...", "values without a name of their own"});
  return comment_table(rows);
}

std::string paragraph(const std::string& text) { return fill_lines(text, "// ", "// "); }

bool formulation_has(const Request& request, const char* words) {
  return std::any_of(request.functions.begin(), request.functions.end(), [&](const FunctionRequest& f) {
    return f.program.function.formulation.find(words) != std::string::npos;
  });
}

}  // namespace

std::string reading_guide(const Request& request) {
  const model::Tree& tree = *request.tracing_tree;
  const std::string name = emitted_name(request.name);
  if (tree.bodies.empty()) return "";
  std::vector<std::string> parts{
      paragraph(
          "How to read " + name +
          "_*.ipp. Body i is a link behind a moving joint with all that is welded to it; body 0 is the "
          "world. Each has "
          "a frame. Where its joint has one axis, z is that axis; the origin lies on it and x points across "
          "it "
          "so that many numbers vanish. The frame stands in the parent's at p and rpy (angles about the "
          "fixed "
          "axes x, y, z, as in URDF); from there the joint turns it about z or shifts it along z. A number "
          "added to q is there because these frames have another zero than the URDF. Numbers are rounded to "
          "six digits here; the code has all."),
      frames_table(tree)};
  if (!tree.frame_roots.empty()) {
    parts.push_back(paragraph(
        "Quantities of a body are in the axes and about the origin of its own frame; in derivatives and in "
        "coriolis_matrix of that of body \"home\", unless the formulation is \"body frames\" or \"ground "
        "frame\" (of "
        "the world, or of the first body where that one is shifted)."));
  } else {
    parts.push_back(paragraph("Quantities of a body are in the axes and about the origin of its own frame."));
  }
  if (formulation_has(request, "plain frames")) {
    parts.push_back(
        paragraph("Functions in \"plain frames\" have z along the joint's axis and the link's origin "
                  "instead, which these tables do not show."));
  }
  parts.push_back(
      paragraph("Next: where the frame is in the URDF's link, and the inertia that the equations use: mass "
                "m, first moment h, "
                "rotational inertia J about the frame's origin. It is not the URDF's: what a joint cannot "
                "feel of its body's "
                "inertia is counted with the parent, which changes no torque (base inertial parameters, "
                "Gautier and Khalil "
                "1990). The first J is that of rnea, bias and gravity."));
  parts.push_back(inertias_table(request));
  parts.push_back(paragraph(
      "Names end in the body's number and the component: w3_y is y of w of body 3, J3_xy an entry "
      "of a symmetric matrix. neg_w3_y is minus w3_y: signs are moved to where they cost nothing."));
  parts.push_back(names_table(request));
  return join(parts, "\n//\n");
}

namespace {

/// What the entries of a joint's velocity are called behind its name.
std::vector<const char*> directions(model::JointType type) {
  switch (type) {
    case model::JointType::floating:
      return {".x", ".y", ".z", ".rx", ".ry", ".rz"};
    case model::JointType::spherical:
      return {".rx", ".ry", ".rz"};
    case model::JointType::planar:
      return {".x", ".y", ".rz"};
    case model::JointType::cylindrical:
      return {".turn", ".shift"};
    case model::JointType::universal:
      return {".first", ".second"};
    default:
      return {""};
  }
}

/// Name of place `index` in a dimension of `size`; empty where it has nothing to do with joints.
std::string place_name(const std::vector<std::string>& coordinates, const std::string& size, int index) {
  const int nv = static_cast<int>(coordinates.size());
  if (size == "nv") return coordinates[static_cast<std::size_t>(index)];
  if (size == "2*nv") return (index < nv ? "q " : "v ") + coordinates[static_cast<std::size_t>(index % nv)];
  return "";
}

/// Extent of a dimension as place_name() understands it; 0 for others.
int extent(const std::vector<std::string>& coordinates, const std::string& size) {
  const int nv = static_cast<int>(coordinates.size());
  return size == "nv" ? nv : size == "2*nv" ? 2 * nv : 0;
}

std::string entry_name(const std::vector<std::string>& coordinates, const std::string& shape, int entry) {
  std::vector<std::string> names;
  for (const std::string& size : dimensions(shape)) {
    const int count = extent(coordinates, size);
    if (count == 0) return "";
    names.push_back(place_name(coordinates, size, entry % count));
    entry /= count;
  }
  return join(names, ", ");
}

/// By output and packed entry: a place in the dense array, the first of several.
std::vector<std::vector<int>> dense_places(const FunctionRequest& function) {
  std::vector<std::vector<int>> places;
  for (std::size_t o = 0; o < function.packed_maps->size(); ++o) {
    places.emplace_back(static_cast<std::size_t>(function.program.function.outputs[o].size), -1);
    for (const passes::PackedEntry& entry : (*function.packed_maps)[o]) {
      int& place = places.back()[static_cast<std::size_t>(entry.packed_index)];
      if (place < 0 && !entry.negated) place = entry.dense_index;
    }
  }
  return places;
}

}  // namespace

std::vector<std::string> coordinate_names(const model::Tree& tree) {
  std::vector<std::string> names(static_cast<std::size_t>(tree.nv));
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // moves with its driver's coordinate
    std::size_t k = static_cast<std::size_t>(body.joint.idx_v);
    for (const char* direction : directions(body.joint.type))
      names[k++] = comment_safe(body.joint.name, longest_name) + direction;
  }
  return names;
}

EntryNames entry_names(const FunctionRequest& function, const model::Tree& tree) {
  if (function.program.function.completion) return {};  // it stores what loops read
  std::vector<std::string> shapes;
  for (const algorithms::Argument& output : function.algorithm->outputs) shapes.push_back(output.shape);
  const std::vector<std::string> coordinates = coordinate_names(tree);
  if (!function.packed_maps) {
    return [=](int output, int entry) {
      return entry_name(coordinates, shapes[static_cast<std::size_t>(output)], entry);
    };
  }
  return [=, places = dense_places(function)](int output, int entry) {
    const auto o = static_cast<std::size_t>(output);
    const int place = places[o][static_cast<std::size_t>(entry)];
    return place < 0 ? "" : entry_name(coordinates, shapes[o], place);
  };
}

}  // namespace featherline::emit
