#include "cost/estimate.hpp"

#include "cost/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace featherline::cost {
namespace {

/// Flops of the walk (kinematics.hpp of the runtime): to place a link in its body, or its origin only; to make an angle
/// of a coordinate; to reach the reference point from a body; of a column of the Jacobian; to add a column, times the
/// mimic multiplier.
constexpr int link_flops = 63, origin_flops = 18, joint_angle_flops = 2, lever_flops = 3, turn_flops = 9,
              screw_flops = 15, coupled_flops = 12;

int jacobian_flops(const ir::LinkWalk& walk, kinematics::Motion motion) {
  const bool coupled = walk.coupled();
  int flops = lever_flops;
  for (int k = 0; k < kinematics::num_axes(motion); ++k) {
    const bool turns = kinematics::axis_of(motion, k) >= 3;
    flops += motion == kinematics::Motion::screw ? screw_flops : turns ? turn_flops : 0;
    if (coupled) flops += coupled_flops;
  }
  return flops;
}

/// The costs of reaching one link.
Figures figures_of_link(const ir::LinkWalk& walk, const kinematics::LinkInfo<double>& link, bool jacobian) {
  Figures figures;
  const bool plain = walk.plain_angles();
  if (link.body >= 0 && !link.at_body) figures.flops += jacobian ? origin_flops : link_flops;
  for (int b = link.body; b >= 0; b = walk.parent(b)) {
    const auto body = static_cast<std::size_t>(b);
    figures.flops += ir::count_cost(walk.steps[body]).flops;
    figures.statements += walk.steps[body].num_statements();
    if (kinematics::has_angle(walk.bodies[body].motion)) {
      ++figures.sincos;
      if (!plain) figures.flops += joint_angle_flops;
    }
    if (jacobian) figures.flops += jacobian_flops(walk, walk.bodies[body].motion);
  }
  return figures;
}

int table_bytes(const ir::LinkWalk& walk, int real) {
  const int body = 4 * 4 + 3 * real, run = 2 * 4, link = 2 * 4 + 12 * real;
  return body * static_cast<int>(walk.bodies.size()) + run * static_cast<int>(walk.runs.size()) +
         link * static_cast<int>(walk.links.size());
}

/// The walk as g++ -O2 compiles it, with sincos, plus the steps. Steps are short and their operands are in memory. Half
/// the estimate for longer functions fits the steps of arm6, quadruped and humanoid to 4 %.
int x86_code_bytes(const ir::LinkWalk& walk, bool jacobian) {
  int steps = table_bytes(walk, 8);
  for (const ir::Kernel& step : walk.steps) steps += estimate(step, Target::x86_64).code_bytes;
  return 3400 + (jacobian ? 780 : 0) + steps / 2;
}

/// What a step computes, without its constants. g++ merges the tails of steps that differ only in constants.
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

/// Whether a joint of the walk moves in this way.
bool has(const ir::LinkWalk& walk, kinematics::Motion motion) {
  return (walk.motions() >> static_cast<int>(motion) & 1) != 0;
}

bool has_larger_joints(const ir::LinkWalk& walk) {
  return has(walk, kinematics::Motion::planar) || has(walk, kinematics::Motion::floating);
}

/// Fitted to g++ 12.2 -O2 on 19 robots, fixed and floating, plus 5 % of all but the tables.
/// The errors are -5 % to +15 %.
int cortex_m_walk_bytes(const ir::LinkWalk& walk, bool jacobian) {
  std::set<std::string> shapes;
  int flops = 0;
  for (const ir::Kernel& step : walk.steps) {
    if (shapes.insert(shape(step)).second) flops += ir::count_cost(step).flops;
  }
  const int steps = static_cast<int>(walk.steps.size());
  const bool planar = has(walk, kinematics::Motion::planar), larger = has_larger_joints(walk);
  const int code = jacobian ? 1080 + 114 * steps + 295 * flops / 100 +
                                  (planar   ? 590
                                   : larger ? 194
                                            : 0)
                            : 776 + 118 * steps + 207 * flops / 100 - (larger ? 113 : 0);
  return code + table_bytes(walk, 4);
}

/// The frames of the walk and of sincos. The arrays depend on the longest path.
int cortex_m_walk_stack(const ir::LinkWalk& walk, bool jacobian) {
  const int angles = 2 * walk.max_path + 1, poses = 12 * (jacobian ? walk.max_path : 0);
  const bool larger = has_larger_joints(walk);
  const int spilled = jacobian ? 12 + (larger ? 28 : 0) : larger || walk.max_path > 7 ? 32 : 0;
  return 4 * (angles + poses + 2 * walk.max_runs) + 160 + spilled + cortex_m_sincos_stack;
}

/// Local arrays, and code and stack of routines.
Figures figures_of_calls(const ir::Kernel& kernel, Target target) {
  Figures figures;
  const int scalar_bytes = is_cortex_m(target) ? 4 : 8;
  for (const ir::Buffer& local : kernel.locals) figures.stack_bytes += scalar_bytes * local.size;
  for (const ir::Call* call : kernel.calls()) {
    figures.code_bytes += call->cost.code_bytes;
    figures.stack_bytes += scalar_bytes * call->cost.stack_entries;
  }
  return figures;
}

/// Code and stack of the straight lines of a kernel and of the bodies of its calls.
Figures straight_line_figures(const ir::Kernel& kernel, Target target) {
  const InstructionCounts counts = count_instructions(kernel, machine(target));
  Figures figures;
  figures.code_bytes = code_bytes(counts, target);
  int below = 0;
  for (const ir::Kernel* body : kernel.bodies()) {
    const Figures of_body = straight_line_figures(*body, target);
    figures.code_bytes += of_body.code_bytes;
    const Figures of_calls = figures_of_calls(*body, target);
    figures.code_bytes += of_calls.code_bytes;
    below = std::max(below, of_body.stack_bytes + of_calls.stack_bytes);
  }
  figures.stack_bytes = stack_bytes(counts, target) + below;
  return figures;
}

/// All figures but the time.
Figures count_figures(const ir::Kernel& kernel, Target target) {
  Figures figures;
  for (const ir::Call* call : kernel.calls()) {
    if (call->walk) figures = link_walk_figures(*call, target);
  }
  if (figures.code_bytes > 0 && kernel.locals.empty()) return figures;  // nothing beside the walk
  const Figures lines = straight_line_figures(kernel, target), of_calls = figures_of_calls(kernel, target);
  const ir::Cost cost = ir::count_cost(kernel);
  figures.flops += cost.flops;
  figures.sincos += cost.sincos;
  figures.statements += kernel.num_statements();
  figures.code_bytes += lines.code_bytes + of_calls.code_bytes;
  figures.stack_bytes += lines.stack_bytes + of_calls.stack_bytes;
  return figures;
}

/// What a call reads and writes.
void count_touched(const ir::Kernel& kernel, const Figures& figures, Work& work) {
  constexpr int scalar_bytes = 8;
  work.run_code = work.walk_flops > 0 ? figures.code_bytes : work.code_bytes;
  work.stack_bytes = figures.stack_bytes;
  for (const auto* buffers : {&kernel.inputs, &kernel.outputs}) {
    for (const ir::Buffer& buffer : *buffers) work.data_bytes += scalar_bytes * buffer.size;
  }
  for (const ir::Call* call : kernel.calls()) work.table_bytes += call->cost.table_bytes;
  work.run_code -= work.table_bytes;
}

}  // namespace

