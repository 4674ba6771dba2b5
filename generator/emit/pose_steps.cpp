
#include "emit/files.hpp"
#include "emit/kernel_printer.hpp"
#include "emit/literal.hpp"
#include "emit/render.hpp"
#include "emit/robot_names.hpp"
#include "emit/text.hpp"
#include "support/diagnostic.hpp"

namespace featherline::emit {
namespace {

/// A number of the tables, which are templates over Real.
std::string real(double value) { return "Real(" + literal(value) + ")"; }

std::string body_entry(const kinematics::BodyInfo<double>& body) {
  const std::vector<std::string> fields = {std::to_string(body.parent),      std::to_string(body.idx_q),
                                           std::to_string(body.nq),          std::to_string(body.idx_v),
                                           std::to_string(body.nv),          real(body.multiplier),
                                           std::to_string(body.angle_entry), real(body.angle_offset)};
  return "      {" + join(fields, ", ") + "},";
}

std::string link_entry(const kinematics::LinkInfo<double>& link, const std::string& enumerator) {
  std::vector<std::string> R, p;
  for (const double x : link.R_BL) R.push_back(real(x));
  for (const double x : link.p_BL) p.push_back(real(x));
  const std::string at_body = link.at_body ? "true" : "false";
  return "      // " + enumerator + "\n" +
         wrap_statement("{" + std::to_string(link.body) + ", " + at_body + ", {" + join(R, ", ") + "}, {" +
                            join(p, ", ") + "}},",
                        "      ");
}

const std::vector<std::string>& step_parameters() {
  static const std::vector<std::string> names{"parent", "q", "sc"};
  return names;
}

bool has_input(const ir::Kernel& step, const std::string& name, const Usage& usage) {
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i].name == name) return usage.inputs.count(static_cast<int>(i)) > 0;
  }
  return false;
}

/// Definition of one step and its line in the switch.
struct PrintedStep {
  std::string definition, call;
};

PrintedStep print_step(const ir::Kernel& kernel, const std::string& name, int body) {
  const PrintedKernel printed = print_kernel(kernel, name);
  std::vector<std::string> parameters, arguments;
  for (const std::string& input : step_parameters()) {
    if (!has_input(kernel, input, printed.usage)) continue;
    parameters.push_back(pointer_parameter("const S*", input, true));
    arguments.push_back(input);
  }
  for (const ir::Buffer& output : kernel.outputs) {
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

std::string links_table(const ir::LinkWalk& walk, const model::Tree& tree) {
  const std::vector<std::string> enumerators = link_enumerators(tree);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < walk.links.size(); ++i)
    lines.push_back(link_entry(walk.links[i], enumerators[i]));
  return join(lines, "\n");
}

std::string bodies_table(const ir::LinkWalk& walk) {
  std::vector<std::string> lines;
  for (const kinematics::BodyInfo<double>& body : walk.bodies) lines.push_back(body_entry(body));
  return lines.empty() ? "      {}" : join(lines, "\n");
}

/// The functions that take a link walk by the same steps.
const ir::LinkWalk& common_walk(const Request& request) {
  for (const FunctionRequest& function : request.functions) {
    if (const ir::LinkWalk* walk = function.kernel.walk()) return *walk;
  }
  throw InternalError("no function walks to a link");
}

}  // namespace

std::string pose_steps_file(const Request& request) {
  const ir::LinkWalk& walk = common_walk(request);
  const std::vector<std::string> names = pose_step_names(*request.tracing_tree);
  std::string steps;
  std::vector<std::string> cases;
  for (std::size_t b = 0; b < walk.steps.size(); ++b) {
    const PrintedStep step = print_step(walk.steps[b], names[b], static_cast<int>(b));
    steps += step.definition + "\n";
    cases.push_back(step.call);
  }
  if (!steps.empty()) steps.pop_back();  // the skeleton ends the line
  return render(skeleton("cpp/pose_steps.ipp"), {{"banner", banner(request)},
                                                 {"name", emitted_name(request.name)},
                                                 {"version_check", version_check()},
                                                 {"steps", steps},
                                                 {"nv", std::to_string(walk.nv)},
                                                 {"num_bodies", std::to_string(walk.bodies.size())},
                                                 {"max_path", std::to_string(walk.max_path)},
                                                 {"max_columns", std::to_string(walk.max_columns)},
                                                 {"bodies", bodies_table(walk)},
                                                 {"links", links_table(walk, *request.tracing_tree)},
                                                 {"cases", join(cases, "\n")}});
}

}  // namespace featherline::emit
