// What NAME.h and NAME_c.cpp say about what the user chose: inputs, frames, constraints.
#include "emit/constants.hpp"
#include "emit/identifiers.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

namespace featherline::emit {
namespace {

/// "1, 2, 3": a number of each entry.
template <class List, class Number>
std::string numbers(const List& list, const Number& number) {
  return join(each(list, [&](const auto& entry) { return std::to_string(number(entry)); }), ", ");
}

std::string force_declarations(const model::Tree& tree, const std::string& name) {
  if (tree.chosen.forces.empty()) return "";
  const std::vector<std::string> links = link_enumerators(tree);
  std::vector<std::string> entries;
  for (const int link : tree.chosen.forces)
    entries.push_back(
        fmt::format("  {}_FORCE_{} = {}", name, links[static_cast<std::size_t>(link)], entries.size()));
  return render(skeleton("c/external_forces.h"), {{"name", name}, {"forces", join(entries, ",\n")}});
}

std::string parameter_declarations(const model::Tree& tree, const std::string& name,
                                   const std::string& scalar) {
  if (tree.chosen.num_parameters() == 0) return "";
  Namer namer("parameter");
  const std::vector<std::string> entries = each(model::parameters(tree), [&](const model::Parameter& p) {
    return fmt::format("  {}_PARAMETER_{} = {}", name, namer.take(p.name), p.index);
  });
  return render(skeleton("c/parameters.h"),
                {{"name", name}, {"scalar", scalar}, {"parameters", join(entries, ",\n")}});
}

std::string frame_declarations(const model::Tree& tree, const std::string& name) {
  const std::vector<model::ChosenFrame>& frames = tree.frames.chosen;
  if (frames.empty()) return "";
  const std::vector<std::string> enumerators = frame_enumerators(tree);
  std::vector<std::string> entries;
  for (std::size_t k = 0; k < frames.size(); ++k)
    entries.push_back(fmt::format("  {0}_POSE_OF_{1} = {2},\n  {0}_ROW_OF_{1} = {3}", name, enumerators[k], k,
                                  frames[k].first_row));
  return render(
      skeleton("c/frames.h"),
      {{"name", name}, {"axes", model::describe(tree.frames.axes)}, {"entries", join(entries, ",\n")}});
}

std::string constraint_declarations(const model::Tree& tree, const std::string& name) {
  if (tree.constraints.count() == 0) return "";
  Namer namer("constraint");
  std::vector<std::string> entries;
  for (const model::Constraint& constraint : tree.constraints.all)
    entries.push_back(fmt::format("  {0}_CONSTRAINT_{1} = {2},\n  {0}_LAMBDA_OF_{1} = {3}", name,
                                  namer.take(constraint.name), entries.size(), constraint.first_row));
  return render(
      skeleton("c/constraints.h"),
      {{"name", name}, {"meanings", row_meanings(tree, "//") + "\n"}, {"entries", join(entries, ",\n")}});
}

std::string force_getters(const model::Tree& tree, const std::string& name) {
  const std::vector<int>& forces = tree.chosen.forces;
  if (forces.empty()) return "";
  return render(skeleton("c/external_forces.cpp"), {{"name", name},
                                                    {"count", std::to_string(forces.size())},
                                                    {"links", numbers(forces, [](int k) { return k; })}});
}

std::string parameter_getters(const model::Tree& tree, const std::string& name, const std::string& scalar) {
  if (tree.chosen.num_parameters() == 0) return "";
  return render(skeleton("c/parameters.cpp"), {{"name", name},
                                               {"scalar", scalar},
                                               {"defaults", parameter_default_rows(tree, scalar)},
                                               {"rows", parameter_rows(tree)},
                                               {"count", std::to_string(model::parameters(tree).size())},
                                               {"numbers", std::to_string(tree.chosen.num_parameters())}});
}

std::string frame_getters(const model::Tree& tree, const std::string& name) {
  using Frame = model::ChosenFrame;
  const std::vector<Frame>& frames = tree.frames.chosen;
  if (frames.empty()) return "";
  const auto names = each(frames, [](const Frame& f) { return string_literal(f.name); });
  return render(skeleton("c/frames.cpp"),
                {{"name", name},
                 {"count", std::to_string(frames.size())},
                 {"rows", std::to_string(tree.frames.num_rows())},
                 {"names", array_body(names, "\"\"")},
                 {"axes", std::to_string(static_cast<int>(tree.frames.axes))},
                 {"links", numbers(frames, [](const Frame& f) { return f.link; })},
                 {"num_rows", numbers(frames, [](const Frame& f) { return f.num_rows(); })},
                 {"first_rows", numbers(frames, [](const Frame& f) { return f.first_row; })}});
}

std::string constraint_getters(const model::Tree& tree, const std::string& name) {
  using model::Constraint;
  const auto& all = tree.constraints.all;
  if (tree.constraints.count() == 0) return "";
  const auto names = each(all, [](const Constraint& c) { return string_literal(c.name); });
  const auto types =
      each(all, [](const Constraint& c) { return string_literal(model::kind_of(c.type).name); });
  return render(skeleton("c/constraints.cpp"),
                {{"name", name},
                 {"count", std::to_string(tree.constraints.count())},
                 {"rows", std::to_string(tree.constraints.num_rows())},
                 {"residual_rows", std::to_string(tree.constraints.num_residual_rows())},
                 {"names", array_body(names, "\"\"")},
                 {"types", array_body(types, "\"\"")},
                 {"num_rows", numbers(all, [](const Constraint& c) { return c.num_rows(); })},
                 {"first_rows", numbers(all, [](const Constraint& c) { return c.first_row; })},
                 {"normal_rows", numbers(all, [](const Constraint& c) { return c.normal_row(); })}});
}

}  // namespace

std::string c_declarations_of_chosen(const model::Tree& tree, const std::string& name,
                                     const std::string& scalar) {
  return force_declarations(tree, name) + parameter_declarations(tree, name, scalar) +
         frame_declarations(tree, name) + constraint_declarations(tree, name);
}

std::string c_getters_of_chosen(const model::Tree& tree, const std::string& name, const std::string& scalar) {
  std::string inputs = force_getters(tree, name) + parameter_getters(tree, name, scalar);
  if (!inputs.empty()) inputs.pop_back();  // the skeleton that takes it ends the line
  return inputs + frame_getters(tree, name) + constraint_getters(tree, name);
}

}  // namespace featherline::emit
