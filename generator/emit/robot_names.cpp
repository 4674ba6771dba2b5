#include "emit/robot_names.hpp"

#include "emit/namer.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

namespace featherline::emit {

std::string emitted_name(const std::string& requested) { return identifier(requested, "robot"); }

std::vector<std::string> link_enumerators(const model::Tree& tree) {
  Namer namer("link");
  // The header's constants: g++ calls an enumerator of the same name shadowing.
  for (const char* constant : {"nq", "nv", "num_links", "num_joints", "joints", "joint_names", "link_names"})
    namer.reserve(constant);
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) names.push_back(namer.take(link.name));
  return names;
}

std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder) {
  if (entries.empty()) return "    " + placeholder + "  // there is none: num_... is 0";
  return "    " + join(entries, ",\n    ") + ",";
}

std::string joint_name_rows(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const int i : independent_joints(tree))
    names.push_back(string_literal(tree.bodies[static_cast<std::size_t>(i)].joint.name));
  return array_body(names, "\"\"");
}

std::string link_name_rows(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) names.push_back(string_literal(link.name));
  return array_body(names, "\"\"");
}

std::vector<std::string> pose_step_names(const model::CanonicalTree& tree) {
  Namer namer("body");
  namer.reserve("pose");       // a parameter, and
  namer.reserve("pose_step");  // the switch over the steps
  std::vector<std::string> names;
  for (const model::Body& body : tree.bodies) names.push_back(namer.take("pose_" + body.name));
  return names;
}

std::vector<int> independent_joints(const model::Tree& tree) {
  std::vector<int> bodies;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].joint.mimics < 0) bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

namespace {

/// What an entry of a joint's velocity is called behind its name; nothing where it is the only one.
std::string direction(const model::JointRow& row, const model::Motion& motion) {
  if (row.has_one_axis()) return "";
  const auto axis = static_cast<std::size_t>(motion.along);
  if (row.moves_on_axes())
    return motion.turns() ? (motion.along == model::Direction::axis2 ? ".turn2" : ".turn") : ".shift";
  const char* letters[] = {"x", "y", "z", "z"};  // a planar joint turns about its normal
  return std::string(motion.turns() ? ".r" : ".") + letters[axis];
}

/// What place `index` along one side of an array belongs to: "elbow", of 2 nv places "q elbow" or "v elbow". Empty
/// where it has nothing to do with joints.
std::string place_name(const std::vector<std::string>& coordinates, const catalog::Dimension& side,
                       int index) {
  const int nv = static_cast<int>(coordinates.size());
  if (side == catalog::nv) return coordinates[static_cast<std::size_t>(index)];
  if (side == 2 * catalog::nv)
    return (index < nv ? "q " : "v ") + coordinates[static_cast<std::size_t>(index % nv)];
  return "";
}

std::string entry_name(const std::vector<std::string>& coordinates, const catalog::Shape& shape, int entry) {
  std::vector<std::string> names;
  for (const catalog::Dimension& side : shape.sides()) {
    if (side.of != catalog::Dimension::Of::nv) return "";
    const int count = side.factor * static_cast<int>(coordinates.size());
    names.push_back(place_name(coordinates, side, entry % count));
    entry /= count;
  }
  return join(names, ", ");
}

/// By output and packed entry: a place in the dense array, the first of several.
std::vector<std::vector<int>> dense_places(const FunctionRequest& function) {
  std::vector<std::vector<int>> places;
  for (std::size_t o = 0; o < function.packed_maps->size(); ++o) {
    places.emplace_back(static_cast<std::size_t>(function.kernel.outputs[o].size), -1);
    for (const passes::PackedEntry& entry : (*function.packed_maps)[o]) {
      int& place = places.back()[static_cast<std::size_t>(entry.packed_index)];
      if (place < 0 && !entry.negated) place = entry.dense_index;
    }
  }
  return places;
}

}  // namespace

std::vector<std::string> coordinate_names(const model::UserTree& tree) {
  std::vector<std::string> names(static_cast<std::size_t>(tree.nv));
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // moves with its driver's coordinate
    std::size_t k = static_cast<std::size_t>(body.joint.idx_v);
    const model::JointRow& row = body.joint.row();
    for (const model::Motion& motion : row.motions)
      names[k++] = comment_safe(body.joint.name, longest_in_comment) + direction(row, motion);
  }
  return names;
}

EntryNames entry_names(const FunctionRequest& function, const model::UserTree& tree) {
  std::vector<catalog::Shape> shapes;
  for (const catalog::Argument& output : function.spec->outputs) shapes.push_back(output.shape);
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
