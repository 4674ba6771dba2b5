#include "emit/kinematics.hpp"

#include "algorithms/kinematics.hpp"
#include "emit/files.hpp"
#include "emit/literal.hpp"
#include "emit/program_printer.hpp"
#include "emit/render.hpp"
#include "emit/robot_names.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

/// A number of the tables, which are templates over Real.
std::string real(double value) { return "Real(" + literal(value) + ")"; }

std::string body_entry(const model::CanonicalTree& tree, int index) {
  const model::Body& body = tree.bodies[static_cast<std::size_t>(index)];
  const algorithms::JointAngle angle = algorithms::angle_of(body.joint);
  const std::vector<std::string> fields = {std::to_string(body.parent),   std::to_string(body.joint.idx_q),
                                           std::to_string(body.joint.nq), std::to_string(body.joint.idx_v),
                                           std::to_string(body.joint.nv), real(body.joint.multiplier),
                                           std::to_string(angle.entry),   real(angle.offset)};
  return "      {" + join(fields, ", ") + "},";
}

std::string link_entry(const model::Link& link, const std::string& enumerator) {
  std::vector<std::string> R, p;
  for (int k = 0; k < 9; ++k) R.push_back(real(link.placement.R(k % 3, k / 3)));
  for (int k = 0; k < 3; ++k) p.push_back(real(link.placement.p(k)));
  const std::string at_body = is_at_body(link) ? "true" : "false";
  return "      // " + enumerator + "\n" +
         wrap_statement("{" + std::to_string(link.body) + ", " + at_body + ", {" + join(R, ", ") + "}, {" +
                            join(p, ", ") + "}},",
                        "      ");
}

const std::vector<std::string>& step_parameters() {
  static const std::vector<std::string> names{"parent", "q", "sc"};
  return names;
}

bool has_input(const ir::Function& step, const std::string& name, const Usage& usage) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i].name == name) return usage.inputs.count(static_cast<int>(i)) > 0;
  }
  return false;
}

/// Definition of one step and its line in the switch.
struct PrintedStep {
  std::string definition, call;
};

PrintedStep print_step(const ir::Program& program, const std::string& name, int body) {
  const PrintedProgram printed = print_program(program, name);
  std::vector<std::string> parameters, arguments;
  for (const std::string& input : step_parameters()) {
    if (!has_input(program.function, input, printed.usage)) continue;
    parameters.push_back(pointer_parameter("const S*", input, true));
    arguments.push_back(input);
  }
  for (const ir::Parameter& output : program.function.outputs) {
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

std::string bodies_table(const model::CanonicalTree& tree) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) lines.push_back(body_entry(tree, static_cast<int>(i)));
  return lines.empty() ? "      {}" : join(lines, "\n");
}

}  // namespace

std::string pose_steps_file(const Request& request) {
  const model::CanonicalTree& tree = *request.tracing_tree;
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
  return render(skeleton("cpp/pose_steps.ipp"), {{"banner", banner(request)},
                                                 {"name", emitted_name(request.name)},
                                                 {"version_check", version_check()},
                                                 {"steps", steps},
                                                 {"nv", std::to_string(tree.nv)},
                                                 {"num_bodies", std::to_string(tree.bodies.size())},
                                                 {"max_path", std::to_string(longest.bodies)},
                                                 {"max_columns", std::to_string(longest.columns)},
                                                 {"bodies", bodies_table(tree)},
                                                 {"links", links_table(tree)},
                                                 {"cases", join(cases, "\n")}});
}

std::string kinematics_definition_file(const Request& request, const catalog::FunctionSpec& function) {
  const Signature signature = make_signature(function);
  Usage usage;
  const std::string& q = catalog::arguments::q.name;  // the walk reads no other input
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    if (function.inputs[i].name == q) usage.inputs.insert(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < function.outputs.size(); ++i) usage.outputs.insert(static_cast<int>(i));
  const std::string arguments = argument_list(signature, [&](const Parameter& p) {
    if (p.kind == ParameterKind::input && p.name != q) return std::string();
    return p.kind == ParameterKind::link ? "static_cast<int>(" + p.name + ")" : p.name;
  });
  return render(skeleton("cpp/kinematics.ipp"), {{"banner", banner(request)},
                                                 {"name", emitted_name(request.name)},
                                                 {"head", definition_head(signature, usage)},
                                                 {"body", "  featherline::kinematics::" + function.name +
                                                              "<detail::Kinematics>(" + arguments + ");"}});
}

}  // namespace featherline::emit
