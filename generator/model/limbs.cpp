#include "model/limbs.hpp"

#include "support/index.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace featherline::model {
namespace {

/// As many doubles as the widest register of today's processors holds. Larger groups are cut.
constexpr std::size_t max_lanes = 8;

/// Numbers the structures of subtrees: equal subtrees have the same number.
class Structure {
 public:
  explicit Structure(const Tree& tree)
      : tree_(tree),
        children_(children_by_parent(tree)),
        numbers_(tree.bodies.size()),
        sizes_(tree.bodies.size(), 1) {
    std::map<std::pair<std::string, std::vector<int>>, int> known;
    for (int i = size(); i-- > 0;) {
      sort_children(i);
      std::vector<int> below;
      for (const int c : children(i)) {
        below.push_back(numbers_[index(c)]);
        sizes_[index(i)] += sizes_[index(c)];
      }
      numbers_[index(i)] =
          known.try_emplace({joint_text(i), std::move(below)}, static_cast<int>(known.size())).first->second;
    }
    sort_children(-1);
    list_depth_first();
    find_partners();
  }

  const std::vector<int>& children(int i) const { return children_[index(i + 1)]; }

  /// The children of body i whose subtrees are equal and share no coordinate with the rest of the robot, in groups.
  std::vector<LimbGroup> groups_at(int i) const {
    std::map<std::tuple<int, std::vector<int>, std::vector<int>>, LimbGroup> equal;
    for (const int root : children(i)) {
      if (shares_coordinates(root)) continue;
      const std::vector<int> rotors = rotors_outside(root);
      std::vector<int> turned_by;  // places in the subtree
      for (const int rotor : rotors)
        turned_by.push_back(places_[index(body(rotor).joint.mimics)] - places_[index(root)]);
      LimbGroup& group = equal[{numbers_[index(root)], drivers(root), turned_by}];
      group.limbs.push_back(subtree(root));
      group.rotors.push_back(rotors);
    }
    std::vector<LimbGroup> groups;
    for (auto& [structure, group] : equal) {
      if (group.size() < 2) continue;
      group.parent = i;
      groups.push_back(std::move(group));
    }
    std::ranges::sort(groups, [](const LimbGroup& a, const LimbGroup& b) {
      return a.limbs.front().front() < b.limbs.front().front();
    });
    return groups;
  }

 private:
  int size() const { return static_cast<int>(tree_.bodies.size()); }
  const Body& body(int i) const { return tree_.bodies[index(i)]; }

  /// A continuous joint moves like a revolute one.
  std::string joint_text(int i) const {
    const Joint& joint = body(i).joint;
    const JointType type = joint.type == JointType::continuous ? JointType::revolute : joint.type;
    return std::string(name(type)) + (joint.mimics >= 0 ? " mimics" : "");
  }

  void sort_children(int i) {
    std::vector<int>& list = children_[index(i + 1)];
    std::ranges::stable_sort(list, [&](int a, int b) { return numbers_[index(a)] < numbers_[index(b)]; });
  }

  void list_depth_first() {
    places_.resize(tree_.bodies.size());
    std::vector<int> waiting(children(-1).rbegin(), children(-1).rend());
    while (!waiting.empty()) {
      const int i = waiting.back();
      waiting.pop_back();
      places_[index(i)] = static_cast<int>(depth_first_.size());
      depth_first_.push_back(i);
      waiting.insert(waiting.end(), children(i).rbegin(), children(i).rend());
    }
  }

  /// Finds the places of the bodies that share a coordinate with a body of each subtree.
  void find_partners() {
    first_partner_ = last_partner_ = places_;
    const auto add = [&](int i, int first, int last) {
      first_partner_[index(i)] = std::min(first_partner_[index(i)], first);
      last_partner_[index(i)] = std::max(last_partner_[index(i)], last);
    };
    for (int i = 0; i < size(); ++i) {
      const int driver = body(i).joint.mimics;
      if (driver < 0) continue;
      if (body(i).joint.turns_rotor) rotors_.push_back(i);
      add(i, places_[index(driver)], places_[index(driver)]);
      if (!turns_on_parent_of_limb(i, driver)) add(driver, places_[index(i)], places_[index(i)]);
    }
    for (int i = size(); i-- > 0;) {
      if (body(i).parent >= 0) add(body(i).parent, first_partner_[index(i)], last_partner_[index(i)]);
    }
  }

