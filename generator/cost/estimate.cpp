#include "cost/estimate.hpp"

#include "cost/cortex_m.hpp"
#include "passes/rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <set>

namespace featherline::cost {
namespace {

using ir::NodeId;
using ir::Op;

constexpr int registers = 14;
constexpr int never = INT_MAX;

/// The definition of a named value, or a read of it.
struct Event {
  NodeId value = ir::no_node;
  bool definition = false;
  int next_read = never;  ///< the index of the event that reads it next
};

/// Walks through the statements of one part in order.
class PartCounter {
 public:
  PartCounter(const ir::Kernel& kernel, const std::vector<int>& uses) : kernel_(kernel), uses_(uses) {}

  /// Adds the part to `counts`.
  void count(const ir::StraightLine& part, InstructionCounts& counts) {
    counts.stores += static_cast<int>(part.saves.size());
    counts.reloads += static_cast<int>(part.loads.size());
    for (const ir::Statement& statement : part.statements) {
      if (statement.store < 0 || !is_named(statement.value)) read_operands(statement.value, counts);
      if (statement.store >= 0 && is_named(statement.value)) events_.push_back({statement.value});
      if (statement.store < 0) events_.push_back({statement.value, true});
    }
    count_stores(part.statements, counts);
    find_next_reads();
    spill_furthest_reads(counts);
  }

 private:
  /// Up to four rows of a limb are stored at once.
  void count_stores(const std::vector<ir::Statement>& statements, InstructionCounts& counts) const {
    constexpr std::size_t together = 4;
    for (std::size_t k = 0; k < statements.size();) {
      const std::size_t rows = ir::scatter_length(kernel_, statements, k);
      const auto groups = static_cast<int>((rows + together - 1) / together);
      if (rows > 0) counts.stores += groups * graph()[statements[k].value].lanes;
      if (rows == 0 && statements[k].store >= 0) ++counts.stores;
      k += rows > 0 ? rows : 1;
    }
  }

  const ir::Graph& graph() const { return kernel_.graph; }
  bool is_named(NodeId id) const { return ir::is_operation(graph()[id].op) && !kernel_.inlined[id]; }

  bool is_single_product(NodeId id) const { return graph()[id].op == Op::mul && uses_[id] == 1; }

  /// Counts the operation `id` and the operations inlined in it. Their named operands become events.
  void read_operands(NodeId id, InstructionCounts& counts) {
    const ir::Node& node = graph()[id];
    if (!ir::is_operation(node.op)) return;
    ++counts.operations;
    const bool sum = node.op == Op::add || node.op == Op::sub;
    if (sum && (is_single_product(node.a) || is_single_product(node.b))) ++counts.fused;
    for (const NodeId operand : ir::Operands(node)) {
      if (!ir::is_operation(graph()[operand].op)) continue;
      if (is_named(operand)) {
        events_.push_back({operand});
      } else {
        read_operands(operand, counts);
      }
    }
  }

  void find_next_reads() {
    std::map<NodeId, int> next;
    for (int i = static_cast<int>(events_.size()) - 1; i >= 0; --i) {
      Event& event = events_[static_cast<std::size_t>(i)];
      const auto known = next.find(event.value);
      if (known != next.end()) event.next_read = known->second;
      if (event.definition) {
        next.erase(event.value);
      } else {
        next[event.value] = i;
      }
    }
  }

  void spill_furthest_reads(InstructionCounts& counts) {
    std::map<NodeId, int> in_register;         // each with the index of its next read
    std::set<std::pair<int, NodeId>> by_read;  // the same, sorted by next read: the furthest is last
    std::set<NodeId> spilled;
    for (const Event& event : events_) {
      const auto held = in_register.find(event.value);
      if (held != in_register.end()) {
        by_read.erase({held->second, event.value});
        in_register.erase(held);
      } else if (!event.definition) {
        ++counts.reloads;
      }
      if (event.next_read == never) {
        spilled.erase(event.value);
        continue;
      }
      in_register[event.value] = event.next_read;
      by_read.insert({event.next_read, event.value});
      if (in_register.size() <= registers) continue;
      const auto furthest = std::prev(by_read.end());
      spilled.insert(furthest->second);
      in_register.erase(furthest->second);
      by_read.erase(furthest);
      counts.spill_slots = std::max(counts.spill_slots, static_cast<int>(spilled.size()));
    }
  }

