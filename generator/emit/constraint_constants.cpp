#include "emit/constants.hpp"

#include "emit/identifiers.hpp"
#include "emit/text.hpp"
#include "support/index.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

int first_residual(const model::Constraint& constraint) {
  return constraint.num_residual_rows() > 0 ? constraint.first_residual : -1;
}

std::string constraint_rows(const model::Tree& tree) {
  std::vector<std::string> rows;
  for (const model::Constraint& constraint : tree.constraints.all)
    rows.push_back(
        "{" + string_literal(constraint.name) + ", " + string_literal(model::kind_of(constraint.type).name) +
        ", " + std::to_string(constraint.first_row) + ", " + std::to_string(constraint.num_rows()) + ", " +
        std::to_string(first_residual(constraint)) + ", " + std::to_string(constraint.normal_row()) + "}");
  return array_body(rows, "{}");
}

/// What the rows of each type that occurs are, behind `comment` and a dash.
std::string row_meanings(const model::Tree& tree, const std::string& comment) {
  const auto& all = tree.constraints.all;
  std::string text;
  for (const model::ConstraintKind& kind : model::constraint_kinds()) {
    const auto is_of_kind = [&](const model::Constraint& constraint) { return constraint.type == kind.type; };
    if (std::none_of(all.begin(), all.end(), is_of_kind)) continue;
    text +=
        fill_lines(std::string(kind.name) + ": " + kind.row_meaning + ".", comment + " - ", comment + "   ") +
        "\n";
  }
  return text;
}

/// "/// The acceleration of each row is - 100 e - 20 de ..."; nothing without gains.
std::string stabilisation(const model::Tree& tree) {
  const model::Constraints& constraints = tree.constraints;
  const bool is_input = tree.chosen.stabilisation;
  if (!is_input && constraints.kp == 0.0 && constraints.kd == 0.0) return "";
  const int first = tree.chosen.first_of_stabilisation();
  const std::string kp = is_input ? "p[" + std::to_string(first) + "]" : literal(constraints.kp),
                    kd = is_input ? "p[" + std::to_string(first + 1) + "]" : literal(constraints.kd);
  return fill_lines("Stabilised after Baumgarte: the rows of active constraints get the acceleration - " +
                        kp + " e - " + kd + " de, with the position errors e of loops" +
                        (tree.chosen.anchors.empty() ? "" : " and of contacts from their anchors in p") +
                        " and the velocity errors de.",
                    "/// ", "/// ") +
         "\n";
}

}  // namespace

std::string constraints_include(const model::Tree& tree) {
  return tree.constraints.count() == 0 ? "" : "#include <featherline/constraint_info.hpp>";
}

std::string constraint_constants(const model::Tree& tree) {
  const model::Constraints& constraints = tree.constraints;
  if (constraints.count() == 0) return "";
  return "\n\ninline constexpr int num_constraints = " + std::to_string(constraints.count()) +
         ";      ///< contacts, loops, wheels: entries of `active`\n"
         "inline constexpr int num_constraint_rows = " +
         std::to_string(constraints.num_rows()) +
         ";  ///< of lambda\ninline constexpr int num_residual_rows = " +
         std::to_string(constraints.num_residual_rows()) +
         ";    ///< of all but contacts\n\n/// The constraints. Their velocity rows, which lambda works on, "
         "are:\n" +
         row_meanings(tree, "///") +
         "/// Forces act on the link of a contact or wheel, and on the second link of a loop; the first link "
         "gets the opposite\n"
         "/// force at the same point.\n" +
         stabilisation(tree) +
         "inline constexpr featherline::ConstraintInfo constraints[] = {\n"
         "    // name, type, first row, rows, first row in the residual, normal row\n" +
         constraint_rows(tree) + "\n};";
}

void add_constraints(const model::Tree& tree, Json& manifest) {
  const model::Constraints& constraints = tree.constraints;
  if (constraints.count() == 0) return;
  manifest["stabilisation"] = {constraints.kp, constraints.kd};
  manifest["constraints"] = Json::array();
  for (const model::Constraint& constraint : constraints.all) {
    Json entry{{"name", constraint.name},
               {"type", model::kind_of(constraint.type).name},
               {"first_row", constraint.first_row},
               {"rows", constraint.num_rows()},
               {"first_residual", first_residual(constraint)},
               {"normal_row", constraint.normal_row()}};
    entry["links"] = Json::array();
    entry["placements"] = Json::array();
    for (const model::Anchor& anchor : constraint.anchors) {
      entry["links"].push_back(tree.links[index(anchor.link)].name);
      entry["placements"].push_back(to_json(anchor.placement));
    }
    if (constraint.world_axes)
      for (int k = 0; k < 3; ++k)
        entry["world_axes"].push_back(
            {(*constraint.world_axes)(0, k), (*constraint.world_axes)(1, k), (*constraint.world_axes)(2, k)});
    if (model::kind_of(constraint.type).has_radius) entry["radius"] = constraint.radius;
    manifest["constraints"].push_back(std::move(entry));
  }
}

std::string c_constraints(const model::Tree& tree, const std::string& name) {
  if (tree.constraints.count() == 0) return "";
  std::vector<std::string> entries;
  Namer namer("constraint");
  for (const model::Constraint& constraint : tree.constraints.all) {
    const std::string enumerator = namer.take(constraint.name);
    entries.push_back("  " + name + "_CONSTRAINT_" + enumerator + " = " +
                      std::to_string(static_cast<int>(entries.size() / 2)));
    entries.push_back("  " + name + "_LAMBDA_OF_" + enumerator + " = " +
                      std::to_string(constraint.first_row));
  }
  return render(skeleton("c/constraints.h"),
                {{"name", name}, {"meanings", row_meanings(tree, "//")}, {"entries", join(entries, ",\n")}});
}

std::string c_constraint_getters(const model::Tree& tree, const std::string& name) {
  if (tree.constraints.count() == 0) return "";
  std::vector<std::string> names, types, rows, counts, normals;
  for (const model::Constraint& constraint : tree.constraints.all) {
    names.push_back(string_literal(constraint.name));
    types.push_back(string_literal(model::kind_of(constraint.type).name));
    rows.push_back(std::to_string(constraint.first_row));
    counts.push_back(std::to_string(constraint.num_rows()));
    normals.push_back(std::to_string(constraint.normal_row()));
  }
  return render(skeleton("c/constraints.cpp"),
                {{"name", name},
                 {"count", std::to_string(tree.constraints.count())},
                 {"rows", std::to_string(tree.constraints.num_rows())},
                 {"residual_rows", std::to_string(tree.constraints.num_residual_rows())},
                 {"names", array_body(names, "\"\"")},
                 {"types", array_body(types, "\"\"")},
                 {"num_rows", join(counts, ", ")},
                 {"first_rows", join(rows, ", ")},
                 {"normal_rows", join(normals, ", ")}});
}

}  // namespace featherline::emit
