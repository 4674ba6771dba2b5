#include "emit/identifiers.hpp"

#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::emit {

std::vector<double> neutral_position(const model::Tree& tree) {
  std::vector<double> q(index(tree.nq), 0.0);
  for (const model::Body& body : tree.bodies) {
    const int first = body.joint.row().quaternion();
    if (first >= 0) q[index(body.joint.idx_q + first + 3)] = 1.0;
  }
  return q;
}

std::vector<std::string> joints_of_q_all(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const model::Body& body : tree.bodies) {
    if (tree.clusters && (body.joint.mimics < 0 || body.joint.is_eliminated))
      names.push_back(body.joint.name);
  }
  return names;
}

double total_mass(const model::Tree& tree) {
  double mass = 0.0, rounded_off = 0.0;  // Knuth's two-sum: otherwise 20.77 kg would be 20.769999999999996
  for (const model::Link& link : tree.links) {
    if (link.body < 0) continue;
    const double sum = mass + link.mass, added = sum - mass;
    rounded_off += (mass - (sum - added)) + (link.mass - added);
    mass = sum;
  }
  return mass + rounded_off;
}

namespace {

/// Several a line; C++ has no empty arrays.
std::string rows_of(const std::vector<std::string>& entries, const std::string& placeholder) {
  return entries.empty() ? array_body({}, placeholder) : fill_lines(join(entries, ", "), "    ", "    ");
}

bool any_has(std::span<const LoweredFunction> functions, const catalog::Dimension& size) {
  return std::ranges::any_of(functions,
                             [&](const LoweredFunction& f) { return catalog::has_size(*f.spec, size); });
}

/// By entry of v; empty where no function depends on it.
std::string motors(const Request& request) {
  const model::Tree& tree = *request.tree;
  if (std::ranges::none_of(request.functions, [](const auto& f) { return f.spec->knows_motors; })) return "";
  std::vector<std::string> actuated(index(tree.nv), "true");
  for (const int k : tree.constraints.without_motor) actuated[index(k)] = "false";
  return rows_of(actuated, "true");
}

bool has_joint_columns(std::span<const LoweredFunction> functions, const model::Tree& tree) {
  return any_has(functions, catalog::num_regressor_columns) ||
         (any_has(functions, catalog::num_base_parameters) && !tree.joint_columns.empty());
}

/// Whether functions have it, or the user chose something that has it.
bool is_emitted(const catalog::Dimension& size, std::span<const LoweredFunction> functions,
                const model::Tree& tree) {
  if (size == catalog::num_regressor_columns) return has_joint_columns(functions, tree);
  if (size == catalog::num_bodies && any_has(functions, catalog::num_regressor_columns)) return true;
  if (size == catalog::num_bodies || size == catalog::num_base_parameters ||
      size == catalog::num_status_entries)
    return any_has(functions, size);
  if (size == catalog::num_residual_rows) return tree.constraints.count() > 0;
  return size.size(catalog::sizes_of(tree)) > 0;
}

}  // namespace

std::vector<Replacement> further_sizes(std::span<const LoweredFunction> functions, const model::Tree& tree) {
  using namespace catalog;
  std::vector<Replacement> sizes;
  for (const Dimension& size : {num_bodies, num_base_parameters, num_regressor_columns, num_external_forces,
                                num_parameters, num_frames, num_frame_rows, num_constraints,
                                num_constraint_rows, num_residual_rows, num_status_entries, nq_all, nv_all}) {
    const bool emitted = is_emitted(size, functions, tree);
    sizes.emplace_back(size.text(), emitted ? std::to_string(size.size(sizes_of(tree))) : "");
  }
  return sizes;
}

std::vector<Replacement> robot_values(const Request& request, const std::string& scalar) {
  const model::Tree& tree = *request.tree;
  const auto joint_name = [&](int i) { return string_literal(tree.bodies[index(i)].joint.name); };
  const auto link_name = [](const model::Link& link) { return string_literal(link.name); };
  const auto number = [&](double x) { return literal(x, scalar); };
  const auto parents = each(tree.bodies, [](const auto& body) { return std::to_string(body.parent); });
  const auto defaults = [&](const model::Parameter& p) { return join(each(p.defaults, number), ", "); };
  const auto parameter = [](const model::Parameter& p) {
    return fmt::format("{{{}, {}, {}, {}, parameter_defaults + {}}}", string_literal(p.name), p.index,
                       p.size(), string_literal(p.unit), p.index);
  };
  std::vector<Replacement> values{
      {"nq", std::to_string(tree.nq)},
      {"nv", std::to_string(tree.nv)},
      {"num_joints", std::to_string(independent_joints(tree).size())},
      {"num_links", std::to_string(tree.links.size())},
      {"joint_names", array_body(each(independent_joints(tree), joint_name), "\"\"")},
      {"all_joint_names", array_body(each(joints_of_q_all(tree), string_literal), "\"\"")},
      {"link_names", array_body(each(tree.links, link_name), "\"\"")},
      {"neutral", rows_of(each(neutral_position(tree), number), number(0.0))},
      {"total_mass", number(total_mass(tree))},
      {"parents", rows_of(parents, "-1")},
      {"parameter_defaults", array_body(each(model::parameters(tree), defaults), "")},
      {"parameters", array_body(each(model::parameters(tree), parameter), "{}")},
      {"frame_axes", model::describe(tree.frames.axes)},
      {"actuated", motors(request)},
      {"moment_length", number(tree.constraints.length)},
      {"has_regressor", any_has(request.functions, catalog::num_bodies) ||
                                any_has(request.functions, catalog::num_regressor_columns) ||
                                any_has(request.functions, catalog::num_base_parameters)
                            ? "yes"
                            : ""}};
  for (Replacement& size : further_sizes(request.functions, tree)) values.push_back(std::move(size));
  return values;
}

std::string joint_literal(const model::Joint& joint, const std::string& type, const std::string& scalar,
                          bool all_limits) {
  const model::Limits& limits = joint.limits;
  std::vector<double> shown{limits.lower, limits.upper, limits.velocity, limits.effort};
  if (all_limits || std::isfinite(std::min({limits.acceleration, limits.deceleration, limits.jerk})))
    shown.insert(shown.end(), {limits.acceleration, limits.deceleration, limits.jerk});
  const auto number = [&](double x) { return literal_or_infinity(x, scalar); };
  return wrap_statement(fmt::format("{{{}, {}, {}, {}, {}, {}}}", type, joint.idx_q, joint.nq, joint.idx_v,
                                    joint.nv, join(each(shown, number), ", ")),
                        "    ")
      .substr(4);
}

int first_residual(const model::Constraint& constraint) {
  return constraint.num_residual_rows() > 0 ? constraint.first_residual : -1;
}

std::string row_meanings(const model::Tree& tree, const std::string& comment) {
  const auto& all = tree.constraints.all;
  std::vector<std::string> lines;
  for (const model::ConstraintKind& kind : model::constraint_kinds()) {
    const auto is_of_kind = [&](const model::Constraint& constraint) { return constraint.type == kind.type; };
    if (std::ranges::any_of(all, is_of_kind))
      lines.push_back(fill_lines(std::string(kind.name) + ": " + kind.row_meaning + ".", comment + " - ",
                                 comment + "   "));
  }
  return join(lines, "\n");
}

}  // namespace featherline::emit
