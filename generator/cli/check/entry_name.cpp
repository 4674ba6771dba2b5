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

/// Coordinates of entry `index` of a vector, matrix or tensor with `extent` numbers along each side.
std::string coordinates(const model::Tree& tree, std::size_t index, std::size_t size, std::size_t extent) {
  const auto n = static_cast<std::size_t>(tree.nv);
  std::string names;
  for (std::size_t left = size; left > 1 || names.empty(); left /= extent) {
    names += (names.empty() ? "" : ", ") + coordinate_name(tree, index % extent % n);
    index /= extent;
    if (extent < 2) break;
  }
  return names;
}

std::string in_link(const Entry& entry, const model::Tree& tree, std::size_t numbers) {
  const model::Link& link = tree.links[entry.index / numbers];
  return fmt::format("{}[{}] (link {})", entry.array, entry.index % numbers, link.name);
}

std::string in_jacobian(const Entry& entry, const model::Tree& tree) {
  constexpr const char* frames[] = {"local_world_aligned", "local", "world"};
  const std::size_t size = 6 * static_cast<std::size_t>(tree.nv), block = entry.index / size;
  const std::size_t index = entry.index % size;
  return fmt::format("J[{}] (link {}, {}, {})", index, tree.links[block % tree.links.size()].name,
                     coordinate_name(tree, index / 6), frames[block / tree.links.size()]);
}

}  // namespace

std::string entry_name(const Entry& entry, const std::string& algorithm, const model::Tree& tree) {
  if (entry.array_size == 0) return "-";  // no joint moves
  if (algorithm == "frame_jacobian") return in_jacobian(entry, tree);
  if (algorithm == "forward_kinematics") return in_link(entry, tree, entry.array == "R" ? 9 : 3);
  const auto n = static_cast<std::size_t>(tree.nv);
  const std::string place =
      entry.array.find(' ') == std::string::npos ? entry.array : "(" + entry.array + ")";
  return fmt::format("{}[{}] ({})", place, entry.index,
                     coordinates(tree, entry.index, entry.array_size, entry.array == "H" ? 2 * n : n));
}

}  // namespace featherline::cli
