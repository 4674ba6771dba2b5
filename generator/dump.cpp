#include "dump.hpp"

#include "model/joint_table.hpp"
#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <iterator>

namespace featherline {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// Row by row, enough digits to tell any two numbers apart.
template <class Dense>
std::string numbers(const Dense& values) {
  std::string text;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      text += fmt::format("{}{}", text.empty() ? "" : " ", values(i, j));
  }
  return "[" + text + "]";
}

void write_link(Out out, const urdf::Link& link) {
  fmt::format_to(out, "{}: link {}\n", link.line, quoted(link.name));
  if (!link.inertial) return;
  const urdf::Inertial& inertial = *link.inertial;
  fmt::format_to(out, "  mass {} at xyz {} rpy {}\n  inertia {}\n", inertial.mass,
                 numbers(inertial.origin.xyz), numbers(inertial.origin.rpy), numbers(inertial.inertia));
}

void write_joint(Out out, const urdf::Joint& joint) {
  fmt::format_to(out, "{}: joint {} {}: {} -> {}\n", joint.line, quoted(joint.name), model::name(joint.type),
                 quoted(joint.parent), quoted(joint.child));
  fmt::format_to(out, "  xyz {} rpy {} axis {}\n", numbers(joint.origin.xyz), numbers(joint.origin.rpy),
                 numbers(joint.axis));
  if (joint.mimic) {
    fmt::format_to(out, "  mimics {} x {} + {}\n", quoted(joint.mimic->joint), joint.mimic->multiplier,
                   joint.mimic->offset);
  }
}

void write_body(Out out, int index, const model::Body& body) {
  const model::Joint& joint = body.joint;
  fmt::format_to(out, "body {} {} on {}\n", index, quoted(body.name), body.parent);
  fmt::format_to(out, "  joint {} {} idx_q {} nq {} idx_v {} nv {}\n", quoted(joint.name),
                 model::name(joint.type), joint.idx_q, joint.nq, joint.idx_v, joint.nv);
  fmt::format_to(out, "  R {} p {}\n", numbers(joint.placement.R), numbers(joint.placement.p));
  fmt::format_to(out, "  axis {} axis2 {} pitch {}\n", numbers(joint.axis), numbers(joint.axis2),
                 joint.pitch);
  fmt::format_to(out, "  multiplier {} offset {} mimics {}\n", joint.multiplier, joint.offset, joint.mimics);
  fmt::format_to(out, "  m {} h {} J {}\n", body.inertia.mass, numbers(body.inertia.h),
                 numbers(body.inertia.J));
}

void write_statement(Out out, const ir::Program& program, const ir::Statement& statement) {
  const ir::Function& function = program.function;
  if (statement.store >= 0) {
    const ir::Store& store = function.stores[static_cast<std::size_t>(statement.store)];
    const std::string& array = function.outputs[static_cast<std::size_t>(store.parameter)].name;
    fmt::format_to(out, "  {}[{}] = n{}\n", array, store.entry, store.value);
    return;
  }
  const ir::Node& node = function.graph[statement.value];
  fmt::format_to(out, "  n{} = {}", statement.value, ir::name(node.op));
  if (ir::arity(node.op) > 0) fmt::format_to(out, " n{}", node.a);
  if (ir::arity(node.op) > 1) fmt::format_to(out, " n{}", node.b);
  const std::string& label = function.graph.node_name(statement.value);
  fmt::format_to(out, "{}{}\n", label.empty() ? "" : "  # ", label);
}

}  // namespace

std::string dump(const urdf::Description& robot) {
  std::string text = fmt::format("robot {} sha256 {}\n", quoted(robot.name), robot.sha256);
  const Out out(text);
  for (const urdf::Link& link : robot.links) write_link(out, link);
  for (const urdf::Joint& joint : robot.joints) write_joint(out, joint);
  return text;
}

std::string dump(const model::Tree& tree) {
  std::string text = fmt::format("tree {} nq {} nv {} gravity {}{}\n", quoted(tree.name), tree.nq, tree.nv,
                                 numbers(tree.gravity), tree.floating_base ? " floating" : "");
  const Out out(text);
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) write_body(out, static_cast<int>(i), tree.bodies[i]);
  for (const model::Link& link : tree.links) {
    fmt::format_to(out, "link {} on {} R {} p {}\n", quoted(link.name), link.body, numbers(link.placement.R),
                   numbers(link.placement.p));
  }
  return text;
}

std::string dump(const ir::Program& program) {
  std::string text = fmt::format("program {} ({}): {} statements, workspace {}\n", program.function.name,
                                 program.function.formulation, program.statements, program.workspace_size);
  const Out out(text);
  for (std::size_t k = 0; k < program.angles.size(); ++k)
    fmt::format_to(out, "angle {} n{}\n", k, program.angles[k]);
  for (std::size_t p = 0; p < program.parts.size(); ++p) {
    const ir::Part& part = program.parts[p];
    fmt::format_to(out, "part {}\n", p);
    for (const ir::Transfer& load : part.loads)
      fmt::format_to(out, "  n{} = work[{}]\n", load.value, load.slot);
    for (const ir::Statement& statement : part.statements) write_statement(out, program, statement);
    for (const ir::Transfer& save : part.saves)
      fmt::format_to(out, "  work[{}] = n{}\n", save.slot, save.value);
  }
  return text;
}

}  // namespace featherline
