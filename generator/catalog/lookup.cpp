#include "algorithms/clusters/all_joints.hpp"
#include "catalog/methods.hpp"
#include "support/diagnostic.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cctype>
#include <mutex>
#include <string_view>

/// What is derived from the entries.
namespace featherline::catalog {

const std::vector<FunctionSpec>& functions() {
  static const std::vector<FunctionSpec> all = [] {
    const NamedTexts texts = read_texts("words/functions");
    std::vector<FunctionSpec> joined;
    for (const auto& [group, part] : {std::pair{dynamics, dynamics_functions()},
                                      {derivatives, derivatives_functions()},
                                      {second_order, second_order_functions()},
                                      {products, product_functions()},
                                      {kinematics, kinematics_functions()},
                                      {frames, frames_functions()},
                                      {whole_body, whole_body_functions()},
                                      {steps, step_functions()},
                                      {constraints, constraint_functions()},
                                      {rates, rate_functions()},
                                      {sensitivities, sensitivity_functions()}}) {
      for (FunctionSpec function : part) {
        const std::string& text = text_of(texts, function.name);
        const std::size_t end = text.find(" Source: ");
        if (end == text.npos)
          throw InternalError("templates/words/functions.in has no source of " + function.name);
        function.group = group;
        function.brief = text.substr(0, end);
        function.source = text.substr(end + std::string_view(" Source: ").size());
        joined.push_back(std::move(function));
      }
    }
    return joined;
  }();
  return all;
}

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> found;
    for (const FunctionSpec& function : functions()) {
      for (const Formulation& formulation : function.formulations) {
        const auto is_same = [&](const Method& method) { return method.name == formulation.name; };
        if (std::ranges::none_of(found, is_same)) found.push_back(formulation);
      }
    }
    return found;
  }();
  return all;
}

std::string words_of(const Method& method) {
  static const NamedTexts texts = read_texts("words/methods");
  return text_of(texts, method.name);
}

bool Method::in_lanes() const { return kind == Kind::lanes || kind == Kind::lanes_and_loops; }

bool Method::in_loops() const {
  return kind == Kind::loops || kind == Kind::lanes_and_loops || kind == Kind::straight_line_and_loops ||
         kind == Kind::axes_in_lanes;
}

bool Method::is_unrolled() const { return !in_loops() || kind == Kind::axes_in_lanes; }

void Formulation::run(algorithms::Context& context) const {
  if (const auto* plain = std::get_if<0>(&algorithm)) return (*plain)(context);
  if (const auto* by_routines = std::get_if<2>(&algorithm)) return (*by_routines)(context, routines);
  const auto choose = frames != nullptr ? frames : algorithms::chosen_frames;
  std::get<1>(algorithm)(context, choose(context.tree()));
}

std::string Formulation::unmet_requirement(const model::Tree& tree) const {
  const auto walks_alone = {by::denoc.name, by::dual_quaternions.name, by::gauss.name};
  if (tree.clusters && (kind != Kind::straight_line || std::ranges::count(walks_alone, name) > 0))
    return "it needs a robot of which no loops are eliminated";
  if (in_loops() && kind != Kind::axes_in_lanes && tree.chosen.has_gears())
    return "it needs gears that are no inputs";  // they are in its tables
  for (const Requirement& needed : {requirement, also}) {
    if (needed.holds == nullptr || needed.holds(tree)) continue;
    return std::string("it needs ") + needed.words + (needed.place != nullptr ? needed.place(tree) : "");
  }
  return {};
}

std::string needs::coupled_joints(const model::Tree& tree) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) continue;
    const model::Body& leader = tree.bodies[static_cast<std::size_t>(body.joint.mimics)];
    if (body.joint.turns_rotor && leader.parent == body.parent) continue;
    if (body.joint.turns_rotor)
      return ", and the link before joint " + in_quotes(leader.joint.name) + " does not carry its rotor";
    return ", and joint " + in_quotes(body.joint.name) + " mimics " + in_quotes(leader.joint.name) +
           " (--mimic independent gives it its own)";
  }
  return coupling_tendon(tree);
}

