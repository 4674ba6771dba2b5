#include "model/limbs.hpp"

#include "support/index.hpp"

#include <algorithm>
#include <map>
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
        children_(tree.bodies.size() + 1),
        numbers_(tree.bodies.size()),
        sizes_(tree.bodies.size(), 1) {
    for (int i = 0; i < size(); ++i) children_[index(body(i).parent + 1)].push_back(i);
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
    std::map<std::pair<int, std::vector<int>>, LimbGroup> equal;
    for (const int root : children(i)) {
      if (shares_coordinates(root)) continue;
      equal[{numbers_[index(root)], drivers(root)}].limbs.push_back(subtree(root));
    }
    std::vector<LimbGroup> groups;
    for (auto& [structure, group] : equal) {
      if (group.size() < 2) continue;
      group.parent = i;
      groups.push_back(std::move(group));
    }
    std::sort(groups.begin(), groups.end(), [](const LimbGroup& a, const LimbGroup& b) {
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
    std::stable_sort(list.begin(), list.end(),
                     [&](int a, int b) { return numbers_[index(a)] < numbers_[index(b)]; });
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
      add(i, places_[index(driver)], places_[index(driver)]);
      add(driver, places_[index(i)], places_[index(i)]);
    }
    for (int i = size(); i-- > 0;) {
      if (body(i).parent >= 0) add(body(i).parent, first_partner_[index(i)], last_partner_[index(i)]);
    }
  }

  bool shares_coordinates(int root) const {
    const int first = places_[index(root)];
    return first_partner_[index(root)] < first || last_partner_[index(root)] >= first + sizes_[index(root)];
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
};

class Folder {
 public:
  explicit Folder(const Tree& tree)
      : tree_(tree),
        structure_(tree),
        place_(tree.bodies.size(), -1),
        is_folded_(tree.bodies.size(), false) {}

  Folding fold_all() {
    find_savings();
    std::vector<int> waiting{-1};
    while (!waiting.empty()) {
      const int i = waiting.back();
      waiting.pop_back();
      fold_children(i, waiting);
    }
    return finish();
  }

 private:
  int size() const { return static_cast<int>(tree_.bodies.size()); }
  const Body& body(int i) const { return tree_.bodies[index(i)]; }

  /// By body: how many bodies fewer are computed below it if groups are folded.
  void find_savings() {
    saved_below_.assign(tree_.bodies.size() + 1, 0);
    for (int i = size(); i-- > -1;) {
      int& saved = saved_below_[index(i + 1)];
      for (const int c : structure_.children(i)) saved += saved_below(c);
      for (const LimbGroup& group : structure_.groups_at(i))
        saved += std::max(0, saved_by(group) - saved_inside(group));
    }
  }
  int saved_below(int i) const { return saved_below_[index(i + 1)]; }
  static int saved_by(const LimbGroup& group) { return (group.size() - 1) * group.bodies_of_limb(); }
  int saved_inside(const LimbGroup& group) const {
    return group.size() * saved_below(group.limbs.front().front());
  }

  /// Folds the subtrees of the children of body i. Those that stay by themselves are `waiting` for their own turn.
  void fold_children(int i, std::vector<int>& waiting) {
    for (const LimbGroup& group : structure_.groups_at(i)) {
      if (saved_by(group) <= saved_inside(group)) continue;
      for (std::size_t first = 0; first + 1 < group.limbs.size(); first += max_lanes) {
        add_limbs(group, first, std::min(group.limbs.size(), first + max_lanes));
      }
    }
    for (const int c : structure_.children(i)) {
      if (is_folded_[index(c)]) continue;
      add({c}, folded_parent(c));
      waiting.push_back(c);
    }
  }

  void add_limbs(const LimbGroup& group, std::size_t first, std::size_t last) {
    for (std::size_t k = 0; k < group.limbs.front().size(); ++k) {
      std::vector<int> members;
      for (std::size_t limb = first; limb < last; ++limb) {
        members.push_back(group.limbs[limb][k]);
        is_folded_[index(members.back())] = true;
      }
      const int parent = folded_parent(members.front());
      add(std::move(members), parent);
    }
  }

  int folded_parent(int i) const { return body(i).parent < 0 ? -1 : place_[index(body(i).parent)]; }

  void add(std::vector<int> members, int parent) {
    place_[index(members.front())] = static_cast<int>(result_.bodies.size());
    result_.bodies.push_back({std::move(members), parent, 0, 0});
  }

  /// Gives the bodies the order of the tree, and coordinates.
  Folding finish() {
    sort_bodies();
    std::vector<int> group_of;  // by folded body
    int num_groups = 0;
    for (const FoldedBody& body : result_.bodies) {
      const bool starts_limb = body.parent < 0 || parent_lanes(body) == 1;
      if (body.lanes() == 1)
        group_of.push_back(-1);
      else
        group_of.push_back(starts_limb ? num_groups++ : group_of[index(body.parent)]);
    }
    std::vector<int> place(tree_.bodies.size(), -1);
    for (std::size_t k = 0; k < result_.bodies.size(); ++k) {
      place[index(result_.bodies[k].members.front())] = static_cast<int>(k);
      if (first_joint(k).mimics < 0) number(result_.bodies[k], group_of[k]);
    }
    for (std::size_t k = 0; k < result_.bodies.size();
         ++k) {  // a joint that mimics another one has its coordinates
      if (first_joint(k).mimics < 0) continue;
      const FoldedBody& driver = result_.bodies[index(place[index(first_joint(k).mimics)])];
      result_.bodies[k].idx_q = driver.idx_q;
      result_.bodies[k].idx_v = driver.idx_v;
    }
    return std::move(result_);
  }
  const Joint& first_joint(std::size_t k) const { return body(result_.bodies[k].members.front()).joint; }
  int parent_lanes(const FoldedBody& body) const { return result_.bodies[index(body.parent)].lanes(); }

  void sort_bodies() {
    std::vector<int> order(result_.bodies.size()), place(result_.bodies.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return result_.bodies[index(a)].members.front() < result_.bodies[index(b)].members.front();
    });
    for (std::size_t k = 0; k < order.size(); ++k) place[index(order[k])] = static_cast<int>(k);
    std::vector<FoldedBody> sorted;
    for (const int k : order) {
      sorted.push_back(result_.bodies[index(k)]);
      int& parent = sorted.back().parent;
      if (parent >= 0) parent = place[index(parent)];
    }
    result_.bodies = std::move(sorted);
  }

  void number(FoldedBody& body, int group) {
    const Joint& joint = this->body(body.members.front()).joint;
    body.idx_q = static_cast<int>(result_.positions.size());
    body.idx_v = static_cast<int>(result_.velocities.size());
    for (int k = 0; k < joint.nq; ++k) result_.positions.push_back(coordinates(body, &Joint::idx_q, k));
    for (int k = 0; k < joint.nv; ++k) {
      result_.velocities.push_back(coordinates(body, &Joint::idx_v, k));
      result_.group_of_velocity.push_back(group);
    }
  }
  std::vector<int> coordinates(const FoldedBody& body, int Joint::*first, int k) const {
    std::vector<int> list;
    for (const int member : body.members) list.push_back(tree_.bodies[index(member)].joint.*first + k);
    return list;
  }

  const Tree& tree_;
  Structure structure_;
  Folding result_;
  std::vector<int> place_;        ///< of the first members among the folded bodies
  std::vector<bool> is_folded_;   ///< by body: whether it is a member of a group
  std::vector<int> saved_below_;  ///< by body + 1
};

}  // namespace

bool Folding::has_lanes() const {
  return std::any_of(bodies.begin(), bodies.end(), [](const FoldedBody& body) { return body.lanes() > 1; });
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

Folding fold_bodies(const Tree& tree) { return Folder(tree).fold_all(); }

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
