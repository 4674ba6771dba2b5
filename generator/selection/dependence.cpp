#include "selection/dependence.hpp"

#include "catalog/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace featherline {
namespace {

using catalog::Dependence;
using catalog::FunctionSpec;

/// Something that the user chose for functions that depend on it.
struct Choice {
  const char* flag;
  bool is_made;
  bool (*matters)(const FunctionSpec&);
  const char* group = nullptr;  ///< all of whose functions depend on it
};

std::vector<Choice> choices(const Options& options, const model::Tree& tree) {
  const model::ChosenInputs& chosen = tree.chosen;
  const auto on_gains = [](const FunctionSpec& f) { return f.depends.stabilisation; };
  return {
      {"--frame-parts", !options.frame_parts.empty(), [](const FunctionSpec& f) { return f.takes_parts; }},
      {"--frames", !options.frames.empty(), catalog::uses_chosen_frames, "frames"},
      {"--frame-axes", options.frame_axes != model::FrameAxes::local_world_aligned,
       catalog::uses_chosen_frames, "frames"},
      {"--contacts", !options.contacts.empty(), catalog::takes_constraints, "constraints"},
      {"--external-forces", !chosen.forces.empty(),
       [](const FunctionSpec& f) { return f.depends.forces == Dependence::Forces::yes; }},
      {"--parameters gravity", chosen.gravity, [](const FunctionSpec& f) { return f.depends.gravity; }},
      {"--parameters payload", !chosen.payloads.empty(),
       [](const FunctionSpec& f) { return f.depends.inertia; }},
      {"--parameters anchors", !chosen.anchors.empty(), on_gains},
      {"--parameters stabilisation", chosen.stabilisation, on_gains},
      {"--stabilisation", tree.constraints.kp != 0.0 || tree.constraints.kd != 0.0, on_gains}};
}

/// "the group frames to --functions", "one that does: rnea, bias".
std::string what_to_add(const Choice& choice) {
  if (choice.group != nullptr) return fmt::format("the group {} to --functions", choice.group);
  std::vector<std::string> names;
  for (const FunctionSpec& function : catalog::functions()) {
    if (choice.matters(function)) names.push_back(function.name);
  }
  return names.size() == 1 ? names.front() + " to --functions"
                           : fmt::format("one that does: {}", fmt::join(names, ", "));
}

}  // namespace

void refuse_unused_choices(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                           const Options& options, const model::Tree& tree) {
  const std::string without =
      dropped.empty() ? "" : fmt::format(" ({} cannot take external forces)", fmt::join(dropped, ", "));
  for (const Choice& choice : choices(options, tree)) {
    const auto uses = [&](const std::string& name) { return choice.matters(*catalog::find(name)); };
    if (!choice.is_made || std::any_of(functions.begin(), functions.end(), uses)) continue;
    throw UsageError(fmt::format("{}: none of the functions {} depends on it{}; leave it out, or add {}",
                                 choice.flag, fmt::join(functions, ", "), without, what_to_add(choice)));
  }
}

}  // namespace featherline
