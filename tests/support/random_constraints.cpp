#include "support/random_constraints.hpp"

#include "model/limbs.hpp"
#include "support/random.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace featherline::test {
namespace {

using model::Constraint;
using model::ConstraintType;

class Maker {
 public:
  Maker(const model::UserTree& tree, std::uint64_t seed)
      : tree_(tree), random_(seed), folding_(model::fold_bodies(tree)) {}

  /// One, or one for each of several equal limbs; none where the robot has no place for it.
  std::vector<Constraint> make(const model::ConstraintKind& kind) {
    const Constraint first = kind.ends == 2 ? between_bodies(kind) : on_body(kind, some_folded());
    std::vector<Constraint> all;
    if (first.anchors.empty()) return all;
    for (int lane = 0; lane < lanes_; ++lane) all.push_back(in_lane(first, lane));
    return all;
  }

 private:
  /// The anchors' links are folded bodies until in_lane() chooses links, -1 for the world.
  Constraint on_body(const model::ConstraintKind& kind, int folded) {
    Constraint constraint = start(kind);
    constraint.anchors = {{folded, {}}};
    lanes_ = folding_.bodies[index(folded)].lanes();
    return constraint;
  }

  Constraint between_bodies(const model::ConstraintKind& kind) {
    Constraint constraint = start(kind);
    const int one = some_folded();
    int other = random_.chance(0.3) ? -1 : some_folded();
    const auto lanes = [&](int folded) { return folded < 0 ? 1 : folding_.bodies[index(folded)].lanes(); };
    const auto ties_groups = [&] {
      return lanes(one) > 1 && lanes(other) > 1 && group_of(one) != group_of(other);
    };
    if (other == one || ties_groups()) other = -1;
    if (other < 0 && !has_links(-1)) return constraint;
    constraint.anchors = {{one, {}}, {other, {}}};
    if (random_.chance(0.5)) std::swap(constraint.anchors[0], constraint.anchors[1]);
    lanes_ = std::max(lanes(one), lanes(other));
    return constraint;
  }

  Constraint start(const model::ConstraintKind& kind) {
    Constraint constraint;
    constraint.type = kind.type;
    constraint.name = std::string(kind.name) + "_" + std::to_string(made_++);
    if (kind.has_radius) constraint.radius = random_.uniform(0.05, 0.5);
    if (kind.is_contact && kind.has_axis && random_.chance(0.6))
      constraint.world_axes = model::plane_axes(random_.chance(0.5) ? Eigen::Vector3d(0, 0, 1)
                                                                    : Eigen::Vector3d(random_.unit3()));
    return constraint;
  }

  Constraint in_lane(Constraint constraint, int lane) {
    if (lanes_ > 1) constraint.name += "_" + std::to_string(lane);
    for (model::Anchor& anchor : constraint.anchors) {
      int body = -1;
      if (anchor.link >= 0) {
        const std::vector<int>& members = folding_.bodies[index(anchor.link)].members;
        body = members[members.size() > 1 ? index(lane) : 0];
      }
      anchor = {some_link(body), placement(constraint.type == ConstraintType::loop_weld)};
    }
    return constraint;
  }

  /// Ends that are welded together must not be half a turn apart: their error is not bounded there.
  model::Placement placement(bool turned) {
    model::Placement X;
    if (!turned && random_.chance(0.3)) return X;
    for (double& x : X.p) x = random_.uniform(-1.0, 1.0);
    const Eigen::Vector4d q = random_.quaternion();
    if (turned || random_.chance(0.7)) X.R = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    return X;
  }

  int some_folded() { return random_.below(static_cast<int>(folding_.bodies.size())); }
  int group_of(int folded) const {
    return folding_.group_of_velocity[index(folding_.bodies[index(folded)].idx_v)];
  }
  std::vector<int> links_of(int body) const {
    std::vector<int> links;
    for (std::size_t k = 0; k < tree_.links.size(); ++k) {
      if (tree_.links[k].body == body) links.push_back(static_cast<int>(k));
    }
    return links;
  }
  bool has_links(int body) const { return !links_of(body).empty(); }
  int some_link(int body) {
    const std::vector<int> links = links_of(body);
    return links.at(index(random_.below(static_cast<int>(links.size()))));
  }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  const model::UserTree& tree_;
  Random random_;
  model::Folding folding_;
  int lanes_ = 1;
  int made_ = 0;
};

}  // namespace

model::Constraints random_constraints(const model::UserTree& tree, std::uint64_t seed, int count) {
  Maker maker(tree, seed);
  std::vector<model::ConstraintKind> kinds = model::constraint_kinds();
  std::erase_if(kinds, [](const auto& kind) {  // spheres are not held; couplings are tested beside clusters
    return kind.type == ConstraintType::contact_sphere || kind.type == ConstraintType::coupling;
  });
  std::vector<Constraint> all;
  for (int k = 0; k < count && !tree.bodies.empty(); ++k) {
    const auto kind =
        (seed * static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(k)) % kinds.size();
    for (Constraint& constraint : maker.make(kinds[kind])) all.push_back(std::move(constraint));
  }
  std::stable_partition(all.begin(), all.end(), [](const Constraint& x) { return x.is_contact(); });
  return numbered(std::move(all));
}

Constraint contact_at(const model::Tree& tree, const std::string& link, ConstraintType type) {
  const auto found = std::find_if(tree.links.begin(), tree.links.end(),
                                  [&](const model::Link& other) { return other.name == link; });
  if (found == tree.links.end()) throw std::runtime_error("no link " + link);
  Constraint contact;
  contact.name = link;
  contact.type = type;
  contact.anchors = {{static_cast<int>(found - tree.links.begin()), {}}};
  return contact;
}

model::Constraints numbered(std::vector<Constraint> all) {
  model::Constraints constraints;
  constraints.all = std::move(all);
  constraints.number_rows();
  return constraints;
}

void leave_motors_to_limbs(model::UserTree& tree) {
  for (const std::vector<int>& places : model::fold_bodies(tree).velocities) {
    if (places.size() == 1) tree.constraints.without_motor.push_back(places.front());
  }
  tree.constraints.length = 0.4;
}

}  // namespace featherline::test
