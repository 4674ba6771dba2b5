#include "emit/chosen_inputs.hpp"

#include "emit/names.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }

std::string force_constants(const model::Tree& tree) {
  const std::vector<std::string> links = link_enumerators(tree);
  std::vector<std::string> entries;
  for (const int link : tree.chosen.forces)
    entries.push_back("Link::" + links[static_cast<std::size_t>(link)]);
  return "\n\n/// The links that external forces act on. `fext` has six numbers of each, [force; moment], in "
         "this order.\n"
         "inline constexpr int num_external_forces = " +
         number(entries.size()) + ";\ninline constexpr Link external_forces[] = {\n" +
         array_body(entries, "{}") + "\n};";
}

std::string parameter_constants(const model::Tree& tree) {
  std::vector<std::string> defaults, rows;
  for (const model::Parameter& parameter : model::parameters(tree)) {
    rows.push_back("{" + string_literal(parameter.name) + ", " + std::to_string(parameter.index) + ", " +
                   std::to_string(parameter.size()) + ", " + string_literal(parameter.unit) +
                   ", parameter_defaults + " + std::to_string(parameter.index) + "}");
    std::vector<std::string> numbers;
    for (const double value : parameter.defaults) numbers.push_back(literal(value));
    defaults.push_back(join(numbers, ", "));
  }
  return "\n\n/// The input `p`: gravity, and payloads, which are added to what the URDF says. A payload is "
         "m, m cx, m cy,\n"
         "/// m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of its link's frame, in the link's axes.\n"
         "inline constexpr int num_parameters = " +
         std::to_string(tree.chosen.num_parameters()) +
         ";\ninline constexpr double parameter_defaults[] = {\n" + array_body(defaults, "") +
         "\n};\ninline constexpr featherline::ParameterInfo parameters[] = {\n"
         "    // name, index in p, size, unit, defaults\n" +
         array_body(rows, "{}") + "\n};";
}

}  // namespace

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
      manifest["external_forces"].push_back(tree.links[static_cast<std::size_t>(link)].name);
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
