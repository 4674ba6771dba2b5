#include "emit/constants.hpp"

#include "emit/identifiers.hpp"
#include "emit/text.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::emit {

std::vector<double> neutral_position(const model::Tree& tree) {
  std::vector<double> q(index(tree.nq), 0.0);
  for (const model::Body& body : tree.bodies) {
    const int first = body.joint.row().quaternion();
    if (first >= 0) q[index(body.joint.idx_q + first + 3)] = 1.0;
  }
  return q;
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

/// A section of the constants: its last line ends where it is put.
std::string section(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

std::string neutral_rows(const model::Tree& tree, const std::string& scalar) {
  return rows_of(each(neutral_position(tree), [&](double x) { return literal(x, scalar); }),
                 literal(0.0, scalar));
}

std::string parent_rows(const model::Tree& tree) {
  return rows_of(each(tree.bodies, [](const auto& body) { return std::to_string(body.parent); }), "-1");
}

std::string parameter_default_rows(const model::Tree& tree, const std::string& scalar) {
  const auto defaults = [&](const model::Parameter& p) {
    return join(each(p.defaults, [&](double value) { return literal(value, scalar); }), ", ");
  };
  return array_body(each(model::parameters(tree), defaults), "");
}

std::string parameter_rows(const model::Tree& tree) {
  const auto row = [](const model::Parameter& p) {
    return fmt::format("{{{}, {}, {}, {}, parameter_defaults + {}}}", string_literal(p.name), p.index,
                       p.size(), string_literal(p.unit), p.index);
  };
  return array_body(each(model::parameters(tree), row), "{}");
}

std::vector<std::string> frame_enumerators(const model::Tree& tree) {
  Namer namer("frame");
  for (const std::string& constant : header_constants()) namer.reserve(constant);
  return each(tree.frames.chosen, [&](const auto& frame) { return namer.take(frame.name); });
}

int first_residual(const model::Constraint& constraint) {
  return constraint.num_residual_rows() > 0 ? constraint.first_residual : -1;
}

std::string row_meanings(const model::Tree& tree, const std::string& comment) {
  const auto& all = tree.constraints.all;
  std::vector<std::string> lines;
  for (const model::ConstraintKind& kind : model::constraint_kinds()) {
    const auto is_of_kind = [&](const model::Constraint& constraint) { return constraint.type == kind.type; };
    if (std::any_of(all.begin(), all.end(), is_of_kind))
      lines.push_back(fill_lines(std::string(kind.name) + ": " + kind.row_meaning + ".", comment + " - ",
                                 comment + "   "));
  }
  return join(lines, "\n");
}

std::string gravity_sentence(const model::Tree& tree) {
  if (tree.chosen.gravity) return "gravity is p[0], p[1], p[2] in world axes";
  return "gravity is (" + literal(tree.gravity.x()) + ", " + literal(tree.gravity.y()) + ", " +
         literal(tree.gravity.z()) + ") m/s^2 in world axes";
}

namespace {

std::string body_order(const model::Tree& tree) {
  if (independent_joints(tree).size() == tree.bodies.size()) return "/// Bodies are numbered like joints.";
  const auto names = each(tree.bodies, [](const auto& body) { return comment_safe(body.joint.name); });
  return fill_lines(
      "Bodies are numbered like these joints, mimic joints included: " + join(names, ", ") + ".", "/// ",
      "/// ");
}

std::string force_constants(const model::Tree& tree) {
  if (tree.chosen.forces.empty()) return "";
  const std::vector<std::string> links = link_enumerators(tree);
  const auto entries = each(tree.chosen.forces, [&](int link) { return "Link::" + links[index(link)]; });
  return section(render(skeleton("cpp/external_forces"),
                        {{"count", std::to_string(entries.size())}, {"links", array_body(entries, "{}")}}));
}

std::string parameter_constants(const model::Tree& tree) {
  if (tree.chosen.num_parameters() == 0) return "";
  return section(render(
      skeleton("cpp/parameters"),
      {{"anchors", tree.chosen.anchors.empty()
                       ? ""
                       : "/// The anchors say where the contacts of the constraints below are held: three "
                         "coordinates in the world\n/// for each contact. Set them at touch-down."},
       {"stabilisation",
        tree.chosen.stabilisation ? "/// The last two are KP and KD of the constraints below." : ""},
       {"count", std::to_string(tree.chosen.num_parameters())},
       {"defaults", parameter_default_rows(tree, "double")},
       {"rows", parameter_rows(tree)}}));
}

std::string frame_constants(const model::Tree& tree) {
  if (tree.frames.chosen.empty()) return "";
  const auto rows = each(tree.frames.chosen, [](const model::ChosenFrame& frame) {
    return fmt::format("{{{}, {}, {}, {}}}", string_literal(frame.name), frame.link, frame.first_row,
                       frame.num_rows());
  });
  return section(render(skeleton("cpp/frames"), {{"count", std::to_string(rows.size())},
                                                 {"rows", std::to_string(tree.frames.num_rows())},
                                                 {"enumerators", join(frame_enumerators(tree), ",\n  ")},
                                                 {"axes", model::describe(tree.frames.axes)},
                                                 {"axes_name", model::name_of(tree.frames.axes)},
                                                 {"frames", array_body(rows, "{}")}}));
}

/// "/// The acceleration of each row is - 100 e - 20 de ..."; nothing without gains.
std::string stabilisation(const model::Tree& tree) {
  const model::Constraints& constraints = tree.constraints;
  const bool is_input = tree.chosen.stabilisation;
  if (!is_input && constraints.kp == 0.0 && constraints.kd == 0.0) return "";
  const int first = tree.chosen.first_of_stabilisation();
  const std::string kp = is_input ? fmt::format("p[{}]", first) : literal(constraints.kp),
                    kd = is_input ? fmt::format("p[{}]", first + 1) : literal(constraints.kd);
  return fill_lines("Stabilised after Baumgarte: the rows of active constraints get the acceleration - " +
                        kp + " e - " + kd + " de, with the position errors e of loops" +
                        (tree.chosen.anchors.empty() ? "" : " and of contacts from their anchors in p") +
                        " and the velocity errors de.",
                    "/// ", "/// ");
}

std::string constraint_constants(const model::Tree& tree) {
  const model::Constraints& constraints = tree.constraints;
  if (constraints.count() == 0) return "";
  std::vector<std::string> rows;
  for (const model::Constraint& constraint : constraints.all)
    rows.push_back(fmt::format("{{{}, {}, {}, {}, {}, {}}}", string_literal(constraint.name),
                               string_literal(model::kind_of(constraint.type).name), constraint.first_row,
                               constraint.num_rows(), first_residual(constraint), constraint.normal_row()));
  return section(
      render(skeleton("cpp/constraints"), {{"count", std::to_string(constraints.count())},
                                           {"rows", std::to_string(constraints.num_rows())},
                                           {"residual_rows", std::to_string(constraints.num_residual_rows())},
                                           {"meanings", row_meanings(tree, "///")},
                                           {"stabilisation", stabilisation(tree)},
                                           {"constraints", array_body(rows, "{}")}}));
}

}  // namespace

std::string robot_constants(const model::Tree& tree) {
  return section(render(skeleton("cpp/robot_constants"), {{"neutral", neutral_rows(tree, "double")},
                                                          {"total_mass", literal(total_mass(tree))},
                                                          {"body_order", body_order(tree)},
                                                          {"parents", parent_rows(tree)},
                                                          {"forces", force_constants(tree)},
                                                          {"parameters", parameter_constants(tree)},
                                                          {"frames", frame_constants(tree)},
                                                          {"constraints", constraint_constants(tree)}}));
}

}  // namespace featherline::emit
