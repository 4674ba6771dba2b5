#include "algorithms/context.hpp"
#include "algorithms/derivatives/common_frames.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

/// What the user chose as inputs (model/chosen_inputs.hpp), as algorithms see it.
namespace featherline::algorithms {

Vector3 Context::gravity() const {
  const auto p = inputs_.find(parameters);
  if (!full_tree_.chosen.gravity || p == inputs_.end()) return to_vector(tree_.gravity);
  return {p->second[0], p->second[1], p->second[2]};
}

Scalar Context::gain(int k, double fixed) const {
  const auto p = inputs_.find(parameters);
  if (!full_tree_.chosen.stabilisation || p == inputs_.end()) return Scalar(fixed);
  return p->second[index(full_tree_.chosen.first_of_stabilisation() + k)];
}

std::vector<typename Context::ChosenPlaces> Context::by_limb(int i, const std::vector<int>& links) const {
  const std::vector<int>& members = folded(i).members;
  std::vector<ChosenPlaces> result;
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < links.size(); ++k) {
      if (full_tree_.links[index(links[k])].body != members[lane]) continue;
      if (count == result.size()) result.push_back({links, std::vector<int>(members.size(), -1)});
      result[count++].chosen[lane] = static_cast<int>(k);
    }
  }
  return result;
}

Pose Context::link_pose(const ChosenPlaces& places) const {
  const int first = *std::max_element(places.chosen.begin(), places.chosen.end());
  std::vector<model::Placement> X;
  for (const int chosen : places.chosen) {  // where a limb has none, the numbers do not matter
    const int link = places.links[index(chosen < 0 ? first : chosen)];
    X.push_back(full_tree_.links[index(link)].placement);
  }
  const auto [R, p] = placement_in_lanes(X);
  return {R, p};
}

Scalar Context::entry(const char* input, const std::vector<int>& entries) const {
  if (entries.size() == 1) return this->input(input)[index(entries.front())];
  if (std::none_of(entries.begin(), entries.end(), [](int entry) { return entry < 0; }))
    return entries_of_input(input_index(input), entries);
  Scalar sum(0.0);
  for (std::size_t lane = 0; lane < entries.size(); ++lane) {
    if (entries[lane] >= 0)
      sum += only_lane(static_cast<int>(lane), static_cast<int>(entries.size()),
                       this->input(input)[index(entries[lane])]);
  }
  return sum;
}

Vector3 Context::chosen_vector(const char* input, std::vector<int> first) const {
  const auto component = [&] {
    const Scalar x = entry(input, first);
    for (int& k : first) k += k < 0 ? 0 : 1;
    return x;
  };
  const Scalar x = component(), y = component(), z = component();
  return {x, y, z};
}

Vector3 Context::anchor(const std::vector<int>& contacts) const {
  std::vector<int> first;
  for (const int contact : contacts) first.push_back(full_tree_.chosen.first_of_anchor(index(contact)));
  return chosen_vector(parameters, first);
}

std::vector<LinkForce> Context::link_forces(int i) const {
  std::vector<LinkForce> forces;
  if (!has_forces()) return forces;
  for (const ChosenPlaces& places : by_limb(i, full_tree_.chosen.forces)) {
    std::vector<int> first = places.chosen;
    for (int& k : first) k = k < 0 ? -1 : model::force_entries * k;
    const Vector3 f = chosen_vector(external_forces, first);
    for (int& k : first) k += k < 0 ? 0 : 3;
    forces.push_back({f, chosen_vector(external_forces, first), link_pose(places).origin()});
  }
  return forces;
}

Scalar Context::total_mass() const {
  double own = full_tree_.grounded.mass;
  for (const model::Body& body : full_tree_.bodies) own += body.inertia.mass;
  Scalar mass(own);
  if (!has_payloads()) return mass;
  for (std::size_t k = 0; k < full_tree_.chosen.payloads.size(); ++k)
    mass += input(parameters)[index(full_tree_.chosen.first_of_payload(k))];
  return mass;
}

Inertia Context::payload(const ChosenPlaces& places) const {
  std::vector<int> first = places.chosen;
  for (int& k : first) k = k < 0 ? -1 : full_tree_.chosen.first_of_payload(index(k));
  const auto next = [&] {
    const Scalar x = entry(parameters, first);
    for (int& k : first) k += k < 0 ? 0 : 1;
    return x;
  };
  Inertia I;
  I.m = next();
  for (Scalar* x : {&I.h.x, &I.h.y, &I.h.z, &I.J.xx, &I.J.xy, &I.J.yy, &I.J.xz, &I.J.yz, &I.J.zz})
    *x = next();
  return link_pose(places).outward(I);
}

Inertia Context::with_payloads(int i, Inertia inertia) const {
  if (inputs_.count(parameters) == 0) return inertia;
  for (const ChosenPlaces& places : by_limb(i, full_tree_.chosen.payloads))
    inertia = inertia + payload(places);
  return inertia;
}

}  // namespace featherline::algorithms