  const ir::Kernel& kernel_;
  const std::vector<int>& uses_;
  std::vector<Event> events_;
};

/// Entries for sines, cosines and the workspace. If the angles are not consecutive inputs, they need an array, too.
int array_entries(const ir::Kernel& kernel) { return 3 * kernel.num_angles() + kernel.workspace_size; }

/// `fixed` bytes plus that many hundredths of a byte. The result is limited to the range of int.
int to_bytes(int fixed, long long hundredths) {
  return static_cast<int>(std::min<long long>(fixed + hundredths / 100, INT_MAX));
}

int straight_line_bytes(const ir::Kernel& kernel, Target target) {
  int bytes = is_cortex_m(target) ? cortex_m_code_bytes(kernel)
                                  : x86_code_bytes(count_instructions(kernel), !kernel.angles().empty());
  for (const ir::Kernel* body : kernel.bodies()) bytes += straight_line_bytes(*body, target);
  return bytes;
}

int straight_line_stack(const ir::Kernel& kernel, Target target) {
  int below = 0;
  for (const ir::Kernel* body : kernel.bodies()) below = std::max(below, straight_line_stack(*body, target));
  if (is_cortex_m(target)) return cortex_m_stack_bytes(kernel) + below;
  const int entries = array_entries(kernel), slots = count_instructions(kernel).spill_slots;
  return 8 * entries + 14 + 912 * slots / 100 + below;
}

}  // namespace

const std::vector<TargetName>& target_names() {
  static const std::vector<TargetName> names{
      {"x86-64", Target::x86_64}, {"cortex-m7", Target::cortex_m7}, {"cortex-m4f", Target::cortex_m4f}};
  return names;
}

std::string name(Target target) {
  for (const TargetName& entry : target_names()) {
    if (entry.target == target) return entry.name;
  }
  return "";
}

bool is_cortex_m(Target target) { return target != Target::x86_64; }

Target usual_target(const std::vector<std::string>& scalars) {
  const bool has_double = std::find(scalars.begin(), scalars.end(), "double") != scalars.end();
  return has_double ? Target::x86_64 : Target::cortex_m7;
}

InstructionCounts count_instructions(const ir::Kernel& kernel) {
  const std::vector<int> uses = passes::count_uses(kernel);
  InstructionCounts counts;
  for (const ir::Clear* clear : kernel.steps_of<ir::Clear>())
    counts.stores += static_cast<int>(clear->entries.size());
  for (const ir::StraightLine* line : kernel.straight_lines()) PartCounter(kernel, uses).count(*line, counts);
  return counts;
}

int x86_code_bytes(const InstructionCounts& counts, bool has_angles) {
  const int sincos = has_angles ? 480 : 0;
  return to_bytes(70 + sincos, 1122LL * counts.operations + 674LL * counts.stores + 361LL * counts.reloads);
}

namespace {

/// All figures but the time.
Figures count_figures(const ir::Kernel& kernel, Target target) {
  for (const ir::Call* call : kernel.calls()) {
    if (call->walk) return link_walk_figures(*call, target);
  }
  const ir::Cost cost = ir::count_cost(kernel);
  Figures figures{cost.flops, cost.sincos, kernel.num_statements(), straight_line_bytes(kernel, target),
                  straight_line_stack(kernel, target)};
  const int scalar_bytes = is_cortex_m(target) ? 4 : 8;
  for (const ir::Buffer& local : kernel.locals) figures.stack_bytes += scalar_bytes * local.size;
  for (const ir::Call* call : kernel.calls()) {
    figures.code_bytes += call->cost.code_bytes;
    figures.stack_bytes += scalar_bytes * call->cost.stack_entries;
  }
  return figures;
}

}  // namespace

Figures estimate(const ir::Kernel& kernel, Target target) {
  Figures figures = count_figures(kernel, target);
  if (is_cortex_m(target)) return figures;
  figures.work = count_work(kernel);
  figures.ns = predict_ns(figures.work, fitted_time);
  return figures;
}

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
    if (walk.bodies[body].angle_entry >= 0) {
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
  return std::any_of(walk.bodies.begin(), walk.bodies.end(),
                     [&](const auto& body) { return body.motion == motion; });
}

bool has_larger_joints(const ir::LinkWalk& walk) {
  return has(walk, kinematics::Motion::planar) || has(walk, kinematics::Motion::floating);
}

/// Fitted to g++ 12.2 -O2 on 19 robots, fixed and floating, plus 5 % of all but the tables. The errors are -2 % to +9 %.
int cortex_m_walk_bytes(const ir::LinkWalk& walk, bool jacobian) {
  std::set<std::string> shapes;
  int flops = 0;
  for (const ir::Kernel& step : walk.steps) {
    if (shapes.insert(shape(step)).second) flops += ir::count_cost(step).flops;
  }
  const int steps = static_cast<int>(walk.steps.size());
  const bool planar = has(walk, kinematics::Motion::planar), larger = has_larger_joints(walk);
  const int code = jacobian ? 1058 + 114 * steps + 295 * flops / 100 +
                                  (planar   ? 590
                                   : larger ? 194
                                            : 0)
                            : 746 + 118 * steps + 207 * flops / 100 - (larger ? 113 : 0);
  return code + table_bytes(walk, 4);
}

/// The frames of the walk and of sincos. The arrays depend on the longest path.
int cortex_m_walk_stack(const ir::LinkWalk& walk, bool jacobian) {
  const int angles = 2 * walk.max_path + 1, poses = 12 * (jacobian ? walk.max_path : 0);
  const bool larger = has_larger_joints(walk);
  const int spilled = jacobian ? 12 + (larger ? 28 : 0) : larger || walk.max_path > 8 ? 32 : 0;
  return 4 * (angles + poses + walk.max_runs) + 160 + spilled + cortex_m_sincos_stack;
}

}  // namespace

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

}  // namespace featherline::cost
