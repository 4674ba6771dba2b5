#include "algorithms/context.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "joints/symbolic/joints.hpp"

/// The inputs of the kernel, and what the user chose as inputs (model/chosen_inputs.hpp), as algorithms see it.
namespace featherline::algorithms {
namespace {

/// The entries of an input by coordinate of the folded tree; positions are those of q. What the user chose as an input
/// is not by coordinate.
Coordinates read_input(ir::Kernel& kernel, int buffer, const model::Folding& folding) {
  const ir::Buffer& input = kernel.inputs[index(buffer)];
  Coordinates values;
  static const std::set<std::string> not_by_coordinate{
      external_forces,    parameters,      parameters_beside_positions,
      active_constraints, time_step,       contacts,
      contact_start,      pose_weights[0], pose_weights[1],
      wanted_pose[0],     wanted_pose[1]};
  if (!folding.has_lanes() || not_by_coordinate.contains(input.name)) {
    for (int entry = 0; entry < input.size; ++entry) values.push_back(kernel.input(buffer, entry));
    return values;
  }
  const bool is_position = input.name == "q";
  int first = 0;
  while (first < input.size) {  // weights of steps have two blocks by coordinate
    int end = first;
    for (std::vector<int> entries : is_position ? folding.positions : folding.velocities) {
      for (int& entry : entries) end = std::max(end, 1 + (entry += first));
      values.push_back(entries.size() == 1 ? kernel.input(buffer, entries.front())
                                           : kernel.gather(buffer, entries));
    }
    first = end;
  }
  return values;
}

}  // namespace

Context::Context(const WalkedTree& tree, ir::Kernel& kernel) : tree_(tree), kernel_(&kernel) {
  for (int k = 0; k < static_cast<int>(kernel.inputs.size()); ++k) {
    const std::string& name = kernel.inputs[index(k)].name;
    inputs_[name == parameters_beside_positions ? parameters : name] = read_input(kernel, k, folding());
  }
}

Context Context::in_kernel(ir::Kernel& other) const {
  Context context = *this;
  context.kernel_ = &other;
  context.inputs_.clear();
  return context;
}

Context Context::of_all_joints(std::shared_ptr<const model::CanonicalTree> tree, Coordinates q,
                               std::map<int, std::pair<Scalar, Scalar>> turns,
                               const AllJoints* projection) const {
  Context context(*tree, *kernel_);
  context.inputs_ = inputs_;
  context.tree_of_all_joints_ = std::move(tree);
  context.inputs_["q"] = std::move(q);
  context.turns_ = std::move(turns);
  context.projection_ = projection;
  context.is_lifted_ = is_lifted_;
  return context;
}

Context Context::at(const Coordinates& q) const {
  Context context = *this;
  context.inputs_["q"] = q;
  return context;
}

Scalar Context::parameter(bool is_chosen, int place, double fixed) const {
  return is_chosen && has_input(parameters) ? input(parameters)[index(place)] : Scalar(fixed);
}

Vector3 Context::gravity() const {
  const auto component = [&](int k) { return parameter(chosen().gravity, k, tree().gravity[k]); };
  return {component(0), component(1), component(2)};
}

Vector3 Context::felt_gravity() const {
  const double lift = full_tree().lift;
  return lift == 0.0 ? gravity() : gravity() * Scalar(1.0 - lift);
}

Context Context::lifted() const {
  Context context = *this;
  context.is_lifted_ = true;
  context.inputs_.erase(external_forces);
  return context;
}

bool Context::only_gravity_is_fixed_in_world() const {
  return !has_forces() && !has_lifted() && !model::has_damped_free_joint(full_tree());
}

std::vector<typename Context::ChosenPlaces> Context::by_limb(int i, const std::vector<int>& links) const {
  std::vector<ChosenPlaces> result;
  for (std::size_t lane = 0; lane < members(i).size(); ++lane) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < links.size(); ++k) {
      if (full_tree().links[index(links[k])].body != members(i)[lane]) continue;
      if (count == result.size()) result.push_back({links, std::vector<int>(members(i).size(), -1)});
      result[count++].chosen[lane] = static_cast<int>(k);
    }
  }
  return result;
}

Pose Context::link_pose(const ChosenPlaces& places) const {
  const int first = *std::ranges::max_element(places.chosen);
  const auto placement = [&](int chosen) {  // where a limb has none, it does not matter
    return full_tree().links[index(places.links[index(chosen < 0 ? first : chosen)])].placement;
  };
  const Placement X = in_lanes(each(places.chosen, placement));
  return {X.R, X.p};
}