  /// Whether body i is a rotor that a body before the joint holds which turns it: with limbs, it is a part of theirs.
  bool turns_on_parent_of_limb(int i, int driver) const {
    if (!body(i).joint.turns_rotor || body(i).parent < 0) return false;
    int above = body(driver).parent;
    while (above > body(i).parent) above = body(above).parent;
    return above == body(i).parent;
  }

  bool is_in(int root, int i) const {
    return places_[index(i)] >= places_[index(root)] &&
           places_[index(i)] < places_[index(root)] + sizes_[index(root)];
  }

  /// The rotors that bodies outside of the subtree hold and joints in it turn.
  std::vector<int> rotors_outside(int root) const {
    std::vector<int> rotors;
    for (const int i : rotors_) {
      if (is_in(root, body(i).joint.mimics) && !is_in(root, i)) rotors.push_back(i);
    }
    return rotors;
  }

  /// But for rotors that its parent holds.
  bool shares_coordinates(int root) const {
    const int first = places_[index(root)];
    return first_partner_[index(root)] < first || last_partner_[index(root)] >= first + sizes_[index(root)] ||
           std::ranges::any_of(rotors_outside(root),
                               [&](int i) { return body(i).parent != body(root).parent; });
  }

  /// The bodies of a subtree, parents first. In equal subtrees, bodies with the same place come in the same order.
  std::vector<int> subtree(int root) const {
    const auto first = depth_first_.begin() + places_[index(root)];
    return {first, first + sizes_[index(root)]};
  }

  /// By mimic joint of a subtree: the place in the subtree of the joint that it mimics.
  std::vector<int> drivers(int root) const {
    std::vector<int> list;
    for (int place = places_[index(root)]; place < places_[index(root)] + sizes_[index(root)]; ++place) {
      const int driver = body(depth_first_[index(place)]).joint.mimics;
      if (driver >= 0) list.push_back(places_[index(driver)] - places_[index(root)]);
    }
    return list;
  }

  const Tree& tree_;
  std::vector<std::vector<int>> children_;  ///< by parent + 1
  std::vector<int> numbers_, sizes_;        ///< of subtrees, by body
  std::vector<int> depth_first_, places_;   ///< bodies, and where each of them is in this list
  std::vector<int> first_partner_, last_partner_;
  std::vector<int> rotors_;  ///< bodies
};

/// By body: the bodies that are computed with it, itself first. Empty for those that are not the first.
using Members = std::vector<std::vector<int>>;

/// How many bodies fewer are computed if a group is folded, and not what is inside it. `below`: by body + 1.
int saved_by(const LimbGroup& group, const std::vector<int>& below) {
  const auto rotors = static_cast<int>(group.rotors.front().size());
  return (group.size() - 1) * (group.bodies_of_limb() + rotors) -
         group.size() * below[index(group.limbs.front().front() + 1)];
}

/// By body + 1: how many bodies fewer are computed below it.
std::vector<int> savings(const Structure& structure, int num_bodies) {
  std::vector<int> below(index(num_bodies + 1), 0);
  for (int i = num_bodies; i-- > -1;) {
    int& saved = below[index(i + 1)];
    for (const int c : structure.children(i)) saved += below[index(c + 1)];
    for (const LimbGroup& group : structure.groups_at(i)) saved += std::max(0, saved_by(group, below));
  }
  return below;
}

void fold(const std::vector<std::vector<int>>& limbs, std::size_t first, std::size_t last, Members& members) {
  for (std::size_t k = 0; k < limbs.front().size(); ++k) {
    for (std::size_t limb = first + 1; limb < last; ++limb) {
      const int i = limbs[limb][k];
      members[index(limbs[first][k])].push_back(i);
      members[index(i)].clear();
    }
  }
}

/// Gives the folded bodies the order of the tree, and coordinates.
Folding folding_of(const Tree& tree, const Members& members) {
  Folding folding;
  std::vector<int> place(tree.bodies.size(), -1), group_of;  // by body; by folded body
  int num_groups = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].empty()) continue;
    const Joint& joint = tree.bodies[i].joint;
    const int above = tree.bodies[i].parent, parent = above < 0 ? -1 : place[index(above)];
    place[i] = static_cast<int>(folding.bodies.size());
    const bool starts_limb = parent < 0 || folding.bodies[index(parent)].lanes() == 1;
    FoldedBody& body = folding.bodies.emplace_back(FoldedBody{members[i], parent});
    group_of.push_back(body.lanes() == 1 ? -1 : starts_limb ? num_groups++ : group_of[index(parent)]);
    if (joint.mimics >= 0) continue;
    body.idx_q = static_cast<int>(folding.positions.size());
    body.idx_v = static_cast<int>(folding.velocities.size());
    const auto coordinates = [&](int Joint::*first, int k) {
      return each(members[i], [&](const int member) { return tree.bodies[index(member)].joint.*first + k; });
    };
    for (int k = 0; k < joint.nq; ++k) folding.positions.push_back(coordinates(&Joint::idx_q, k));
    for (int k = 0; k < joint.nv; ++k) folding.velocities.push_back(coordinates(&Joint::idx_v, k));
    folding.group_of_velocity.resize(folding.velocities.size(), group_of.back());
  }
  for (FoldedBody& body : folding.bodies) {  // a joint that mimics another one has its coordinates
    const int mimics = tree.bodies[index(body.members.front())].joint.mimics;
    if (mimics < 0) continue;
    const FoldedBody& driver = folding.bodies[index(place[index(mimics)])];
    body.idx_q = driver.idx_q;
    body.idx_v = driver.idx_v;
  }
  return folding;
}

}  // namespace

