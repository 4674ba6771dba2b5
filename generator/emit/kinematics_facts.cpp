#include "emit/kinematics.hpp"

#include "algorithms/kinematics.hpp"
#include "cost/cortex_m.hpp"
#include "emit/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace featherline::emit {
namespace {

Extent path_extent(const model::CanonicalTree& tree, int body) {
  Extent extent;
  for (int b = body; b >= 0; b = tree.bodies[static_cast<std::size_t>(b)].parent) {
    ++extent.bodies;
    extent.columns += tree.bodies[static_cast<std::size_t>(b)].joint.nv;
  }
  return extent;
}

/// Angles of one call of sincos, and coordinates of the largest joint, as kinematics.hpp of the runtime has them.
constexpr int angle_block = 8, largest_joint = 7;

/// Flops of placing a link in its body, and of one Jacobian column with its lever arm; see kinematics.hpp of
/// the runtime. The sum with the column counts multiplications by mimic multipliers too.
constexpr int link_flops = 63, lever_flops = 3, column_flops = 24, joint_angle_flops = 1, mimic_flops = 2;

int step_flops(const Request& request, int body) {
  const model::Joint& joint = request.tracing_tree->bodies[static_cast<std::size_t>(body)].joint;
  const bool coupled = joint.multiplier != 1.0;
  const bool has_angle = algorithms::angle_of(joint).entry >= 0;
  return ir::count_cost(request.pose_steps[static_cast<std::size_t>(body)].function).flops +
         (coupled ? mimic_flops : 0) + (has_angle ? joint_angle_flops : 0);
}

/// Costs of reaching one link.
FunctionFacts link_facts(const Request& request, const model::Link& link, bool jacobian) {
  const model::CanonicalTree& tree = *request.tracing_tree;
  FunctionFacts facts;
  if (link.body >= 0 && !is_at_body(link)) facts.flops += link_flops;
  for (int b = link.body; b >= 0; b = tree.bodies[static_cast<std::size_t>(b)].parent) {
    facts.flops += step_flops(request, b);
    facts.statements += request.pose_steps[static_cast<std::size_t>(b)].statements;
    if (algorithms::angle_of(tree.bodies[static_cast<std::size_t>(b)].joint).entry >= 0) ++facts.sincos;
    if (jacobian)
      facts.flops += lever_flops + column_flops * tree.bodies[static_cast<std::size_t>(b)].joint.nv;
  }
  return facts;
}

int table_bytes(const Request& request, int real) {
  const int body = 6 * 4 + 2 * real, link = 2 * 4 + 12 * real;
  return body * static_cast<int>(request.tracing_tree->bodies.size()) +
         link * static_cast<int>(request.tracing_tree->links.size());
}

/// The walk over the steps as g++ -O2 compiles it, sincos included, and the steps. These are short and their operands
/// are in memory: half of what longer functions take fits arm6, quadruped and humanoid to 4 %.
int x86_code_bytes(const Request& request, bool jacobian) {
  int steps = table_bytes(request, 8);
  for (const ir::Program& step : request.pose_steps) {
    steps += cost::estimated_code_bytes(step, cost::Target::x86_64);
  }
  return 3400 + (jacobian ? 780 : 0) + steps / 2;
}

/// What a step computes, but for its constants: g++ merges the tails of steps that only differ there.
std::string shape(const ir::Function& step) {
  std::string text;
  for (ir::NodeId id = 0; id < step.graph.size(); ++id) {
    const ir::Node& node = step.graph[id];
    text += ir::name(node.op);
    if (node.op != ir::Op::constant) text += std::to_string(node.a) + "," + std::to_string(node.b);
    text += ";";
  }
  for (const ir::Store& store : step.stores) {
    text += fmt::format("{}[{}]={};", store.parameter, store.entry, store.value);
  }
  return text;
}

/// Fitted to g++ 12.2 -O2 on 20 robots, 5 % added: -5 % to +10 %.
int cortex_m_code_bytes(const Request& request, bool jacobian) {
  std::set<std::string> shapes;
  int flops = 0;
  for (const ir::Program& step : request.pose_steps) {
    if (shapes.insert(shape(step.function)).second) flops += ir::count_cost(step.function).flops;
  }
  return 1020 + (jacobian ? 430 : 0) + 34 * static_cast<int>(request.pose_steps.size()) + 536 * flops / 100 +
         table_bytes(request, 4);
}

/// The frames of the walk, whose arrays depend on the longest path, and sincos. A longer path has two blocks of angles,
/// and then g++ makes the Jacobian and the walk one function. Of 20 robots: -2 % to +6 %.
int cortex_m_stack_bytes(const Extent& longest, int angles, bool jacobian) {
  const int path = 25 + 4 * longest.bodies + 6 * longest.columns;
  const int walk = 2 * longest.bodies + 3 * angles + largest_joint;
  const int rest = jacobian && longest.bodies <= angle_block ? 192 : 84;
  return 4 * (path + walk) + rest + cost::cortex_m_sincos_stack;
}

}  // namespace

Extent longest_path(const model::CanonicalTree& tree) {
  Extent longest{1, 1};
  for (std::size_t b = 0; b < tree.bodies.size(); ++b) {
    const Extent extent = path_extent(tree, static_cast<int>(b));
    longest.bodies = std::max(longest.bodies, extent.bodies);
    longest.columns = std::max(longest.columns, extent.columns);
  }
  return longest;
}

bool is_at_body(const model::Link& link) {
  return link.body >= 0 && link.placement.R == model::Matrix3::Identity() &&
         link.placement.p == model::Vector3::Zero();
}

FunctionFacts kinematics_facts(const Request& request, const catalog::FunctionSpec& function,
                               cost::Target target) {
  const bool jacobian = function.takes_frame;
  FunctionFacts worst;
  for (const model::Link& link : request.tracing_tree->links) {
    const FunctionFacts facts = link_facts(request, link, jacobian);
    if (facts.flops > worst.flops) worst = facts;
  }
  const Extent longest = longest_path(*request.tracing_tree);
  const int block = std::min(longest.bodies, angle_block);
  const int angles = (longest.bodies + block - 1) / block * block;
  worst.formulation = "pose steps; figures of the costliest link";
  if (cost::is_cortex_m(target)) {
    worst.stack_bytes = cortex_m_stack_bytes(longest, angles, jacobian);
    worst.code_bytes = cortex_m_code_bytes(request, jacobian);
    return worst;
  }
  // Path (origins, axes, two poses), the link's own pose, angles with sines and cosines, these once more by
  // body.
  const int path = 3 * longest.bodies + 6 * longest.columns + 24;
  constexpr int spilled = 32;  // by the costliest step and the walk: 24 to 40
  const int scalars = path + (jacobian ? 12 : 0) + 3 * angles + 2 * longest.bodies + spilled;
  worst.stack_bytes = scalars * 8 + longest.bodies * static_cast<int>(sizeof(int));
  worst.code_bytes = x86_code_bytes(request, jacobian);
  return worst;
}

}  // namespace featherline::emit