std::string needs::coupling_tendon(const model::Tree& tree) {
  return tree.tendons.empty() ? ""
                              : ", and tendon " + in_quotes(tree.tendons.front().name) + " couples joints";
}

double unrolled_flops(const FunctionSpec& function, const Formulation& formulation, const model::Tree& tree) {
  const bool is_unrolled = formulation.is_unrolled() || formulation.kind == Kind::straight_line_and_loops;
  return is_unrolled ? algorithms::unrolled_flops(tree, function.unrolled_flops) : 0.0;
}

std::vector<Group> groups() {
  return {dynamics,   derivatives, second_order, products, kinematics,   frames,
          whole_body, steps,       constraints,  rates,    sensitivities};
}

bool has_batch_form(const FunctionSpec& function) {
  return !function.takes_link && !function.takes_parts && !function.repeats && !takes_ground(function);
}

bool has_packed_form(const FunctionSpec& function) {
  return has_batch_form(function) && std::ranges::all_of(function.outputs, [](const Argument& output) {
           return output.shape.rank() > 1;
         });
}

bool has_size(const FunctionSpec& function, const Dimension& size) {
  const auto has = [&](const Argument& argument) {
    const std::vector<Dimension>& sides = argument.shape.sides();
    return std::ranges::any_of(sides, [&](const Dimension& side) { return side.of == size.of; });
  };
  return std::ranges::any_of(function.inputs, has) || std::ranges::any_of(function.outputs, has);
}

bool uses_chosen_frames(const FunctionSpec& function) {
  return has_size(function, num_frames) || has_size(function, num_frame_rows);
}

bool takes_constraints(const FunctionSpec& function) {
  return has_size(function, num_constraint_rows) || has_size(function, num_residual_rows) ||
         has_size(function, num_constraints);
}

bool is_of_all_joints(const FunctionSpec& function) {
  return has_size(function, nq_all) || has_size(function, nv_all);
}

bool takes_ground(const FunctionSpec& function) {
  return std::ranges::any_of(function.inputs,
                             [](const Argument& input) { return input.in_state == &State::contact; });
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

namespace {

/// "poses and velocities", "poses, velocities and bias".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
  return text;
}

FunctionSpec with_parts(FunctionSpec function, const std::vector<const model::FramePart*>& parts) {
  std::vector<std::string> names, outputs;
  bool needs_velocities = false;
  for (const model::FramePart* part : parts) {
    names.push_back(part->name);
    outputs.insert(outputs.end(), part->outputs.begin(), part->outputs.end());
    needs_velocities = needs_velocities || part->needs_velocities;
  }
  const auto is_left_out = [&](const Argument& output) {
    return std::ranges::find(outputs, output.name) == outputs.end();
  };
  std::vector<Argument>& all = function.outputs;
  all.erase(std::remove_if(all.begin(), all.end(), is_left_out), all.end());
  if (!needs_velocities) function.inputs = {arguments::q};
  names.front().front() = static_cast<char>(std::toupper(static_cast<unsigned char>(names.front().front())));
  function.brief = listed(names) + " of the chosen frames" + (parts.size() > 1 ? " in one pass." : ".");
  return function;
}

FunctionSpec with_joint_columns(FunctionSpec regressor) {
  regressor.brief =
      "Inverse dynamics as a linear function of the inertial parameters of the bodies and of what "
      "joint_columns names; gravity included.";
  regressor.outputs.front().shape = {nv, num_regressor_columns};
  regressor.outputs.front().clauses = {
      {"; behind them one column for each of joint_columns, in its SI unit"}};
  return regressor;
}

std::vector<ir::Buffer> buffers(const std::vector<Argument>& arguments, const model::Tree& tree) {
  std::vector<ir::Buffer> list;
  for (const Argument& a : arguments)
    list.push_back({a.name, static_cast<int>(a.shape.size(sizes_of(tree)))});
  return list;
}

/// The step with the output of joints whose limits and friction are among its contacts.
FunctionSpec with_joints(FunctionSpec function) {
  const std::string of_points = "M^-1 J^T impulse";
  const std::size_t at = function.brief.find(of_points);
  if (at != std::string::npos)
    function.brief.replace(at, of_points.size(), "M^-1 (J^T impulse + joint_impulse)");
  function.brief += " Limits and Coulomb friction of --contact-joints are in the same problem.";
  function.outputs.insert(function.outputs.end() - 1, Argument{"joint_impulse", {nv}});
  return function;
}

}  // namespace

