#include "emit/kinematics.hpp"

#include "algorithms/kinematics.hpp"
#include "emit/files.hpp"
#include "emit/literal.hpp"
#include "emit/program_printer.hpp"
#include "emit/render.hpp"
#include "emit/robot_names.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

/// Extent of the path from the world to a body.
struct Extent {
  int bodies = 0;
  int columns = 0;
};

Extent path_extent(const model::Tree& tree, int body) {
  Extent extent;
  for (int b = body; b >= 0; b = tree.bodies[static_cast<std::size_t>(b)].parent) {
    ++extent.bodies;
    extent.columns += tree.bodies[static_cast<std::size_t>(b)].joint.nv;
  }
  return extent;
}

/// The longest path, at least 1 so that no array of the runtime is empty.
Extent longest_path(const model::Tree& tree) {
  Extent longest{1, 1};
  for (std::size_t b = 0; b < tree.bodies.size(); ++b) {
    const Extent extent = path_extent(tree, static_cast<int>(b));
    longest.bodies = std::max(longest.bodies, extent.bodies);
    longest.columns = std::max(longest.columns, extent.columns);
  }
  return longest;
}

/// A number of the tables, which are templates over Real.
std::string real(double value) { return "Real(" + literal(value) + ")"; }

std::string body_entry(const model::Tree& tree, int index) {
  const model::Body& body = tree.bodies[static_cast<std::size_t>(index)];
  const algorithms::StepAngle angle = algorithms::pose_step_angle(tree, index);
  const std::vector<std::string> fields = {std::to_string(body.parent),   std::to_string(body.joint.idx_q),
                                           std::to_string(body.joint.nq), std::to_string(body.joint.idx_v),
                                           std::to_string(body.joint.nv), real(body.joint.multiplier),
                                           std::to_string(angle.entry),   real(angle.offset)};
  return "      {" + join(fields, ", ") + "},";
}

bool is_identity(const model::Placement& X) {
  return X.R == model::Matrix3::Identity() && X.p == model::Vector3::Zero();
}

std::string link_entry(const model::Link& link, const std::string& enumerator) {
  std::vector<std::string> R, p;
  for (int k = 0; k < 9; ++k) R.push_back(real(link.placement.R(k % 3, k / 3)));
  for (int k = 0; k < 3; ++k) p.push_back(real(link.placement.p(k)));
  const std::string at_body = link.body >= 0 && is_identity(link.placement) ? "true" : "false";
  return "      // " + enumerator + "\n" +
         wrap_statement("{" + std::to_string(link.body) + ", " + at_body + ", {" + join(R, ", ") + "}, {" +
                            join(p, ", ") + "}},",
                        "      ");
}

const std::vector<std::string>& step_parameters() {
  static const std::vector<std::string> names{"parent", "q", "sc"};
  return names;
}

bool has_input(const expr::Function& step, const std::string& name, const Usage& usage) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i].name == name) return usage.inputs.count(static_cast<int>(i)) > 0;
  }
  return false;
}

/// Definition of one step and its line in the switch.
struct PrintedStep {
  std::string definition, call;
};

PrintedStep print_step(const passes::Program& program, const std::string& name, int body) {
  const PrintedProgram printed = print_program(program, name);
  std::vector<std::string> parameters, arguments;
  for (const std::string& input : step_parameters()) {
    if (!has_input(program.function, input, printed.usage)) continue;
    parameters.push_back(pointer_parameter("const S*", input, true));
    arguments.push_back(input);
  }
  for (const expr::Parameter& output : program.function.outputs) {
    parameters.push_back(pointer_parameter("S*", output.name, output.size > 0));
    arguments.push_back(output.name);
  }
  PrintedStep step;
  step.definition = (printed.internal.empty() ? "" : printed.internal + "\n") + "template <class S>\n" +
                    wrap_statement("void " + name + "(" + join(parameters, ", ") + ") {", "") + "\n" +
                    printed.body + "\n}\n";
  step.call = "      case " + std::to_string(body) + ": " + name + "(" + join(arguments, ", ") + "); break;";
  return step;
}

std::string links_table(const model::Tree& tree) {
  const std::vector<std::string> enumerators = link_enumerators(tree);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    lines.push_back(link_entry(tree.links[i], enumerators[i]));
  return join(lines, "\n");
}

std::string bodies_table(const model::Tree& tree) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) lines.push_back(body_entry(tree, static_cast<int>(i)));
  return lines.empty() ? "      {}" : join(lines, "\n");
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
  if (link.body >= 0 && !is_identity(link.placement)) facts.flops += link_flops;
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

std::string pose_steps_file(const Request& request) {
  const model::Tree& tree = *request.tracing_tree;
  const std::vector<std::string> names = pose_step_names(tree);
  const Extent longest = longest_path(tree);
  std::string steps;
  std::vector<std::string> cases;
  for (std::size_t b = 0; b < tree.bodies.size(); ++b) {
    const PrintedStep step = print_step(request.pose_steps[b], names[b], static_cast<int>(b));
    steps += step.definition + "\n";
    cases.push_back(step.call);
  }
  if (!steps.empty()) steps.pop_back();  // the skeleton ends the line
  return render(skeleton("pose_steps.ipp"), {{"banner", banner(request)},
                                             {"name", emitted_name(request.name)},
                                             {"steps", steps},
                                             {"nv", std::to_string(tree.nv)},
                                             {"num_bodies", std::to_string(tree.bodies.size())},
                                             {"max_path", std::to_string(longest.bodies)},
                                             {"max_columns", std::to_string(longest.columns)},
                                             {"bodies", bodies_table(tree)},
                                             {"links", links_table(tree)},
                                             {"cases", join(cases, "\n")}});
}

std::string kinematics_definition_file(const Request& request, const algorithms::Algorithm& algorithm) {
  const bool jacobian = is_jacobian(algorithm);
  const std::string arguments = jacobian ? "J, frame" : "R, p";
  Usage usage;
  usage.inputs = {0};
  usage.outputs = {0, 1};
  return render(skeleton("kinematics.ipp"),
                {{"banner", banner(request)},
                 {"name", emitted_name(request.name)},
                 {"head", definition_head(make_signature({&algorithm, {}, {}}), usage)},
                 {"body", "  featherline::kinematics::" + algorithm.name +
                              "<detail::Kinematics>(q, static_cast<int>(link), " + arguments + ");"}});
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
