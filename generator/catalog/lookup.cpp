#include "catalog/entries.hpp"

#include <algorithm>

/// What is derived from the entries.
namespace featherline::catalog {

const std::vector<FunctionSpec>& functions() {
  static const std::vector<FunctionSpec> all = [] {
    std::vector<FunctionSpec> joined;
    for (const auto& part :
         {dynamics_functions(), kinematics_functions(), whole_body_functions(), constraint_functions()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

std::vector<Group> groups() {
  return {dynamics, derivatives, second_order, kinematics, frames, whole_body, constraints};
}

bool has_packed_form(const FunctionSpec& function) {
  return !function.takes_link && std::all_of(function.outputs.begin(), function.outputs.end(),
                                             [](const Argument& output) { return output.shape.rank() > 1; });
}

std::string packed_name(const FunctionSpec& function) { return function.name + "_packed"; }

bool has_nonzeros_form(const FunctionSpec& function) { return has_packed_form(function); }

std::string nonzeros_name(const FunctionSpec& function) { return function.name + "_nonzeros"; }

bool has_size(const FunctionSpec& function, Dimension::Of size) {
  const auto has = [&](const Argument& argument) {
    const std::vector<Dimension>& sides = argument.shape.sides();
    return std::any_of(sides.begin(), sides.end(), [&](const Dimension& side) { return side.of == size; });
  };
  return std::any_of(function.inputs.begin(), function.inputs.end(), has) ||
         std::any_of(function.outputs.begin(), function.outputs.end(), has);
}

bool takes_frames(const FunctionSpec& function) {
  return has_size(function, Dimension::Of::num_frames) || has_size(function, Dimension::Of::num_frame_rows);
}

bool takes_constraints(const FunctionSpec& function) {
  return has_size(function, Dimension::Of::num_constraint_rows) ||
         has_size(function, Dimension::Of::num_residual_rows) ||
         has_size(function, Dimension::Of::num_constraints);
}

const FunctionSpec* find(const std::string& name) {
  for (const FunctionSpec& function : functions()) {
    if (function.name == name || (has_packed_form(function) && packed_name(function) == name))
      return &function;
  }
  return nullptr;
}

const std::string& source_of(const FunctionSpec& function, const std::string& formulation) {
  const std::string name = formulation.substr(0, formulation.find(','));  // "NAME, plain frames"
  for (const Formulation& f : function.formulations) {
    if (f.name == name && !f.source.empty()) return f.source;
  }
  return function.source;
}

std::vector<Argument> inputs_of(const FunctionSpec& function, const model::Tree& tree) {
  std::vector<Argument> inputs = function.inputs;
  const Dependence& depends = function.depends;
  if (depends.forces == Dependence::Forces::yes && !tree.chosen.forces.empty())
    inputs.push_back(arguments::fext);
  if ((depends.gravity && tree.chosen.gravity) || (depends.inertia && !tree.chosen.payloads.empty()) ||
      (depends.stabilisation && tree.chosen.stabilisation))
    inputs.push_back(arguments::p);
  return inputs;
}

namespace {

std::vector<ir::Buffer> buffers(const std::vector<Argument>& arguments, const model::Tree& tree) {
  std::vector<ir::Buffer> list;
  for (const Argument& a : arguments)
    list.push_back({a.name, static_cast<int>(a.shape.size(sizes_of(tree)))});
  return list;
}

template <class Traced>
ir::Kernel trace_on(const FunctionSpec& function, const Formulation& formulation, const Traced& traced,
                    const model::Tree& tree) {
  ir::Kernel kernel = algorithms::trace(traced, buffers(inputs_of(function, tree), tree),
                                        buffers(function.outputs, tree), formulation.run);
  kernel.name = function.name;
  kernel.formulation = formulation.name;
  return kernel;
}

}  // namespace

ir::Kernel trace(const FunctionSpec& function, const Formulation& formulation,
                 const model::CanonicalTree& tree) {
  return trace_on(function, formulation, tree, tree);
}

ir::Kernel trace(const FunctionSpec& function, const Formulation& formulation,
                 const model::FoldedTree& tree) {
  return trace_on(function, formulation, tree, tree.full);
}

}  // namespace featherline::catalog