const FunctionSpec& with_chosen_parts(const FunctionSpec& function, const model::Tree& tree) {
  if (is_regressor(function) && !tree.joint_columns.empty()) {
    static const FunctionSpec longer = with_joint_columns(function);
    return longer;
  }
  const bool has_joints = !tree.constraints.joints.empty() && gives_status(function);
  if (!has_joints && (!function.takes_parts || tree.frames.parts.empty())) return function;
  std::vector<const model::FramePart*> parts;
  std::string key = function.name;
  for (const model::FramePart& part : model::frame_parts()) {
    if (std::ranges::find(tree.frames.parts, part.name) == tree.frames.parts.end()) continue;
    parts.push_back(&part);
    key += ',' + part.name;
  }
  // Plans and requests point to entries of the catalogue, so these stay, too. There are some thirty at most.
  static std::mutex mutex;
  static std::map<std::string, FunctionSpec> entries;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = entries.find(key);
  if (found != entries.end()) return found->second;
  return entries.emplace(key, has_joints ? with_joints(function) : with_parts(function, parts)).first->second;
}

bool depends_on(const Dependence& depends, const model::JointNumber& number) {
  using model::Joint;
  const bool on_spring = number.which == &Joint::stiffness || number.which == &Joint::rest;
  if (number.which == &Joint::multiplier) return depends.takes_geometry();
  return on_spring                          ? depends.springs
         : number.which == &Joint::armature ? depends.armature
         : number.which == &Joint::damping  ? depends.damping
                                            : depends.friction;
}

std::vector<Argument> inputs_of(const FunctionSpec& function, const model::Tree& tree) {
  std::vector<Argument> inputs = function.inputs;
  auto add = [&, behind = std::ranges::find_if(inputs, &Argument::is_number) - inputs.begin()](
                 const Argument& input) mutable { inputs.insert(inputs.begin() + behind++, input); };
  const Dependence& depends = function.depends;
  const auto is_of_joints = [&](const model::JointInput& input) {
    return depends_on(depends, *input.number);
  };
  if (depends.forces == Dependence::Forces::yes && !tree.chosen.forces.empty()) add(arguments::fext);
  if ((depends.gravity && tree.chosen.gravity) || (depends.inertia && !tree.chosen.payloads.empty()) ||
      (depends.stabilisation && (tree.chosen.stabilisation || !tree.chosen.anchors.empty())) ||
      (depends.takes_geometry() && !tree.chosen.placements.empty()) ||
      std::ranges::any_of(tree.chosen.joints, is_of_joints))
    add(std::ranges::count(function.outputs, arguments::p.name, &Argument::name) > 0 ? arguments::params
                                                                                     : arguments::p);
  return inputs;
}

ir::Kernel trace(const FunctionSpec& function, const Formulation& formulation,
                 const algorithms::WalkedTree& tree) {
  const bool walks_own = function.name == "integrate" || function.name == "difference" ||
                         function.name == "integrate_derivatives" ||
                         function.name == "centroidal_momentum_derivatives";
  const bool walks_all = function.takes_link || function.group.name == frames.name ||
                         uses_chosen_frames(function) ||
                         (function.group.name == whole_body.name && !walks_own);
  const auto run = [&](algorithms::Context& context) {
    if (!context.has_clusters() || !walks_all) return formulation.run(context);
    algorithms::AllJoints joints(context);
    formulation.run(joints.context());
  };
  ir::Kernel kernel = algorithms::trace(tree, buffers(inputs_of(function, tree.full), tree.full),
                                        buffers(function.outputs, tree.full), run);
  kernel.name = function.name;
  kernel.formulation = formulation.name;
  return kernel;
}

}  // namespace featherline::catalog
