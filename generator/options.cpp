#include "options.hpp"

#include <algorithm>

namespace featherline {

Options::Options() = default;

bool Options::is_named(const std::string& function) const {
  return std::find(named_functions.begin(), named_functions.end(), function) != named_functions.end();
}

bool Options::has_binding(std::string_view option) const {
  return std::find(bindings.begin(), bindings.end(), option) != bindings.end();
}

cost::Target Options::estimated_target() const { return target ? *target : cost::usual_target(scalars); }

Goal Options::goal() const {
  if (optimise_for) return *optimise_for;
  return cost::is_cortex_m(estimated_target()) ? Goal::flops : Goal::speed;
}

const std::string* Options::demanded_formulation(const std::string& function) const {
  for (const auto* demands : {&formulations, &choices}) {
    const auto found = demands->find(function);
    if (found != demands->end()) return &found->second;
  }
  return nullptr;
}

const std::vector<GoalName>& goal_names() {
  static const std::vector<GoalName> names{
      {"speed", Goal::speed}, {"size", Goal::size}, {"flops", Goal::flops}};
  return names;
}

}  // namespace featherline
