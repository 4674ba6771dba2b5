#include "model/overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace featherline::model {

std::vector<std::vector<const Link*>> links_by_body(const Tree& tree) {
  std::vector<std::vector<const Link*>> links(tree.bodies.size() + 1);
  for (const Link& link : tree.links) {
    const std::size_t body = link.body < 0 ? tree.bodies.size() : static_cast<std::size_t>(link.body);
    const bool own = link.body >= 0 && link.name == tree.bodies[body].name;
    links[body].insert(own ? links[body].begin() : links[body].end(), &link);
  }
  return links;
}

std::vector<TreeLine> walk(const Tree& tree) {
  std::vector<std::vector<int>> children(tree.bodies.size());
  std::vector<TreeLine> open, lines;  // a stack of our own: chains of 100,000 links exist
  for (int i = static_cast<int>(tree.bodies.size()); i-- > 0;) {
    const int parent = tree.bodies[static_cast<std::size_t>(i)].parent;
    if (parent < 0)
      open.push_back({i, 0});
    else
      children[static_cast<std::size_t>(parent)].push_back(i);
  }
  while (!open.empty()) {
    const TreeLine line = open.back();
    open.pop_back();
    lines.push_back(line);
    for (const int child : children[static_cast<std::size_t>(line.body)])
      open.push_back({child, line.depth + 1});
  }
  return lines;
}

Masses sum_masses(const Tree& tree) {
  Masses sum;
  for (const Link& link : tree.links) (link.body < 0 ? sum.welded_to_world : sum.moving) += link.mass;
  return sum;
}

std::string coordinate_axis(const Vector3& axis) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(axis[k]) > 1.0 - 1e-9) return std::string(axis[k] < 0.0 ? "-" : "") + "xyz"[k];
  }
  return {};
}

std::string describe_lock(const Tree& tree, const Link& link,
                          const std::function<std::string(const std::string&)>& print) {
  if (link.lock < 0) return {};
  const LockedJoint& joint = tree.locked[static_cast<std::size_t>(link.lock)];
  return fmt::format("{} {}, locked at {:.6g}", name(joint.type), print(joint.name),
                     fmt::join(joint.position, " "));
}

std::string index_range(int first, int count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + ".." + std::to_string(first + count - 1);
}

}  // namespace featherline::model