Scalar Context::entry(const char* input, const std::vector<int>& entries) const {
  if (entries.size() == 1) return this->input(input)[index(entries.front())];
  const auto& buffers = kernel_->inputs;
  const bool is_renamed = input == std::string(parameters) &&
                          std::ranges::count(buffers, parameters_beside_positions, &ir::Buffer::name) > 0;
  if (std::ranges::count(entries, -1) == 0)
    return entries_of_input(array(is_renamed ? parameters_beside_positions : input).index, entries);
  Scalar sum(0.0);
  for (std::size_t lane = 0; lane < entries.size(); ++lane) {
    if (entries[lane] >= 0)
      sum += only_lane(static_cast<int>(lane), static_cast<int>(entries.size()),
                       this->input(input)[index(entries[lane])]);
  }
  return sum;
}

Scalar Context::only_lane(int lane, int lanes, const Scalar& x) const {
  std::vector<double> mask(index(lanes), 0.0);
  mask[index(lane)] = 1.0;
  return in_lanes(mask) * x;
}

Coordinates Context::entries_of(const char* input, const std::vector<int>& chosen,
                                const std::function<int(int)>& first_of, int count) const {
  Coordinates values;
  for (int k = 0; k < count; ++k)
    values.push_back(
        entry(input, each(chosen, [&](int place) { return place < 0 ? -1 : first_of(place) + k; })));
  return values;
}

Vector3 Context::anchor(const std::vector<int>& places) const {
  const auto first_of = [&](int k) { return chosen().first_of_anchor(index(k)); };
  const Coordinates x = entries_of(parameters, places, first_of, model::anchor_entries);
  return {x[0], x[1], x[2]};
}

Vector3 Context::ground_normal(const std::vector<int>& places) const {
  const Coordinates x = entries_of(
      contacts, places, [](int k) { return 6 * k + 1; }, 3);
  const Vector3 n{x[0], x[1], x[2]};
  return n * (Scalar(1.0) / sqrt(dot(n, n)));
}

std::vector<LinkForce> Context::link_forces(int i) const {
  std::vector<LinkForce> forces;
  if (!has_forces()) return forces;
  for (const ChosenPlaces& places : by_limb(i, chosen().forces)) {
    const auto first_of = [](int k) { return model::force_entries * k; };
    const Coordinates x = entries_of(external_forces, places.chosen, first_of, model::force_entries);
    forces.push_back({{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, link_pose(places).origin()});
  }
  return forces;
}

Inertia Context::with_payloads(int i, Inertia inertia) const {
  if (!has_payloads()) return inertia;
  for (const ChosenPlaces& places : by_limb(i, chosen().links_with_payloads())) {
    const auto first_of = [&](int k) { return chosen().first_of_payload(index(k)); };
    const Coordinates x = entries_of(parameters, places.chosen, first_of, model::payload_entries);
    const Symmetric3 J{x[4], x[5], x[7], x[6], x[8], x[9]};  // the input has Iyy before Ixz
    inertia = inertia + link_pose(places).outward(Inertia{x[0], {x[1], x[2], x[3]}, J});
  }
  return inertia;
}

std::optional<Placement> Context::chosen_placement(int i) const {
  const std::vector<int> first =
      each(members(i), [&](int member) { return chosen().placement_of(full_tree(), index(member)); });
  if (!has_input(parameters) || std::ranges::count(first, -1) == std::ssize(first)) return std::nullopt;
  const Coordinates x = entries_of(
      parameters, first, [](int k) { return k; }, model::placement_entries);
  const Placement frame = in_lanes(by_lane(i, [](const model::Body& body) { return body.joint.in_user; }));
  const Matrix3 to_frame = frame.R.transposed();
  const Matrix3 R = rotation_of(to_frame * Vector3{x[3], x[4], x[5]});
  const Vector3 p = to_frame * frame.p;
  return Placement{R, to_frame * Vector3{x[0], x[1], x[2]} + (R * p - p)};
}

Scalar Context::total_mass() const {
  double own = full_tree().grounded.mass;
  for (const model::Body& body : full_tree().bodies) own += body.inertia.mass;
  Scalar mass(own);
  if (!has_payloads()) return mass;
  for (std::size_t k = 0; k < chosen().payloads.size(); ++k)
    mass += input(parameters)[index(chosen().first_of_payload(k))];
  return mass;
}

}  // namespace featherline::algorithms
