#include "cli/inspect.hpp"

#include "joints/joint_table.hpp"
#include "model/limb_names.hpp"
#include "model/overview.hpp"
#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace featherline::cli {
namespace {

std::string quoted_name(const std::string& name) { return in_quotes(name); }

std::string vector_text(const model::Vector3& v) {
  return fmt::format("{:.6g} {:.6g} {:.6g}", v.x(), v.y(), v.z());
}

std::string heading(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const model::Masses mass = model::sum_masses(tree);
  std::string text = fmt::format("robot {} ({})\n", in_quotes(tree.name), robot.description.file);
  text += fmt::format("  sha256   {}\n", robot.description.sha256);
  text += fmt::format("  size     {} links, {} moving bodies, nq = {}, nv = {}\n", tree.links.size(),
                      tree.bodies.size(), tree.nq, tree.nv);
  text += fmt::format("  mass     {:.6g} kg in all: {:.6g} kg moving, {:.6g} kg welded to the world\n",
                      mass.moving + mass.welded_to_world, mass.moving, mass.welded_to_world);
  text += fmt::format("  base     {}\n", describe_base(tree));
  text += fmt::format("  gravity  {} m/s^2 in world axes{}\n", vector_text(tree.gravity),
                      tree.chosen.gravity ? ", the default of p[0..2]" : "");
  return text;
}

std::string indent(int depth) {
  constexpr int deepest =
      30;  // beyond that the depth is a number, or a long chain's picture grows quadratically
  if (depth <= deepest) return std::string(static_cast<std::size_t>(2 * depth), ' ');
  return fmt::format("{}({}) ", std::string(2 * deepest, ' '), depth);
}

std::string merged_text(const model::Tree& tree, const std::vector<const model::Link*>& links,
                        std::size_t first, const std::string& lead) {
  std::string text;
  for (std::size_t k = first; k < links.size(); ++k) {
    const std::string lock = model::describe_lock(tree, *links[k], quoted_name);
    text += fmt::format("{}+ {}{}{}\n", lead, in_quotes(links[k]->name), lock.empty() ? "" : "  <- ", lock);
  }
  return text;
}

std::string tree_text(const model::Tree& tree) {
  const auto links = model::links_by_body(tree);
  std::string text =
      fmt::format("\ntree (+ marks links that fixed{} joints merge into the one above)\n  world\n",
                  tree.locked.empty() ? "" : " and locked");
  text += merged_text(tree, links.back(), 0, "    ");
  for (const model::TreeLine& line : model::walk(tree)) {
    const model::Body& body = tree.bodies[static_cast<std::size_t>(line.body)];
    const std::string lead = "    " + indent(line.depth);
    text +=
        fmt::format("{}{}  <- {} {}, q[{}] v[{}]\n", lead, in_quotes(body.name), model::name(body.joint.type),
                    in_quotes(body.joint.name), model::index_range(body.joint.idx_q, body.joint.nq),
                    model::index_range(body.joint.idx_v, body.joint.nv));
    text += merged_text(tree, links[static_cast<std::size_t>(line.body)], 1, lead + "  ");
  }
  return text;
}

std::string limbs_text(const model::Tree& tree) {
  std::string text;
  for (const model::LimbGroup& group : model::find_limb_groups(tree))
    text += "  " + model::describe_limbs(tree, group, quoted_name) + "\n";
  return text.empty() ? "" : "\nequal limbs (emitted code may compute them side by side)\n" + text;
}

}  // namespace

std::string describe_base(const model::Tree& tree) {
  if (tree.floating_base) {
    return "floating: the root link moves freely, q[0..6] is its pose and v[0..5] its velocity in its own "
           "axes";
  }
  return "fixed: the root link is welded to the world; --base floating lets it move";
}

std::string inspect_text(const Robot& robot) {
  return heading(robot) + tree_text(robot.tree) + limbs_text(robot.tree) + tables_text(robot.tree);
}

}  // namespace featherline::cli
