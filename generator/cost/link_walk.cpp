#include "cost/link_walk.hpp"

#include "cost/cortex_m.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace featherline::cost {
namespace {

/// Angles of one call of sincos, and coordinates of the largest joint, as kinematics.hpp of the runtime has them.
constexpr int angle_block = 8, largest_joint = 7;

/// Flops of placing a link in its body, and of one Jacobian column with its lever arm; see kinematics.hpp of
/// the runtime. The sum with the column counts multiplications by mimic multipliers too.
constexpr int link_flops = 63, lever_flops = 3, column_flops = 24, joint_angle_flops = 1, mimic_flops = 2;

int step_flops(const ir::LinkWalk& walk, std::size_t body) {
  const auto& info = walk.bodies[body];
  return ir::count_cost(walk.steps[body]).flops + (info.multiplier != 1.0 ? mimic_flops : 0) +
         (info.angle_entry >= 0 ? joint_angle_flops : 0);
}

/// Costs of reaching one link.
Figures figures_of_link(const ir::LinkWalk& walk, const kinematics::LinkInfo<double>& link, bool jacobian) {
  Figures figures;
  if (link.body >= 0 && !link.at_body) figures.flops += link_flops;
  for (int b = link.body; b >= 0; b = walk.bodies[static_cast<std::size_t>(b)].parent) {
    const auto body = static_cast<std::size_t>(b);
    figures.flops += step_flops(walk, body);
    figures.statements += walk.steps[body].num_statements();
    if (walk.bodies[body].angle_entry >= 0) ++figures.sincos;
    if (jacobian) figures.flops += lever_flops + column_flops * walk.bodies[body].nv;
  }
  return figures;
}

int table_bytes(const ir::LinkWalk& walk, int real) {
  const int body = 6 * 4 + 2 * real, link = 2 * 4 + 12 * real;
  return body * static_cast<int>(walk.bodies.size()) + link * static_cast<int>(walk.links.size());
}

/// The walk over the steps as g++ -O2 compiles it, sincos included, and the steps. These are short and their operands
/// are in memory: half of what longer functions take fits arm6, quadruped and humanoid to 4 %.
int x86_code_bytes(const ir::LinkWalk& walk, bool jacobian) {
  int steps = table_bytes(walk, 8);
  for (const ir::Kernel& step : walk.steps) steps += estimate(step, Target::x86_64).code_bytes;
  return 3400 + (jacobian ? 780 : 0) + steps / 2;
}

/// What a step computes, but for its constants: g++ merges the tails of steps that only differ there.
std::string shape(const ir::Kernel& step) {
  std::string text;
  for (ir::NodeId id = 0; id < step.graph.size(); ++id) {
    const ir::Node& node = step.graph[id];
    text += ir::name(node.op);
    if (node.op != ir::Op::constant) text += std::to_string(node.a) + "," + std::to_string(node.b);
    text += ";";
  }
  for (const ir::Store& store : step.stores) {
    text += fmt::format("{}[{}]={};", store.buffer, store.entry, store.value);
  }
  return text;
}

/// Fitted to g++ 12.2 -O2 on 20 robots, 5 % added: -5 % to +10 %.
int cortex_m_walk_bytes(const ir::LinkWalk& walk, bool jacobian) {
  std::set<std::string> shapes;
  int flops = 0;
  for (const ir::Kernel& step : walk.steps) {
    if (shapes.insert(shape(step)).second) flops += ir::count_cost(step).flops;
  }
  return 1020 + (jacobian ? 430 : 0) + 34 * static_cast<int>(walk.steps.size()) + 536 * flops / 100 +
         table_bytes(walk, 4);
}

/// The frames of the walk, whose arrays depend on the longest path, and sincos. A longer path has two blocks of angles,
/// and then g++ makes the Jacobian and the walk one function. Of 20 robots: -2 % to +6 %.
int cortex_m_walk_stack(const ir::LinkWalk& walk, int angles, bool jacobian) {
  const int path = 25 + 4 * walk.max_path + 6 * walk.max_columns;
  const int steps = 2 * walk.max_path + 3 * angles + largest_joint;
  const int rest = jacobian && walk.max_path <= angle_block ? 192 : 84;
  return 4 * (path + steps) + rest + cortex_m_sincos_stack;
}

}  // namespace

Figures link_walk_figures(const ir::LinkWalk& walk, bool jacobian, Target target) {
  Figures worst;
  for (const auto& link : walk.links) {
    const Figures figures = figures_of_link(walk, link, jacobian);
    if (figures.flops > worst.flops) worst = figures;
  }
  const int block = std::min(walk.max_path, angle_block);
  const int angles = (walk.max_path + block - 1) / block * block;
  if (is_cortex_m(target)) {
    worst.stack_bytes = cortex_m_walk_stack(walk, angles, jacobian);
    worst.code_bytes = cortex_m_walk_bytes(walk, jacobian);
    return worst;
  }
  // Path (origins, axes, two poses), the link's own pose, angles with sines and cosines, these once more by
  // body.
  const int path = 3 * walk.max_path + 6 * walk.max_columns + 24;
  constexpr int spilled = 32;  // by the costliest step and the walk: 24 to 40
  const int scalars = path + (jacobian ? 12 : 0) + 3 * angles + 2 * walk.max_path + spilled;
  worst.stack_bytes = scalars * 8 + walk.max_path * static_cast<int>(sizeof(int));
  worst.code_bytes = x86_code_bytes(walk, jacobian);
  return worst;
}

}  // namespace featherline::cost
