#include "emit/constants.hpp"

#include "emit/identifiers.hpp"
#include "emit/text.hpp"
#include "support/index.hpp"

namespace featherline::emit {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }

std::string force_constants(const model::Tree& tree) {
  const std::vector<std::string> links = link_enumerators(tree);
  std::vector<std::string> entries;
  for (const int link : tree.chosen.forces) entries.push_back("Link::" + links[index(link)]);
  return "\n\n/// The links that external forces act on. `fext` has six numbers of each, [force; moment], in "
         "this order.\n"
         "inline constexpr int num_external_forces = " +
         number(entries.size()) + ";\ninline constexpr Link external_forces[] = {\n" +
         array_body(entries, "{}") + "\n};";
}

std::string parameter_constants(const model::Tree& tree) {
  return "\n\n/// The input `p`: gravity, and payloads, which are added to what the URDF says. A payload is "
         "m, m cx, m cy,\n"
         "/// m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of its link's frame, in the link's "
         "axes.\n" +
         std::string(tree.chosen.anchors.empty()
                         ? ""
                         : "/// The anchors say where the contacts of the constraints below are held: three "
                           "coordinates in the world\n/// for each contact. Set them at touch-down.\n") +
         std::string(tree.chosen.stabilisation ? "/// The last two are KP and KD of the constraints below.\n"
                                               : "") +
         "inline constexpr int num_parameters = " + std::to_string(tree.chosen.num_parameters()) +
         ";\ninline constexpr double parameter_defaults[] = {\n" + parameter_default_rows(tree, "double") +
         "\n};\ninline constexpr featherline::ParameterInfo parameters[] = {\n"
         "    // name, index in p, size, unit, defaults\n" +
         parameter_rows(tree) + "\n};";
}

}  // namespace

std::string parameter_default_rows(const model::Tree& tree, const std::string& scalar) {
  std::vector<std::string> rows;
  for (const model::Parameter& parameter : model::parameters(tree)) {
    std::vector<std::string> numbers;
    for (const double value : parameter.defaults) numbers.push_back(literal(value, scalar));
    rows.push_back(join(numbers, ", "));
  }
  return array_body(rows, "");
}

std::string parameter_rows(const model::Tree& tree) {
  std::vector<std::string> rows;
  for (const model::Parameter& parameter : model::parameters(tree)) {
    const std::string index = std::to_string(parameter.index);
    rows.push_back("{" + string_literal(parameter.name) + ", " + index + ", " +
                   std::to_string(parameter.size()) + ", " + string_literal(parameter.unit) +
                   ", parameter_defaults + " + index + "}");
  }
  return array_body(rows, "{}");
}

std::string gravity_sentence(const model::Tree& tree) {
  if (tree.chosen.gravity) return "gravity is p[0], p[1], p[2] in world axes";
  return "gravity is (" + literal(tree.gravity.x()) + ", " + literal(tree.gravity.y()) + ", " +
         literal(tree.gravity.z()) + ") m/s^2 in world axes";
}

std::string chosen_inputs_in_batches(const model::Tree& tree) {
  std::vector<std::string> places;
  if (!tree.chosen.forces.empty()) places.push_back("fext at fext + k * 6 * num_external_forces");
  if (tree.chosen.num_parameters() > 0) places.push_back("p at p + k * num_parameters");
  if (places.empty()) return "";
  return fill_lines("Every state has its own chosen inputs, too: " + join(places, ", ") + ".", "/// ",
                    "/// ") +
         "\n///";
}

std::string chosen_inputs_include(const model::Tree& tree) {
  return tree.chosen.num_parameters() > 0 ? "#include <featherline/parameter_info.hpp>" : "";
}

std::string chosen_inputs_constants(const model::Tree& tree) {
  return (tree.chosen.forces.empty() ? "" : force_constants(tree)) +
         (tree.chosen.num_parameters() > 0 ? parameter_constants(tree) : "");
}

std::vector<std::pair<std::string, int>> chosen_inputs_sizes(const model::Tree& tree) {
  std::vector<std::pair<std::string, int>> sizes;
  if (!tree.chosen.forces.empty())
    sizes.emplace_back("num_external_forces", static_cast<int>(tree.chosen.forces.size()));
  if (tree.chosen.num_parameters() > 0) sizes.emplace_back("num_parameters", tree.chosen.num_parameters());
  return sizes;
}

void add_chosen_inputs(const model::Tree& tree, Json& manifest) {
  if (!tree.chosen.forces.empty()) {
    manifest["external_forces"] = Json::array();
    for (const int link : tree.chosen.forces)
      manifest["external_forces"].push_back(tree.links[index(link)].name);
  }
  if (tree.chosen.num_parameters() == 0) return;
  manifest["parameters"] = Json::array();
  for (const model::Parameter& parameter : model::parameters(tree))
    manifest["parameters"].push_back(Json{{"name", parameter.name},
                                          {"index", parameter.index},
                                          {"size", parameter.size()},
                                          {"unit", parameter.unit},
                                          {"defaults", parameter.defaults}});
}

}  // namespace featherline::emit
