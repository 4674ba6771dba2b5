#include "cli/inspect.hpp"
#include "cli/text_table.hpp"
#include "model/joint_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace featherline::cli {
namespace {

std::string vector_text(const model::Vector3& v) {
  return fmt::format("{:.6g} {:.6g} {:.6g}", v.x(), v.y(), v.z());
}

std::string limit_text(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"; }

std::string heading(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const Masses mass = sum_masses(tree);
  std::string text = fmt::format("robot {} ({})\n", quoted(tree.name), robot.description.file);
  text += fmt::format("  sha256   {}\n", robot.description.sha256);
  text += fmt::format("  size     {} links, {} moving bodies, nq = {}, nv = {}\n", tree.links.size(),
                      tree.bodies.size(), tree.nq, tree.nv);
  text += fmt::format("  mass     {:.6g} kg in all: {:.6g} kg moving, {:.6g} kg welded to the world\n",
                      mass.moving + mass.welded_to_world, mass.moving, mass.welded_to_world);
  text += fmt::format("  base     {}\n", describe_base(tree));
  text += fmt::format("  gravity  {} m/s^2 in world axes\n", vector_text(tree.gravity));
  return text;
}

std::string indent(int depth) {
  constexpr int deepest =
      30;  // beyond that the depth is a number, or a long chain's picture grows quadratically
  if (depth <= deepest) return std::string(static_cast<std::size_t>(2 * depth), ' ');
  return fmt::format("{}({}) ", std::string(2 * deepest, ' '), depth);
}

std::string merged_text(const std::vector<const model::Link*>& links, std::size_t first,
                        const std::string& lead) {
  std::string text;
  for (std::size_t k = first; k < links.size(); ++k)
    text += fmt::format("{}+ {}\n", lead, quoted(links[k]->name));
  return text;
}

std::string tree_text(const model::Tree& tree) {
  const auto links = links_by_body(tree);
  std::string text = "\ntree (+ marks links that fixed joints merge into the one above)\n  world\n";
  text += merged_text(links.back(), 0, "    ");
  for (const TreeLine& line : walk(tree)) {
    const model::Body& body = tree.bodies[static_cast<std::size_t>(line.body)];
    const std::string lead = "    " + indent(line.depth);
    text +=
        fmt::format("{}{}  <- {} {}, q[{}] v[{}]\n", lead, quoted(body.name), model::name(body.joint.type),
                    quoted(body.joint.name), index_range(body.joint.idx_q, body.joint.nq),
                    index_range(body.joint.idx_v, body.joint.nv));
    text += merged_text(links[static_cast<std::size_t>(line.body)], 1, lead + "  ");
  }
  return text;
}

constexpr auto left = TextTable::Side::left, right = TextTable::Side::right;

std::string coordinate_table(const model::Tree& tree) {
  TextTable table({{"q", right},
                   {"v", right},
                   {"joint", left},
                   {"type", left},
                   {"lower", right},
                   {"upper", right},
                   {"velocity", right},
                   {"effort", right}});
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    std::vector<std::string> cells{index_range(joint.idx_q, joint.nq), index_range(joint.idx_v, joint.nv),
                                   quoted(joint.name), model::name(joint.type)};
    for (const double limit :
         {joint.limits.lower, joint.limits.upper, joint.limits.velocity, joint.limits.effort})
      cells.push_back(limit_text(limit));
    if (joint.mimics >= 0) {
      const model::Joint& driver = tree.bodies[static_cast<std::size_t>(joint.mimics)].joint;
      cells.push_back(
          fmt::format("= {:.6g} * {} + {:.6g}", joint.multiplier, quoted(driver.name), joint.offset));
    }
    table.add(std::move(cells));
  }
  return "\ncoordinates (SI units, radians)\n" + table.text();
}

std::string frame_table(const model::Tree& tree) {
  TextTable table({{"joint", left},
                   {"origin x", right},
                   {"y", right},
                   {"z [m]", right},
                   {"axis x", right},
                   {"y", right},
                   {"z", right},
                   {"mass [kg]", right}});
  for (const model::Body& body : tree.bodies) {
    const model::Vector3 origin = body.joint.placement.p, axis = body.joint.placement.R * body.joint.axis;
    std::vector<std::string> cells{quoted(body.joint.name)};
    for (const double number :
         {origin.x(), origin.y(), origin.z(), axis.x(), axis.y(), axis.z(), body.inertia.mass})
      cells.push_back(fmt::format("{:.6g}", number));
    table.add(std::move(cells));
  }
  return "\nbodies (origin and axis in the parent's frame at zero; mass of all that is merged)\n" +
         table.text();
}

}  // namespace

std::string inspect_text(const Robot& robot) {
  return heading(robot) + tree_text(robot.tree) + coordinate_table(robot.tree) + frame_table(robot.tree);
}

}  // namespace featherline::cli