bool Folding::has_lanes() const {
  return std::ranges::any_of(bodies, [](const FoldedBody& body) { return body.lanes() > 1; });
}

int Folding::velocity_alone(int k) const {
  const auto found = std::ranges::find(velocities, std::vector<int>{k});
  return found != velocities.end() ? static_cast<int>(found - velocities.begin()) : -1;
}

std::vector<LimbGroup> find_limb_groups(const Tree& tree) {
  const Structure structure(tree);
  std::vector<LimbGroup> groups;
  for (int i = -1; i < static_cast<int>(tree.bodies.size()); ++i) {
    for (LimbGroup& group : structure.groups_at(i)) groups.push_back(std::move(group));
  }
  return groups;
}

Folding unfolded(const Tree& tree) {
  Folding folding;
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i) {
    const Body& body = tree.bodies[index(i)];
    folding.bodies.push_back({{i}, body.parent, body.joint.idx_q, body.joint.idx_v});
  }
  for (int k = 0; k < tree.nq; ++k) folding.positions.push_back({k});
  for (int k = 0; k < tree.nv; ++k) folding.velocities.push_back({k});
  folding.group_of_velocity.assign(index(tree.nv), -1);
  return folding;
}

Folding fold_bodies(const Tree& tree) {
  if (tree.clusters) return unfolded(tree);
  const Structure structure(tree);
  const std::vector<int> saved_below = savings(structure, static_cast<int>(tree.bodies.size()));
  Members members(tree.bodies.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i] = {static_cast<int>(i)};
  std::vector<int> waiting;
  if (tree.tendons.empty()) waiting.push_back(-1);  // they would couple limbs
  while (!waiting.empty()) {
    const int i = waiting.back();
    waiting.pop_back();
    for (const LimbGroup& group : structure.groups_at(i)) {
      if (saved_by(group, saved_below) <= 0) continue;
      for (std::size_t first = 0; first + 1 < group.limbs.size(); first += max_lanes)
        for (const auto* bodies : {&group.limbs, &group.rotors})
          fold(*bodies, first, std::min(group.limbs.size(), first + max_lanes), members);
    }
    // Limbs that stay by themselves may have groups of their own.
    for (const int c : structure.children(i)) {
      if (members[index(c)].size() == 1) waiting.push_back(c);
    }
  }
  return folding_of(tree, members);
}

FoldedTree fold_limbs(const CanonicalTree& tree) {
  // A copy of everything, in which only what folding changes is replaced: no member of a tree is forgotten.
  FoldedTree result{tree, tree, fold_bodies(tree)};
  CanonicalTree& walked = result.walked;
  walked.bodies.clear();
  walked.links.clear();
  walked.own_frames.clear();
  walked.base_parameters = nullptr;
  walked.nq = static_cast<int>(result.folding.positions.size());
  walked.nv = static_cast<int>(result.folding.velocities.size());
  std::vector<int> place(tree.bodies.size(), -1);
  for (const FoldedBody& folded : result.folding.bodies) {
    place[index(folded.members.front())] = static_cast<int>(walked.bodies.size());
    Body body = tree.bodies[index(folded.members.front())];
    body.parent = folded.parent;
    body.joint.idx_q = folded.idx_q;
    body.joint.idx_v = folded.idx_v;
    walked.bodies.push_back(std::move(body));
  }
  for (Body& body : walked.bodies) {
    if (body.joint.mimics >= 0) body.joint.mimics = place[index(body.joint.mimics)];
  }
  return result;
}

}  // namespace featherline::model
