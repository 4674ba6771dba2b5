#include "emit/constants.hpp"

#include "emit/expression.hpp"
#include "emit/identifiers.hpp"
#include "emit/text.hpp"
#include "model/limb_names.hpp"
#include "support/index.hpp"

namespace featherline::emit {
namespace {

std::string shown(const std::string& name) { return comment_safe(name, longest_in_comment); }

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
  std::string text;
  for (int k = 0; k < group.size(); ++k) {
    const std::string number = std::to_string(group.limbs[index(k)].front() + 1);
    text += (k == 0 ? "" : k + 1 < group.size() ? ", " : " and ") + number;
  }
  return text;
}

}  // namespace

std::string limbs_comment(const model::UserTree& tree) {
  std::string text;
  for (const model::LimbGroup& group : model::find_limb_groups(tree))
    text += fill_lines(model::describe_limbs(tree, group, shown), "///   ", "///     ") + "\n";
  return text.empty() ? "" : "/// Equal limbs:\n" + text + "///";
}

namespace {

void add_mirrored(const ir::Kernel& kernel, MirroredLanes& lanes) {
  const ir::Graph& graph = kernel.graph;
  for (ir::NodeId id = 0; id < graph.size(); ++id) {
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

}  // namespace

MirroredLanes mirrored_lanes(const Request& request) {
  MirroredLanes lanes;
  for (const LoweredFunction& function : request.functions) add_mirrored(function.kernel, lanes);
  return lanes;
}

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

std::string lanes_example(const model::FoldedTree& tree) {
  const model::LimbGroup group = groups_in_lanes(tree).front();
  return "w" + std::to_string(group.limbs.front().front() + 1) + " holds w of bodies " + first_bodies(group);
}

}  // namespace featherline::emit
