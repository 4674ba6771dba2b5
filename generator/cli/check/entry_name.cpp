#include "cli/check/entry_name.hpp"

#include <fmt/format.h>

namespace featherline::cli {
namespace {

/// "elbow", or "ball[2]" where the joint has several velocities.
std::string coordinate_name(const model::Tree& tree, std::size_t k) {
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    const auto first = static_cast<std::size_t>(joint.idx_v), size = static_cast<std::size_t>(joint.nv);
    if (joint.mimics >= 0 || k < first || k >= first + size) continue;
    return size == 1 ? joint.name : fmt::format("{}[{}]", joint.name, k - first);
  }
  return std::to_string(k);
}

/// Of what is compared of a function by its name there, and of the equation it solves.
catalog::Shape shape_of(const Entry& entry, const CheckedFunction& function, const model::Tree& tree) {
  for (const catalog::Argument& array : function.reference->compared_arrays(function.spec->outputs)) {
    if (array.name == entry.array) return array.shape;
  }
  using catalog::nv;
  return entry.array_size > static_cast<std::size_t>(tree.nv) ? catalog::Shape{nv, nv} : catalog::Shape{nv};
}

/// Names of the coordinates of an entry, one for each side that has any.
std::vector<std::string> coordinates(const catalog::Shape& shape, std::size_t index,
                                     const model::Tree& tree) {
  std::vector<std::string> names;
  for (const catalog::Dimension& side : shape.sides()) {
    const auto extent = static_cast<std::size_t>(side.size(tree.nq, tree.nv));
    if (side.of == catalog::Dimension::Of::nv)
      names.push_back(coordinate_name(tree, index % extent % static_cast<std::size_t>(tree.nv)));
    index /= extent;
  }
  return names;
}

}  // namespace

std::string entry_name(const Entry& entry, const CheckedFunction& function, const model::Tree& tree) {
  if (entry.array_size == 0) return "-";  // no joint moves
  constexpr const char* frames[] = {"local_world_aligned", "local", "world"};
  const catalog::Shape shape = shape_of(entry, function, tree);
  const auto size = static_cast<std::size_t>(shape.size(tree.nq, tree.nv));
  const std::size_t index = entry.index % size, call = entry.index / size;
  std::vector<std::string> names = coordinates(shape, index, tree);
  if (function.spec->takes_link)
    names.insert(names.begin(), "link " + tree.links[call % tree.links.size()].name);
  if (function.spec->takes_frame) names.emplace_back(frames[call / tree.links.size()]);
  const std::string array =
      entry.array.find(' ') == std::string::npos ? entry.array : "(" + entry.array + ")";
  return fmt::format("{}[{}]", array, index) +
         (names.empty() ? "" : fmt::format(" ({})", fmt::join(names, ", ")));
}

}  // namespace featherline::cli
