#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

namespace {

/// A word as a shell takes it: in single quotes, unless it has only letters, digits and signs that mean nothing there.
std::string for_shell(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-+./:,=@%").find(c) != std::string_view::npos;
  };
  if (std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// A list as the command line takes it: a comma in a name is written as "\\,", and blanks need quotes.
std::string list_of_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    for (const char c : name) text += c == ',' ? std::string("\\,") : std::string(1, c);
  }
  return for_shell(text);
}

}  // namespace

std::string robot_flags(const Options& options) {
  const model::BuildOptions& build = options.build;
  std::string text =
      fmt::format("--base {} --mimic {} --gravity {},{},{}", build.floating_base ? "floating" : "fixed",
                  build.mimic_independent ? "independent" : "coupled", build.gravity.x(), build.gravity.y(),
                  build.gravity.z());
  if (build.snap_tolerance != model::BuildOptions::default_snap_tolerance)
    text += fmt::format(" --snap-angles {}", build.snap_tolerance);
  if (build.allow_unphysical_inertia) text += " --allow unphysical-inertia";
  if (options.allow_unknown_attributes) text += " --allow unknown-attribute";
  if (build.joint_dynamics) text += " --joint-dynamics urdf";
  if (options.joint_dynamics_file) text += " --joint-dynamics (given)";
  if (build.joint_order) text += " --joint-order (given)";
  if (!build.locked.locks.empty()) text += " --lock " + for_shell(model::text_of(build.locked.locks));
  if (!build.locked.all_but.empty()) text += " --lock-all-but " + list_of_names(build.locked.all_but);
  if (!options.external_forces.empty())
    text += " --external-forces " + list_of_names(options.external_forces);
  if (!options.parameters.empty()) text += " --parameters " + list_of_names(options.parameters);
  if (!options.frames.empty()) text += " --frames " + for_shell(model::text_of(options.frames));
  for (const model::FrameAxesName& entry : model::frame_axes_names()) {
    const bool is_default = entry.axes == model::FrameAxes::local_world_aligned;
    if (entry.axes == options.frame_axes && !is_default) text += " --frame-axes " + entry.name;
  }
  if (!options.frame_parts.empty())
    text += fmt::format(" --frame-parts {}", fmt::join(options.frame_parts, ","));
  if (!options.contacts.empty()) text += " --contacts " + for_shell(model::text_of(options.contacts));
  if (options.kp != 0.0 || options.kd != 0.0)
    text += fmt::format(" --stabilisation {},{}", options.kp, options.kd);
  if (!options.lanes) text += " --lanes off";
  return text;
}

std::string flags_in_effect(const Options& options, const std::vector<std::string>& functions) {
  std::string text = robot_flags(options);
  text += fmt::format(" --scalar {}", fmt::join(options.scalars, ","));
  if (options.target) text += " --target " + cost::name(*options.target);
  for (const std::string& binding : options.bindings) text += " --" + binding;
  text += fmt::format(" --functions {}", fmt::join(functions, ","));
  for (const auto& [function, formulation] : options.formulations)
    text += fmt::format(" --formulation \"{}={}\"", function, formulation);
  for (const GoalName& entry : goal_names()) {
    if (options.optimise_for == entry.goal) text += " --optimise-for " + entry.name;
  }
  if (!options.choices.empty()) text += " --choices (given)";
  if (options.max_code > 0) text += fmt::format(" --max-code {}", options.max_code);
  if (!options.verify) text += " --no-verify";
  return text;
}

}  // namespace featherline
