#include "emit/constants.hpp"

#include "emit/identifiers.hpp"
#include "emit/text.hpp"
#include "support/index.hpp"

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

}  // namespace

std::string neutral_rows(const model::Tree& tree, const std::string& scalar) {
  std::vector<std::string> entries;
  for (const double x : neutral_position(tree)) entries.push_back(literal(x, scalar));
  return rows_of(entries, literal(0.0, scalar));
}

std::string parent_rows(const model::Tree& tree) {
  std::vector<std::string> entries;
  for (const model::Body& body : tree.bodies) entries.push_back(std::to_string(body.parent));
  return rows_of(entries, "-1");
}

std::string robot_constants(const model::Tree& tree) {
  std::vector<std::string> names;
  bool has_mimics = false;
  for (const model::Body& body : tree.bodies) {
    names.push_back(comment_safe(body.joint.name));
    has_mimics = has_mimics || body.joint.mimics >= 0;
  }
  const std::string order =
      has_mimics
          ? fill_lines(
                "Bodies are numbered like these joints, mimic joints included: " + join(names, ", ") + ".",
                "/// ", "/// ")
          : "/// Bodies are numbered like joints.";
  return "/// A position: zeros, and quaternions that do not turn.\ninline constexpr double neutral[] = {\n" +
         neutral_rows(tree, "double") +
         "\n};\n\n/// [kg] Of all that moves, as the URDF gives it.\ninline constexpr double total_mass = " +
         literal(total_mass(tree)) +
         ";\n\n/// parents[i] is the body that carries joint i and the body behind it; -1 is the world.\n" +
         order + "\ninline constexpr int parents[] = {\n" + parent_rows(tree) + "\n};";
}

}  // namespace featherline::emit
