#include "emit/kinematics.hpp"

#include "algorithms/kinematics.hpp"
#include "emit/signature.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

Extent path_extent(const model::Tree& tree, int body) {
  Extent extent;
  for (int b = body; b >= 0; b = tree.bodies[static_cast<std::size_t>(b)].parent) {
    ++extent.bodies;
    extent.columns += tree.bodies[static_cast<std::size_t>(b)].joint.nv;
  }
  return extent;
}

/// Flops of placing a link in its body, and of one Jacobian column with its lever arm; see kinematics.hpp of
/// the runtime. The sum with the column counts multiplications by mimic multipliers too.
constexpr int link_flops = 63, lever_flops = 3, column_flops = 24, joint_angle_flops = 1, mimic_flops = 2;

int step_flops(const Request& request, int body) {
  const model::Joint& joint = request.tracing_tree->bodies[static_cast<std::size_t>(body)].joint;
  const bool coupled = joint.multiplier != 1.0;
  const bool has_angle = algorithms::pose_step_angle(*request.tracing_tree, body).entry >= 0;
  return expr::count_cost(request.pose_steps[static_cast<std::size_t>(body)].function).flops +
         (coupled ? mimic_flops : 0) + (has_angle ? joint_angle_flops : 0);
}

/// Costs of reaching one link.
FunctionFacts link_facts(const Request& request, const model::Link& link, bool jacobian) {
  const model::Tree& tree = *request.tracing_tree;
  FunctionFacts facts;
  if (link.body >= 0 && !is_at_body(link)) facts.flops += link_flops;
  for (int b = link.body; b >= 0; b = tree.bodies[static_cast<std::size_t>(b)].parent) {
    facts.flops += step_flops(request, b);
    facts.statements += request.pose_steps[static_cast<std::size_t>(b)].statements;
    if (algorithms::pose_step_angle(tree, b).entry >= 0) ++facts.sincos;
    if (jacobian)
      facts.flops += lever_flops + column_flops * tree.bodies[static_cast<std::size_t>(b)].joint.nv;
  }
  return facts;
}

/// The walk over the steps as g++ -O2 compiles it, sincos included, and the steps. These are short and their operands
/// are in memory: half of what longer functions take fits arm6, quadruped and humanoid to 4 %.
int code_bytes(const Request& request, bool jacobian, passes::Target target) {
  const bool x86 = target == passes::Target::x86_64;
  const int real = x86 ? 8 : 4, body = 6 * 4 + 2 * real, link = 2 * 4 + 12 * real;
  int steps = body * static_cast<int>(request.tracing_tree->bodies.size()) +
              link * static_cast<int>(request.tracing_tree->links.size());
  for (const passes::Program& step : request.pose_steps) steps += passes::estimated_code_bytes(step, target);
  return (x86 ? 3400 : 2050) + (jacobian ? (x86 ? 780 : 410) : 0) + steps / 2;
}

}  // namespace

Extent longest_path(const model::Tree& tree) {
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

FunctionFacts kinematics_facts(const Request& request, const algorithms::Algorithm& algorithm,
                               passes::Target target) {
  const bool jacobian = is_jacobian(algorithm);
  FunctionFacts worst;
  for (const model::Link& link : request.tracing_tree->links) {
    const FunctionFacts facts = link_facts(request, link, jacobian);
    if (facts.flops > worst.flops) worst = facts;
  }
  const Extent longest = longest_path(*request.tracing_tree);
  const int block = std::min(longest.bodies, 8);
  const int angles = (longest.bodies + block - 1) / block * block;
  // Path (origins, axes, two poses), the link's own pose, angles with sines and cosines, these once more by
  // body.
  const int path = 3 * longest.bodies + 6 * longest.columns + 24;
  constexpr int spilled = 32;  // by the costliest step and the walk: 24 to 40 on both targets
  const int scalars = path + (jacobian ? 12 : 0) + 3 * angles + 2 * longest.bodies + spilled;
  const int scalar_size = target == passes::Target::x86_64 ? 8 : 4;
  worst.stack_bytes = scalars * scalar_size + longest.bodies * static_cast<int>(sizeof(int));
  worst.code_bytes = code_bytes(request, jacobian, target);
  worst.formulation = "pose steps; figures of the costliest link";
  return worst;
}

}  // namespace featherline::emit
