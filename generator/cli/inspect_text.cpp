#include "cli/inspect.hpp"
#include "model/joint_type.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::size_t widest_joint_name(const model::Tree& tree) {
  std::size_t width = 5;
  for (const model::Body& body : tree.bodies) width = std::max(width, quoted(body.joint.name).size());
  return width;
}

std::string coordinate_table(const model::Tree& tree) {
  const std::size_t width = widest_joint_name(tree);
  std::string text = "\ncoordinates (SI units, radians)\n";
  text += fmt::format("  {:>8} {:>8}  {:<{}}  {:<11} {:>10} {:>10} {:>10} {:>10}\n", "q", "v", "joint", width,
                      "type", "lower", "upper", "velocity", "effort");
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    text += fmt::format("  {:>8} {:>8}  {:<{}}  {:<11} {:>10} {:>10} {:>10} {:>10}",
                        index_range(joint.idx_q, joint.nq), index_range(joint.idx_v, joint.nv),
                        quoted(joint.name), width, model::name(joint.type), limit_text(joint.limits.lower),
                        limit_text(joint.limits.upper), limit_text(joint.limits.velocity),
                        limit_text(joint.limits.effort));
    if (joint.mimics >= 0) {
      text +=
          fmt::format("  = {:.6g} * {} + {:.6g}", joint.multiplier,
                      quoted(tree.bodies[static_cast<std::size_t>(joint.mimics)].joint.name), joint.offset);
    }
    text += '\n';
  }
  return text;
}

std::string frame_table(const model::Tree& tree) {
  const std::size_t width = widest_joint_name(tree);
  std::string text = "\nbodies (origin and axis in the parent's frame at zero; mass of all that is merged)\n";
  text += fmt::format("  {:<{}}  {:<32} {:<26} {:>10}\n", "joint", width, "origin [m]", "axis", "mass [kg]");
  for (const model::Body& body : tree.bodies) {
    const model::Placement& placement = body.joint.placement;
    text +=
        fmt::format("  {:<{}}  {:<32} {:<26} {:>10.6g}\n", quoted(body.joint.name), width,
                    vector_text(placement.p), vector_text(placement.R * body.joint.axis), body.inertia.mass);
  }
  return text;
}

}  // namespace

std::string inspect_text(const Robot& robot) {
  return heading(robot) + tree_text(robot.tree) + coordinate_table(robot.tree) + frame_table(robot.tree);
}

}  // namespace featherline::cli
