#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "joints/joint_table.hpp"
#include "model/chosen_inputs.hpp"
#include "model/overview.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace featherline::emit {
namespace {

std::string function_table(const std::vector<FunctionFacts>& facts) {
  std::vector<std::vector<std::string>> rows{{" function", "flops", "sincos", "statements", "formulation"}};
  for (const FunctionFacts& f : facts) {
    rows.push_back({" " + f.name, std::to_string(f.flops), std::to_string(f.sincos),
                    std::to_string(f.statements), comment_safe(f.formulation)});
  }
  return comment_table(rows, true);
}

std::string named_positions(const model::Tree& tree) {
  Namer namer("position");
  return join(each(tree.positions,
                   [&](const model::NamedPosition& position) {
                     const auto q = each(position.q, [](double x) { return literal(x); });
                     return fmt::format("inline constexpr double {}[] = {{\n{}\n}};",
                                        namer.take(position.name), fill_lines(join(q, ", "), "    ", "    "));
                   }),
              "\n");
}

/// Lines that bring the index arrays of packed functions; a blank line first.
std::string index_includes(const Request& request) {
  std::string lines;
  for (const LoweredFunction& f : request.functions) {
    if (!f.packed_maps) continue;
    const std::string line = "\n#include \"" + packed_index_file_name(request, f) + "\"";
    if (lines.find(line) == std::string::npos) lines += line;
  }
  return lines;
}

/// The options as given, except that lists too long for a line get spaces where they may break.
std::string options_comment(const Request& request) {
  constexpr std::size_t longest_word = 60;
  std::string text = request.flags.empty() ? "none" : comment_safe(request.flags, 4000);
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find(' ', begin), text.size());
    for (std::size_t i = begin; end - begin > longest_word && i < end; ++i) {
      if (text[i] != ',') continue;
      text.insert(++i, " ");
      ++end;
    }
    begin = end + 1;
  }
  return fill_lines("Options: " + text, "// ", "//   ");
}

/// "floating: [x y z] + R(quaternion) [e0 e1 e2], quaternion * exp([e3 e4 e5] / 2)": a step of a joint whose velocity
/// is in the axes of the child.
std::string step(const model::JointRow& row) {
  const bool has_quaternion = row.quaternion() >= 0;
  const int first_turn = row.num_slides();
  std::string text = row.name() + std::string(": ");
  if (first_turn > 0) {
    const std::string R = has_quaternion ? " + R(quaternion) " : " + R(theta) ";
    text += first_turn == 2 ? "[x y]" + R + "[e0 e1], " : "[x y z]" + R + "[e0 e1 e2], ";
  }
  const auto e = [&](int k) { return "e" + std::to_string(first_turn + k); };
  return text + (has_quaternion ? "quaternion * exp([" + e(0) + " " + e(1) + " " + e(2) + "] / 2)"
                                : "theta + " + e(0));
}

/// "planar: q = [x y theta], v = [linear; angular], tau = [force; torque], in the axes of the child"
std::string convention(const model::JointRow& row) {
  std::vector<std::string> q;
  int lengths = 0, imaginary = 0;
  for (const model::Coordinate coordinate : row.coordinates) {
    const bool is_angle = coordinate == model::Coordinate::angle;
    if (coordinate == model::Coordinate::quaternion)
      q.push_back(std::string("q") + "xyzw"[imaginary++]);
    else if (row.moves_on_axes())
      q.push_back(is_angle ? "angle" : "length");
    else
      q.push_back(is_angle ? "theta" : std::string(1, "xyz"[lengths++]));
  }
  const std::string head = std::string(row.name()) + ": q = [" + join(q, " ") + "], v = ";
  if (row.moves_on_axes()) return head + "dq/dt, tau = a torque for an angle, a force for a length";
  if (row.num_slides() == 0) return head + "angular velocity, tau = torque, in the axes of the child";
  if (row.num_turns() == 0) return head + "linear velocity, tau = force, in the axes of the child";
  return head + "[linear; angular], tau = [force; torque], in the axes of the child";
}

