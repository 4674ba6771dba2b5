#include "catalog/functions.hpp"
#include "emit/identifiers.hpp"
#include "model/joint_roles.hpp"
#include "reference/expected.hpp"
#include "reference/expected_groups.hpp"
#include "selection/function_plan.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <random>

namespace featherline {
namespace {

using catalog::Dependence;
using catalog::FunctionSpec;
using Names = std::vector<std::string>;

bool depends_on_gains(const FunctionSpec& function) { return function.depends.stabilisation; }

bool any_of(const Names& functions, const std::function<bool(const FunctionSpec&)>& is_so) {
  return std::ranges::any_of(functions, [&](const std::string& name) { return is_so(*catalog::find(name)); });
}

constexpr const char* of_identifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/// Tells the user if the namespace and the files get another name than the one asked for. It is a warning if the name
/// came from --name. It is a note if it came from the file and the change is not expected. (That "my-arm" becomes
/// my_arm is expected; the report shows it.)
void tell_renaming(const std::string& wanted, bool is_asked, const std::string& file, Diagnostics& findings) {
  const std::string used = emit::emitted_name(wanted);
  if (used == wanted) return;
  const std::string message = (is_asked ? "--name " : "the robot's name ") + in_quotes(wanted) +
                              " cannot name a C++ namespace; " + in_quotes(used) +
                              " is used for it and for the files";
  if (is_asked) {
    findings.warning("renamed", {file, 0, ""}, message,
                     "choose a --name of letters, digits and single underscores that begins with a letter "
                     "and that neither C++ nor its libraries use");
  } else if (!wanted.empty() && wanted.find_first_not_of(of_identifiers) == std::string::npos) {
    findings.note({file, 0, ""}, message, "choose another one with --name");
  }
}

/// Something that the user chose for functions that depend on it.
struct Choice {
  std::string flag;
  bool is_made;
  std::function<bool(const FunctionSpec&)> matters;
  const char* users = nullptr;  ///< what depends on it, where that is shorter than its functions' names
};

std::vector<Choice> choices(const Options& options, const model::Tree& tree) {
  const model::ChosenInputs& chosen = tree.chosen;
  const auto has_payload = [&](bool replaces) {
    return std::ranges::count(chosen.payloads, replaces, &model::Payload::replaces) > 0;
  };
  const auto depends_on_inertia = [](const FunctionSpec& f) { return f.depends.inertia; };
  std::vector<Choice> all{
      {"--frame-parts", !options.frame_parts.empty(), [](const FunctionSpec& f) { return f.takes_parts; }},
      {"--frames", !options.frames.empty(), catalog::uses_chosen_frames, "the group frames"},
      {"--frame-axes", options.frame_axes != model::FrameAxes::local_world_aligned,
       catalog::uses_chosen_frames, "the group frames"},
      {"--integrator", options.integrator != model::Integrator::semi_implicit,
       [](const FunctionSpec& f) { return f.group.name == catalog::steps.name; }, "the group steps"},
      {"--contacts", !options.contacts.empty(), catalog::takes_constraints,
       "contact_step or the group constraints"},
      {"--regressor-columns", !options.regressor_columns.empty(),
       [](const FunctionSpec& f) {
         return catalog::is_regressor(f) || catalog::has_size(f, catalog::num_base_parameters);
       }},
      {"--contact-joints", !options.contact_joints.empty(), catalog::gives_status},
      {"--actuated", !options.actuated.empty(), [](const FunctionSpec& f) { return f.knows_motors; }},
      {"--external-forces", !chosen.forces.empty(),
       [](const FunctionSpec& f) { return f.depends.forces == Dependence::Forces::yes; }},
      {"--parameters gravity", chosen.gravity, [](const FunctionSpec& f) { return f.depends.gravity; }},
      {"--parameters payload", has_payload(false), depends_on_inertia},
      {"--parameters inertia", has_payload(true), depends_on_inertia},
      {"--parameters placement", !chosen.placements.empty(),
       [](const FunctionSpec& f) { return f.depends.takes_geometry(); }},
      {"--parameters anchors", !chosen.anchors.empty(), depends_on_gains},
      {"--parameters stabilisation", chosen.stabilisation, depends_on_gains},
      {"--stabilisation", tree.constraints.kp != 0.0 || tree.constraints.kd != 0.0, depends_on_gains}};
  for (const model::JointInput& input : chosen.joints)
    all.push_back({std::string("--parameters ") + input.number->word, true,
                   [&input](const FunctionSpec& f) { return depends_on(f.depends, *input.number); }});
  return all;
}

/// "the group frames to --functions", "one that does: rnea, bias".
std::string what_to_add(const Choice& choice) {
  if (choice.users != nullptr) return fmt::format("{} to --functions", choice.users);
  std::vector<std::string> names;
  for (const FunctionSpec& function : catalog::functions()) {
    if (choice.matters(function)) names.push_back(function.name);
  }
  return names.size() == 1 ? names.front() + " to --functions"
                           : fmt::format("one that does: {}", fmt::join(names, ", "));
}

void check_gains(const Names& functions, const Asked& asked) {
  const Options& options = asked.options;
  const auto& all = asked.tree.constraints.all;
  const bool has_anchors = !asked.tree.chosen.anchors.empty();
  const bool has_position =
      has_anchors || std::ranges::any_of(all, [](const auto& c) { return c.is_loop(); });
  if (has_anchors && any_of(functions, depends_on_gains) && options.kp == 0.0 &&
      !asked.tree.chosen.stabilisation)
    throw UsageError(
        "--parameters anchors: KP of the stabilisation is 0, so nothing pulls at the anchors; add for "
        "example --stabilisation 400,40, or the parameter stabilisation");
  if (options.kp != 0.0 && !has_position)
    throw UsageError(
        fmt::format("--stabilisation: KP is {}, and none of the constraints has a position to hold, as loops "
                    "have; contacts and wheels hold velocity: write 0,{}, or give contacts a position with "
                    "--parameters anchors",
                    options.kp, options.kd));
}

void warn_of_unused(const Names& functions, const Asked& asked) {
  const model::Constraints& constraints = asked.tree.constraints;
  const std::size_t shown = std::min<std::size_t>(functions.size(), 3);
  const std::string others =
      functions.size() > shown ? fmt::format(" and {} others", functions.size() - shown) : "";
  const bool is_one = constraints.count() == 1;
  asked.findings.warning(
      "unused-constraints", {asked.file, constraints.all.front().line, "robot"},
      fmt::format("{} of the robot's file {} no effect: {}{} {} computed without {}",
                  is_one ? "the constraint" : fmt::format("the {} constraints", constraints.count()),
                  is_one ? "has" : "have",
                  fmt::join(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                  others, functions.size() == 1 ? "is" : "are", is_one ? "it" : "them"),
      "add constrained dynamics, e.g. --functions dynamics,constraints");
}

void warn_of_dependent_rows(const Asked& asked) {
  const model::UserTree& tree = asked.tree;
  const model::Constraints& constraints = tree.constraints;
  std::mt19937 random(1);
  const std::vector<bool> depends = reference::dependent_rows(tree, reference::random_state(tree, random));
  const auto lost = std::ranges::count(depends, true);
  if (lost == 0) return;
  std::vector<std::string> names;
  int line = 0;
  for (const model::Constraint& constraint : constraints.all) {
    const auto first = depends.begin() + constraint.first_row;
    if (std::count(first, first + constraint.num_rows(), true) == 0) continue;
    names.push_back(in_quotes(constraint.name));
    if (line == 0) line = constraint.line;
  }
  asked.findings.warning(
      "dependent-constraints", {asked.file, line, "robot"},
      fmt::format("the constraints have {} rows on {} degrees of freedom, and {} of rank at a random state: "
                  "rows of {} depend on rows before them",
                  constraints.num_rows(), tree.nv, constraints.num_rows() - lost, fmt::join(names, ", ")),
      (constraints.num_rows() - lost == tree.nv
           ? "nothing can move; check the places and axes of the constraints. "
           : "") +
          std::string("accelerations are right if the constraints do not contradict each other; forces in "
                      "these rows are not determined"));
}

void tell_passive_loops(const Asked& asked) {
  const model::UserTree& tree = asked.tree;
  std::vector<std::string> joints;
  for (const int i : model::bodies_in_loops(tree)) {
    const model::Joint& joint = tree.bodies[index(i)].joint;
    if (!joint.row().is_free() && joint.mimics < 0) joints.push_back(joint.name);
  }
  if (joints.empty() || !asked.options.actuated.empty()) return;
  asked.findings.note({asked.file, 0, "robot"},
                      "constrained_inverse_dynamics: loops go through the joints " + quoted_list(joints) +
                          ", which count as joints without motors",
                      "name all joints that have motors with --actuated JOINT,...");
}

}  // namespace

std::string choose_name(const Robot& robot, const Options& options, Diagnostics& findings) {
  const std::string& wanted = options.name.empty() ? robot.description.name : options.name;
  const std::string used = emit::emitted_name(wanted);
  if (options.has_binding("c-api") && emit::hides_system_header(used))
    throw UsageError("--c-api: " + used + ".h would hide the system header <" + used +
                     ".h>; choose another --name");
  tell_renaming(wanted, !options.name.empty(), robot.description.file, findings);
  return wanted;
}

void tell_goal(const Robot& robot, const Options& options, Diagnostics& findings) {
  if (!options.is_size_in_place_of_latency()) return;
  findings.note({robot.description.file, 0, ""},
                "--optimise-for latency: a " + cost::name(options.estimated_target()) +
                    " has no caches to fill; the least code is taken, as with --optimise-for size");
}

void refuse_unused_choices(const Names& functions, const Names& dropped, const Asked& asked) {
  const std::string without =
      dropped.empty() ? "" : fmt::format(" ({} cannot take external forces)", fmt::join(dropped, ", "));
  for (const Choice& choice : choices(asked.options, asked.tree)) {
    if (!choice.is_made || any_of(functions, choice.matters)) continue;
    throw UsageError(fmt::format("{}: none of the functions {} depends on it{}; leave it out, or add {}",
                                 choice.flag, fmt::join(functions, ", "), without, what_to_add(choice)));
  }
}

void check_constraints(const Names& functions, const Asked& asked) {
  const auto holds_constraints =
      [](const FunctionSpec& function) {  // points of a step may depend on each other
        return catalog::takes_constraints(function) && !catalog::takes_ground(function);
      };
  if (any_of(functions, holds_constraints)) {
    check_gains(functions, asked);
    warn_of_dependent_rows(asked);
    if (any_of(functions, [](const FunctionSpec& function) { return function.knows_motors; }))
      tell_passive_loops(asked);
  } else if (asked.options.contacts.empty() && asked.tree.constraints.count() > 0) {
    warn_of_unused(functions, asked);
  }
}

}  // namespace featherline
