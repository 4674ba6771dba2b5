#include "emit/bindings/bindings.hpp"
#include "emit/constants.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"
#include "joints/joint_table.hpp"

#include <featherline/version.hpp>

#include <algorithm>
#include <array>
#include <map>
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

std::string joint_entry(const model::Joint& joint) {
  const auto number = [](int value) { return std::to_string(value); };
  const std::vector<std::string> fields = {std::string("featherline::JointType::") + model::name(joint.type),
                                           number(joint.idx_q),
                                           number(joint.nq),
                                           number(joint.idx_v),
                                           number(joint.nv),
                                           literal_or_infinity(joint.limits.lower),
                                           literal_or_infinity(joint.limits.upper),
                                           literal_or_infinity(joint.limits.velocity),
                                           literal_or_infinity(joint.limits.effort)};
  return wrap_statement("{" + join(fields, ", ") + "}", "    ").substr(4);
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

/// "floating  [x y z] + R(quaternion) [e0 e1 e2], quaternion * exp([e3 e4 e5] / 2)": a step of a joint whose velocity
/// is in the axes of the child.
std::string step(const model::JointRow& row) {
  const bool has_quaternion = row.quaternion() >= 0;
  const int first_turn = row.num_slides();
  std::string text;
  if (first_turn > 0) {
    const std::string R = has_quaternion ? " + R(quaternion) " : " + R(theta) ";
    text = first_turn == 2 ? "[x y]" + R + "[e0 e1], " : "[x y z]" + R + "[e0 e1 e2], ";
  }
  const auto e = [&](int k) { return "e" + std::to_string(first_turn + k); };
  return text + (has_quaternion ? "quaternion * exp([" + e(0) + " " + e(1) + " " + e(2) + "] / 2)"
                                : "theta + " + e(0));
}

/// "planar: q = [x y theta], v = [linear; angular], tau = [force; torque], in the axes of the child"
std::string convention(const model::JointRow& row) {
  std::string q;
  int lengths = 0, imaginary = 0;
  for (const model::Coordinate coordinate : row.coordinates) {
    q += q.empty() ? "" : " ";
    if (coordinate == model::Coordinate::quaternion)
      q += std::array<const char*, 4>{"qx", "qy", "qz", "qw"}.at(static_cast<std::size_t>(imaginary++));
    else if (coordinate == model::Coordinate::angle)
      q += row.moves_on_axes() ? "angle" : "theta";
    else
      q += row.moves_on_axes()
               ? "length"
               : std::array<const char*, 3>{"x", "y", "z"}.at(static_cast<std::size_t>(lengths++));
  }
  const std::string head = std::string(row.name) + ": q = [" + q + "], v = ";
  if (row.moves_on_axes()) return head + "dq/dt, tau = a torque for an angle, a force for a length";
  if (row.num_slides() == 0) return head + "angular velocity, tau = torque, in the axes of the child";
  if (row.num_turns() == 0) return head + "linear velocity, tau = force, in the axes of the child";
  return head + "[linear; angular], tau = [force; torque], in the axes of the child";
}

/// What q, v and tau are for joints with several degrees of freedom; nothing for a robot without them.
std::string conventions(const model::Tree& tree) {
  std::set<std::string> lines;
  bool has_quaternion = false;
  for (const model::Body& body : tree.bodies) {
    const model::JointRow& row = body.joint.row();
    if (row.nv() < 2) continue;
    lines.insert(convention(row));
    has_quaternion = has_quaternion || row.quaternion() >= 0;
  }
  if (lines.empty()) return "";
  std::string text = "/// Joints with several degrees of freedom:\n";
  for (const std::string& line : lines) text += "///   " + line + "\n";
  if (has_quaternion) {
    text +=
        "/// Quaternions have to be of unit length; no function normalises them, but integrate takes "
        "rounding "
        "out.\n";
  }
  return text + "///";
}

/// What a derivative with respect to q is: the step along each coordinate, as reference::integrate() takes it.
std::string steps(const model::Tree& tree) {
  std::string text =
      "/// Derivatives with respect to q are taken along steps q (+) e, where e has the entries of v:\n"
      "///   D_k f = d/dt f(q (+) t e_k) at t = 0, e_k being 1 in entry k and 0 elsewhere; second ones are "
      "D_k (D_j f).\n";
  std::map<std::string, std::string> steps;  // by joint type
  bool has_quaternion = false;
  for (const model::Body& body : tree.bodies) {
    const model::JointRow& row = body.joint.row();
    if (row.steps_add()) continue;
    steps.emplace(row.name, step(row));
    has_quaternion = has_quaternion || row.quaternion() >= 0;
  }
  if (steps.empty()) return text + "/// Here q (+) e is q + e.";
  text += "/// To first order in e, with the entries of each joint counted from 0:\n";
  for (const auto& [type, formula] : steps) text += "///   " + type + ": " + formula + "\n";
  text += "///   others: q + e";
  return has_quaternion ? text + "\n/// where exp(u) is the quaternion [u sin|u| / |u|, cos|u|]." : text;
}

/// The line that includes a header of the runtime, where it is needed.
std::string include_if(bool is_needed, const std::string& header) {
  return is_needed ? "#include <featherline/" + header + ".hpp>" : "";
}

}  // namespace

std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts) {
  const model::Tree& tree = *request.tree;
  const std::vector<int> independent = independent_joints(tree);
  const auto joints =
      each(independent, [&](int i) { return joint_entry(tree.bodies[static_cast<std::size_t>(i)].joint); });
  const bool has_mimics = independent.size() != tree.bodies.size();
  const bool has_rank =
      std::any_of(facts.begin(), facts.end(), [](const FunctionFacts& f) { return f.rank.has_value(); });
  return file_text(
      request, "cpp/robot.hpp",
      {{"options", options_comment(request)},
       {"table", function_table(facts)},
       {"index_includes", index_includes(request)},
       {"version_check", version_check()},
       {"parameter_include", include_if(tree.chosen.num_parameters() > 0, "parameter_info")},
       {"frame_include", include_if(!tree.frames.chosen.empty(), "frame_info")},
       {"constraint_include", include_if(tree.constraints.count() > 0, "constraint_info")},
       {"inertial_include", include_if(has_rank, "inertial_parameters")},
       {"robot_constants", robot_constants(tree)},
       {"limbs", limbs_comment(*request.tree)},
       {"conventions", conventions(tree)},
       {"steps", steps(tree)},
       {"reading_guide", reading_guide(request)},
       {"robot", comment_safe(tree.name.empty() ? request.name : tree.name)},
       {"gravity", gravity_sentence(tree)},
       {"scalars", join(request.options.scalars, " and ")},
       {"nq", std::to_string(tree.nq)},
       {"nv", std::to_string(tree.nv)},
       {"num_joints", std::to_string(independent.size())},
       {"num_links", std::to_string(tree.links.size())},
       {"joints_note", has_mimics ? "; mimic joints are driven by these and are not listed" : ""},
       {"inertial_constants", inertial_constants(request)},
       {"joint_names", joint_name_rows(tree)},
       {"joints", array_body(joints, "{}")},
       {"links", "  " + join(link_enumerators(tree), ",\n  ") + ","},
       {"link_names", link_name_rows(tree)},
       {"declarations",
        join(each(make_signatures(request),
                  [&](const Signature& s) { return declaration(s, request.options.scalars); }),
             "\n\n")},
       {"binding_includes", added_by_bindings(request, &Binding::header_includes)},
       {"binding_declarations", added_by_bindings(request, &Binding::header_declarations)}});
}

}  // namespace featherline::emit