/// Of each type of joint for which `holds`, a line with what `text` says.
template <class Holds, class Text>
std::string by_type(const model::Tree& tree, const Holds& holds, const Text& text) {
  std::set<std::string> lines;
  for (const model::Body& body : tree.bodies) {
    if (holds(body.joint.row())) lines.insert("///   " + text(body.joint.row()));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string gravity_sentence(const model::Tree& tree) {
  if (tree.chosen.gravity) return "gravity is p[0], p[1], p[2] in world axes";
  const auto g = each(tree.gravity, [](double x) { return literal(x); });
  const char* lifted =
      tree.lift != 0.0 || model::has_lifted(tree) ? ", and forces lift bodies (gravcomp)" : "";
  const char* tendons = tree.tendons.empty() ? "" : ", and tendons couple joints";
  return "gravity is (" + join(g, ", ") + ") m/s^2 in world axes" + lifted + tendons;
}

/// One line for each group of equal limbs.
std::string limb_lines(const model::UserTree& tree) {
  const auto shown = [](const std::string& name) { return comment_safe(name, longest_in_comment); };
  const auto line = [&](const model::LimbGroup& group) {
    return fill_lines(model::describe_limbs(tree, group, shown), "///   ", "///     ");
  };
  return join(each(model::find_limb_groups(tree), line), "\n");
}

std::string body_order(const model::Tree& tree) {
  if (independent_joints(tree).size() == tree.bodies.size()) return "/// Bodies are numbered like joints.";
  const auto names = each(tree.bodies, [](const auto& body) { return comment_safe(body.joint.name); });
  return fill_lines(
      "Bodies are numbered like these joints, mimic joints included: " + join(names, ", ") + ".", "/// ",
      "/// ");
}

/// "/// Stabilised after Baumgarte: ... the acceleration - 100.0 e - 20.0 de, ..."; nothing without gains.
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

std::string frame_row(const model::ChosenFrame& frame) {
  return fmt::format("{{{}, {}, {}, {}}}", string_literal(frame.name), frame.link, frame.first_row,
                     frame.num_rows());
}

std::string constraint_row(const model::Constraint& constraint) {
  return fmt::format("{{{}, {}, {}, {}, {}, {}}}", string_literal(constraint.name),
                     string_literal(model::kind_of(constraint.type).name), constraint.first_row,
                     constraint.num_rows(), first_residual(constraint), constraint.normal_row());
}

/// What stands in the header about bodies, frames and constraints, and nowhere else.
void add_constants(const model::Tree& tree, std::vector<Replacement>& values) {
  const std::vector<std::string> links = link_enumerators(tree);
  const auto force = [&](int link) { return "Link::" + links[index(link)]; };
  const auto inertia = [](const model::Body& body) {
    return join(each(model::parameters_of(body.inertia), [](double x) { return literal(x); }), ", ");
  };
  std::vector<std::string> parameters = each(tree.bodies, inertia);
  for (const model::JointColumn& column : tree.joint_columns)
    parameters.push_back(literal(model::value_of(tree, column)));
  const auto column_name = [](const model::JointColumn& column) { return string_literal(name_of(column)); };
  const auto name = [](const model::Body& body) { return string_literal(body.name); };
  std::vector<std::string> columns, shares;
  if (tree.base_parameters) {
    const auto& map = tree.base_parameters->map;
    columns = each(tree.base_parameters->columns, [](int k) { return std::to_string(k); });
    for (Eigen::Index k = 0; k < map.rows(); ++k)
      for (Eigen::Index j = 0; j < map.cols(); ++j)
        if (map(k, j) != 0.0) shares.push_back(fmt::format("{{{},{},{}}}", k, j, literal(map(k, j))));
  }
  const bool replaces = std::ranges::any_of(tree.chosen.payloads, &model::Payload::replaces);
  values.insert(values.end(),
                {{"links", "  " + join(links, ",\n  ") + ","},
                 {"body_order", body_order(tree)},
                 {"external_forces", array_body(each(tree.chosen.forces, force), "{}")},
                 {"replaced_inertias", replaces ? "yes" : ""},
                 {"placements", tree.chosen.placements.empty() ? "" : "yes"},
                 {"joint_parameters", tree.chosen.joints.empty() ? "" : "yes"},
                 {"anchors", tree.chosen.anchors.empty() ? "" : "yes"},
                 {"stabilisation_parameters", tree.chosen.stabilisation ? "yes" : ""},
                 {"frame_enumerators", join(frame_enumerators(tree), ",\n  ")},
                 {"frame_axes_name", model::name_of(tree.frames.axes)},
                 {"frames", array_body(each(tree.frames.chosen, frame_row), "{}")},
                 {"row_meanings", row_meanings(tree, "///")},
                 {"stabilisation", stabilisation(tree)},
                 {"constraints", array_body(each(tree.constraints.all, constraint_row), "{}")},
                 {"body_names", array_body(each(tree.bodies, name), "\"\"")},
                 {"inertial_parameters", array_body(parameters, "0.0")},
                 {"joint_columns", array_body(each(tree.joint_columns, column_name), "\"\"")},
                 {"base_columns", fill_lines(columns.empty() ? "0" : join(columns, ", "), "    ", "    ")},
                 {"base_parameters",
                  fill_lines(shares.empty() ? "{0,0,0.0}" : join(shares, ", ") + ",", "    ", "    ")}});
}

}  // namespace

std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts) {
  const model::Tree& tree = *request.tree;
  const std::vector<int> independent = independent_joints(tree);
  const auto joints = each(independent, [&](int i) {
    const model::Joint& joint = tree.bodies[index(i)].joint;
    return joint_literal(joint, std::string("featherline::JointType::") + model::name(joint.type), "double",
                         false);
  });
  const bool has_mimics = independent.size() != tree.bodies.size();
  const auto signature = [&](const Signature& s) { return declaration(s, request.options.scalars); };
  std::vector<Replacement> values{
      {"options", options_comment(request)},
      {"table", function_table(facts)},
      {"index_includes", index_includes(request)},
      {"version_check", version_check()},
      {"limbs", limb_lines(*request.tree)},
      {"conventions", by_type(
                          tree, [](const model::JointRow& row) { return row.nv() > 1; }, convention)},
      {"steps", by_type(
                    tree, [](const model::JointRow& row) { return !row.steps_add(); }, step)},
      {"has_quaternions",
       by_type(
           tree, [](const model::JointRow& row) { return row.quaternion() >= 0; }, convention)},
      {"reading_guide", reading_guide(request)},
      {"robot", comment_safe(tree.name.empty() ? request.name : tree.name)},
      {"gravity", gravity_sentence(tree)},
      {"scalars", join(request.options.scalars, " and ")},
      {"joints_note", has_mimics ? "; mimic joints are driven by these and are not listed" : ""},
      {"joints", array_body(joints, "{}")},
      {"positions", tree.nq > 0 ? named_positions(tree) : ""},
      {"declarations", join(each(make_signatures(request), signature), "\n\n")},
      {"prepare_declarations", prepare_declarations(request)},
      {"binding_includes", added_by_bindings(request, &Binding::header_includes)},
      {"binding_declarations", added_by_bindings(request, &Binding::header_declarations)}};
  add_constants(tree, values);
  return file_text(request, "cpp/robot.hpp", std::move(values), robot_values(request, "double"));
}

}  // namespace featherline::emit