const std::vector<TargetName>& target_names() {
  static const std::vector<TargetName> names{
      {"x86-64", Target::x86_64}, {"cortex-m7", Target::cortex_m7}, {"cortex-m4f", Target::cortex_m4f}};
  return names;
}

std::string name(Target target) {
  return std::ranges::find(target_names(), target, &TargetName::target)->name;
}

std::string time_words(Target target, int flash_wait_states) {
  if (!is_cortex_m(target))
    return "predicted time of a call in double, compiled with -O2 -march=native; ~cold: of one that finds "
           "nothing in the caches";
  return "predicted cycles of the longest way through a call, not measured on a chip, " +
         (flash_wait_states == 0
              ? std::string("where memory is as fast as the core (see --flash-wait-states)")
              : fmt::format("with {} wait states of flash, without prefetch and cache", flash_wait_states));
}

const Machine& machine(Target target) { return is_cortex_m(target) ? cortex_m : x86; }

Target usual_target(const std::vector<std::string>& scalars) {
  return std::ranges::count(scalars, "double") > 0 ? Target::x86_64 : Target::cortex_m7;
}

Figures link_walk_figures(const ir::Call& call, Target target) {
  const ir::LinkWalk& walk = *call.walk;
  const bool jacobian = call.routine == ir::Routine::frame_jacobian;
  Figures worst;
  for (const auto& link : walk.links) {
    const Figures figures = figures_of_link(walk, link, jacobian);
    if (figures.flops > worst.flops) worst = figures;
  }
  if (is_cortex_m(target)) {
    worst.stack_bytes = cortex_m_walk_stack(walk, jacobian);
    worst.code_bytes = cortex_m_walk_bytes(walk, jacobian);
    return worst;
  }
  // The poses, sines and cosines of a path, a block of angles, and what is spilled.
  const int scalars = 16 * (jacobian ? walk.max_path + 4 : 2) + 2 * walk.max_path + 24;
  worst.stack_bytes = scalars * 8 + walk.max_runs * static_cast<int>(sizeof(int));
  worst.code_bytes = x86_code_bytes(walk, jacobian);
  return worst;
}

Figures estimate(const ir::Kernel& kernel, Target target, int flash_wait_states) {
  Figures figures = count_figures(kernel, target);
  figures.cycles = predict_cycles(kernel, target, flash_wait_states);
  if (is_cortex_m(target)) return figures;
  figures.work = count_work(kernel);
  count_touched(kernel, figures, figures.work);
  figures.ns = predict_ns(figures.work, fitted_time);
  figures.cold_ns = predict_cold_ns(figures.work, fitted_cold);
  return figures;
}

}  // namespace featherline::cost
