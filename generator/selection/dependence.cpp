#include "selection/dependence.hpp"

#include "catalog/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace featherline {
namespace {

using catalog::Dependence;
using Depends = bool (*)(const Dependence&);

struct ChosenInput {
  std::string flag;
  bool is_chosen;
  Depends depends;
};

std::vector<ChosenInput> chosen_inputs(const model::Tree& tree) {
  const model::ChosenInputs& chosen = tree.chosen;
  const Depends on_gains = [](const Dependence& d) { return d.stabilisation; };
  return {{"--external-forces", !chosen.forces.empty(),
           [](const Dependence& d) { return d.forces == Dependence::Forces::yes; }},
          {"--parameters gravity", chosen.gravity, [](const Dependence& d) { return d.gravity; }},
          {"--parameters payload", !chosen.payloads.empty(), [](const Dependence& d) { return d.inertia; }},
          {"--parameters anchors", !chosen.anchors.empty(), on_gains},
          {"--parameters stabilisation", chosen.stabilisation, on_gains},
          {"--stabilisation", tree.constraints.kp != 0.0 || tree.constraints.kd != 0.0, on_gains}};
}

std::vector<std::string> functions_that(Depends depends) {
  std::vector<std::string> names;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (depends(function.depends)) names.push_back(function.name);
  }
  return names;
}

/// `dropped`: functions that depend on forces, but cannot take them.
void refuse_unused(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                   const ChosenInput& input) {
  const auto uses = [&](const std::string& name) { return input.depends(catalog::find(name)->depends); };
  if (!input.is_chosen || std::any_of(functions.begin(), functions.end(), uses)) return;
  const std::string without =
      dropped.empty() ? "" : fmt::format(" ({} cannot take external forces)", fmt::join(dropped, ", "));
  throw UsageError(fmt::format(
      "{}: none of the functions {} depends on it{}; leave it out, or add one that does: {}", input.flag,
      fmt::join(functions, ", "), without, fmt::join(functions_that(input.depends), ", ")));
}

}  // namespace

void refuse_unused_frames(const std::vector<std::string>& functions, const Options& options) {
  const auto takes_parts = [](const std::string& name) { return catalog::find(name)->takes_parts; };
  if (!options.frame_parts.empty() && std::none_of(functions.begin(), functions.end(), takes_parts))
    throw UsageError(fmt::format(
        "--frame-parts: none of the functions {} depends on it; leave it out, or add frame_kinematics to "
        "--functions",
        fmt::join(functions, ", ")));
  const bool has_axes = options.frame_axes != model::FrameAxes::local_world_aligned;
  if (options.frames.empty() && !has_axes) return;
  const auto uses = [](const std::string& name) { return catalog::uses_chosen_frames(*catalog::find(name)); };
  if (std::any_of(functions.begin(), functions.end(), uses)) return;
  throw UsageError(fmt::format(
      "{}: none of the functions {} depends on it; leave it out, or add the group frames to --functions",
      options.frames.empty() ? "--frame-axes" : "--frames", fmt::join(functions, ", ")));
}

void refuse_unused_inputs(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                          const model::Tree& tree) {
  for (const ChosenInput& input : chosen_inputs(tree)) refuse_unused(functions, dropped, input);
}

}  // namespace featherline
