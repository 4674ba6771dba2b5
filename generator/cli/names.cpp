#include "cli/names.hpp"

#include "catalog/functions.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <set>

namespace featherline::cli {
namespace {

/// The name of a function in another library, in lower case and without underscores and dashes, and our name for it.
struct ForeignName {
  std::string_view theirs, ours;
};

constexpr ForeignName foreign_names[] = {
    // Pinocchio
    {"crba", "mass_matrix"},
    {"nonlineareffects", "bias"},
    {"computegeneralizedgravity", "gravity"},
    {"computecoriolismatrix", "coriolis_matrix"},
    {"getcoriolismatrix", "coriolis_matrix"},
    {"computeminverse", "minv"},
    {"computerneaderivatives", "rnea_derivatives"},
    {"computeabaderivatives", "aba_derivatives"},
    {"computerneasecondorderderivatives", "rnea_second_derivatives"},
    {"framesforwardkinematics", "forward_kinematics"},
    {"updateframeplacement", "forward_kinematics"},
    {"updateframeplacements", "forward_kinematics"},
    {"updateglobalplacements", "forward_kinematics"},
    {"computeframejacobian", "frame_jacobian"},
    {"getframejacobian", "frame_jacobian"},
    {"computejointjacobian", "frame_jacobian"},
    {"computejointjacobians", "frame_jacobian"},
    {"getjointjacobian", "frame_jacobian"},
    {"computejointtorqueregressor", "regressor"},
    {"centerofmass", "center_of_mass"},
    {"jacobiancenterofmass", "center_of_mass_jacobian"},
    {"computecentroidalmomentum", "centroidal_momentum"},
    {"ccrba", "centroidal_momentum_matrix"},
    {"computecentroidalmap", "centroidal_momentum_matrix"},
    {"dccrba", "centroidal_momentum_bias"},
    {"computecentroidalmaptimevariation", "centroidal_momentum_bias"},
    {"computekineticenergy", "kinetic_energy"},
    {"computepotentialenergy", "potential_energy"},
    {"constraintdynamics", "constrained_dynamics"},
    {"contactaba", "constrained_dynamics"},
    {"computeconstraintdynamicsderivatives", "constrained_dynamics_derivatives"},
    {"impulsedynamics", "impulse_dynamics"},
    {"computedelassusmatrix", "delassus"},
    {"dintegrate", "integrate_derivatives"},
    {"dintegratetransport", "integrate_derivatives"},
    // MuJoCo
    {"mjinverse", "rnea"},
    {"mjrne", "rnea"},
    {"mjforward", "aba"},
    {"mjfullm", "mass_matrix"},
    {"mjcrb", "mass_matrix"},
    {"mjsolvem", "aza"},
    {"mjkinematics", "forward_kinematics"},
    {"mjjac", "frame_jacobian"},
    {"mjjacbody", "frame_jacobian"},
    {"mjjacsite", "frame_jacobian"},
    {"mjdinversefd", "rnea_derivatives"},
    {"mjjacsubtreecom", "center_of_mass_jacobian"},
    {"mjangmommat", "centroidal_momentum_matrix"},
    {"mjenergyvel", "kinetic_energy"},
    {"mjenergypos", "potential_energy"},
    {"mjintegratepos", "integrate"},
    {"mjdifferentiatepos", "difference"},
    {"qfrcbias", "bias"},
    {"qfrcinverse", "rnea"},
    // RBDL
    {"inversedynamics", "rnea"},
    {"forwarddynamics", "aba"},
    {"forwarddynamicslagrangian", "aba"},
    {"compositerigidbodyalgorithm", "mass_matrix"},
    {"calcminvtimestau", "aza"},
    {"calccenterofmass", "center_of_mass"},
    {"calckineticenergy", "kinetic_energy"},
    {"calcpotentialenergy", "potential_energy"},
    {"calcpointjacobian", "frame_jacobian"},
    {"calcpointjacobian6d", "frame_jacobian"},
    {"calcbodyspatialjacobian", "frame_jacobian"},
    {"calcbodytobasecoordinates", "forward_kinematics"},
    {"calcbodyworldorientation", "forward_kinematics"},
    {"forwarddynamicsconstraintsdirect", "constrained_dynamics"},
    {"forwarddynamicscontactskokkevis", "constrained_dynamics"},
    {"computeconstraintimpulsesdirect", "impulse_dynamics"},
    {"calcconstraintspositionerror", "constraint_residual"},
    {"calcconstraintsvelocityerror", "constraint_residual"},
    // Textbooks and habits
    {"contactdynamics", "constrained_dynamics"},
    {"delassusmatrix", "delassus"},
    {"com", "center_of_mass"},
    {"jcom", "center_of_mass_jacobian"},
    {"comjacobian", "center_of_mass_jacobian"},
    {"cmm", "centroidal_momentum_matrix"},
    {"id", "rnea"},
    {"newtoneuler", "rnea"},
    {"recursivenewtoneuler", "rnea"},
    {"recursivenewtoneuleralgorithm", "rnea"},
    {"rne", "rnea"},
    {"fd", "aba"},
    {"articulatedbody", "aba"},
    {"articulatedbodyalgorithm", "aba"},
    {"crb", "mass_matrix"},
    {"compositerigidbody", "mass_matrix"},
    {"m", "mass_matrix"},
    {"mass", "mass_matrix"},
    {"inertia", "mass_matrix"},
    {"inertiamatrix", "mass_matrix"},
    {"jointspaceinertia", "mass_matrix"},
    {"jointspaceinertiamatrix", "mass_matrix"},
    {"minverse", "minv"},
    {"inversemass", "minv"},
    {"inverseinertia", "minv"},
    {"massmatrixinverse", "minv"},
    {"inversemassmatrix", "minv"},
    {"inverseinertiamatrix", "minv"},
    {"c", "coriolis_matrix"},
    {"coriolis", "coriolis_matrix"},
    {"g", "gravity"},
    {"gravityvector", "gravity"},
    {"generalizedgravity", "gravity"},
    {"biasforce", "bias"},
    {"biasforces", "bias"},
    {"nle", "bias"},
    {"inversedynamicsderivatives", "rnea_derivatives"},
    {"idsva", "rnea_derivatives"},
    {"forwarddynamicsderivatives", "aba_derivatives"},
    {"dfd", "aba_derivatives"},
    {"hessian", "rnea_second_derivatives"},
    {"hessians", "rnea_second_derivatives"},
    {"idsvaso", "rnea_second_derivatives"},
    {"secondderivatives", "rnea_second_derivatives"},
    {"computeforwardkinematics", "forward_kinematics"},
    {"fk", "forward_kinematics"},
    {"j", "frame_jacobian"},
    {"jac", "frame_jacobian"},
    {"jacobian", "frame_jacobian"},
    {"jacobians", "frame_jacobian"},
    {"geometricjacobian", "frame_jacobian"},
};

/// "pinocchio::computeMinverse" becomes "computeminverse".
std::string plain(std::string_view word) {
  const std::size_t colon = word.rfind(':');
  if (colon != std::string_view::npos) word.remove_prefix(colon + 1);
  std::string text;
  for (const char c : word) {
    if (c == '_' || c == '-') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

}  // namespace

std::string known_elsewhere_as(std::string_view word, const std::vector<std::string>& names) {
  const std::string wanted = plain(word);
  if (wanted.empty()) return {};
  const auto same =
      std::find_if(names.begin(), names.end(), [&](const auto& n) { return plain(n) == wanted; });
  if (same != names.end()) return *same;
  for (const ForeignName& name : foreign_names) {
    if (name.theirs != wanted) continue;
    const bool exists = std::find(names.begin(), names.end(), name.ours) != names.end();
    return exists ? std::string(name.ours) : std::string();
  }
  return {};
}

std::vector<std::string> targets_of_foreign_names() {
  std::vector<std::string> targets;
  for (const ForeignName& name : foreign_names) targets.emplace_back(name.ours);
  return targets;
}

namespace {

using catalog::FunctionSpec;

std::vector<std::string> group_names() {
  std::vector<std::string> names;
  for (const catalog::Group& group : catalog::groups()) names.push_back(group.name);
  names.emplace_back(catalog::packed_group);
  return names;
}

/// A function and the group it belongs to.
struct Entry {
  std::string name, group;
};

/// Every function, each followed by its packed form.
std::vector<Entry> entries() {
  std::vector<Entry> list;
  for (const FunctionSpec& function : catalog::functions()) {
    list.push_back({function.name, function.group.name});
    if (has_packed_form(function)) list.push_back({packed_name(function), catalog::packed_group});
  }
  return list;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

/// The message that refuses the name of a function. If it is the name in another library, the message gives our name.
std::string refuse_function(const std::string& word, const std::vector<std::string>& valid) {
  for (const FunctionSpec& function : catalog::functions()) {
    if (has_nonzeros_form(function) && word == nonzeros_name(function))
      return quoted(word) + " comes with " + quoted(function.name) +
             ", if that has structural zeros on the robot; ask for " + quoted(function.name);
  }
  return refuse_word(word, valid, known_elsewhere_as(word, valid));
}

const FunctionSpec& find_function(const std::string& name) {
  for (const FunctionSpec& function : catalog::functions()) {
    if (function.name == name) return function;
  }
  throw UsageError("--formulation: " + refuse_function(name, function_names()));
}

std::vector<std::string> formulation_names(const FunctionSpec& function) {
  std::vector<std::string> names;
  for (const auto& formulation : function.formulations) names.push_back(formulation.name);
  return names;
}

}  // namespace

std::vector<std::string> resolve_functions(const std::vector<std::string>& words) {
  std::vector<std::string> valid = function_names();
  for (const std::string& group : group_names()) valid.push_back(group);
  valid.push_back("all");
  for (const std::string& word : words) {
    const bool known = std::find(valid.begin(), valid.end(), word) != valid.end();
    if (!known) throw UsageError("--functions: " + refuse_function(word, valid));
  }
  const std::set<std::string> asked(words.begin(), words.end());
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (asked.count("all") + asked.count(entry.group) + asked.count(entry.name) > 0)
      names.push_back(entry.name);
  }
  return names;
}

std::map<std::string, std::string> resolve_formulations(const std::vector<std::string>& words) {
  std::map<std::string, std::string> forced;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      throw UsageError("--formulation: " + quoted(word) + " is not of the form FUNCTION=NAME");
    }
    const FunctionSpec& function = find_function(word.substr(0, equals));
    const std::string name = word.substr(equals + 1);
    const std::vector<std::string> valid = formulation_names(function);
    if (valid.empty()) throw UsageError("--formulation: there is only one way to compute " + function.name);
    if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
      throw UsageError("--formulation: " + function.name + ": " + refuse_word(name, valid) +
                       "; featherline generate --help says what each one does");
    }
    if (!forced.emplace(function.name, name).second) {
      throw UsageError("--formulation: " + function.name + " is given twice; keep one of them");
    }
  }
  return forced;
}

std::vector<std::string> default_functions() {
  std::vector<std::string> names;
  for (const catalog::Group& group : catalog::groups()) {
    if (group.by_default) names.push_back(group.name);
  }
  return names;
}

std::string list_functions() {
  std::string text;
  for (const std::string& group : group_names()) {
    text += "  " + group + ":";
    for (const Entry& entry : entries()) {
      if (entry.group == group) text += " " + entry.name;
    }
    text += "\n";
  }
  return text;
}

}  // namespace featherline::cli
