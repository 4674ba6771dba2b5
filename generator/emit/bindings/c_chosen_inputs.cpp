#include "emit/bindings/c_chosen_inputs.hpp"

#include "emit/constants.hpp"
#include "emit/identifiers.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

std::string force_enumerators(const model::Tree& tree, const std::string& name) {
  const std::vector<std::string> links = link_enumerators(tree);
  std::vector<std::string> entries;
  for (const int link : tree.chosen.forces)
    entries.push_back("  " + name + "_FORCE_" + links[static_cast<std::size_t>(link)] + " = " +
                      std::to_string(entries.size()));
  return join(entries, ",\n");
}

std::string parameter_enumerators(const model::Tree& tree, const std::string& name) {
  Namer namer("parameter");
  std::vector<std::string> entries;
  for (const model::Parameter& parameter : model::parameters(tree))
    entries.push_back("  " + name + "_PARAMETER_" + namer.take(parameter.name) + " = " +
                      std::to_string(parameter.index));
  return join(entries, ",\n");
}

std::string force_getters(const model::Tree& tree, const std::string& name) {
  std::vector<std::string> links;
  for (const int link : tree.chosen.forces) links.push_back(std::to_string(link));
  return render(skeleton("c/external_forces.cpp"),
                {{"name", name}, {"count", std::to_string(links.size())}, {"links", join(links, ", ")}});
}

std::string parameter_getters(const model::Tree& tree, const std::string& name, const std::string& scalar) {
  return render(skeleton("c/parameters.cpp"), {{"name", name},
                                               {"scalar", scalar},
                                               {"defaults", parameter_default_rows(tree, scalar)},
                                               {"rows", parameter_rows(tree)},
                                               {"count", std::to_string(model::parameters(tree).size())},
                                               {"numbers", std::to_string(tree.chosen.num_parameters())}});
}

}  // namespace

std::string c_chosen_inputs(const model::Tree& tree, const std::string& name, const std::string& scalar) {
  std::string text;
  if (!tree.chosen.forces.empty())
    text +=
        render(skeleton("c/external_forces.h"), {{"name", name}, {"forces", force_enumerators(tree, name)}});
  if (tree.chosen.num_parameters() > 0)
    text += render(skeleton("c/parameters.h"),
                   {{"name", name}, {"scalar", scalar}, {"parameters", parameter_enumerators(tree, name)}});
  return text;
}

std::string c_chosen_input_getters(const model::Tree& tree, const std::string& name,
                                   const std::string& scalar) {
  std::string text = (tree.chosen.forces.empty() ? "" : force_getters(tree, name)) +
                     (tree.chosen.num_parameters() > 0 ? parameter_getters(tree, name, scalar) : "");
  if (!text.empty()) text.pop_back();  // the skeleton that takes it ends the line
  return text;
}

}  // namespace featherline::emit
