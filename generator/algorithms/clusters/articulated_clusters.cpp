#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/dynamics/articulated_bodies.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/lanes/limb_inverse.hpp"

#include <algorithm>
#include <numeric>

/// Articulated bodies where loops are eliminated (Chignoli et al. 2023, table I): joints that loops tie are one joint
/// with the motion subspace S G. Of the bodies of a group, with their articulated inertias I and the columns S of all
/// joints,
///
///     D = G^T (S^T I S) G,  U = I S G,  the parent gets I - U D^-1 U^T.
///
/// S^T I S is the joint-space inertia within the group, by composites. A body alone is eliminated in its own frame, a
/// group in that of the body that carries it.
namespace featherline::algorithms {
namespace {

struct Group {
  std::vector<int> bodies;  ///< parents first
  int parent = -1;          ///< the body that carries them
  std::vector<int> own;     ///< coordinates of the robot
  SquareMatrix D_inverse{0};
  std::vector<Force> U_D;  ///< columns of U D^-1

  bool is_alone() const { return bodies.size() == 1; }
};

/// Which bodies are of one group, as the least of them: those that loops tie, and all between them and the last body
/// that they all hang on.
std::vector<int> group_of_bodies(const Context& c, const model::Clusters& clusters) {
  std::vector<int> group(index(c.num_bodies()));
  std::iota(group.begin(), group.end(), 0);
  const auto join = [&](int i, int j) {
    const int from = std::max(group[index(i)], group[index(j)]),
              to = std::min(group[index(i)], group[index(j)]);
    std::ranges::replace(group, from, to);
  };
  std::map<int, int> body_of;  // by velocity
  for (int i = 0; i < c.num_bodies(); ++i) body_of[c.joint(i).idx_v] = i;
  for (const model::ClusterStep& step : clusters.steps) {
    if (const auto* sum = std::get_if<model::LinearStep>(&step)) {
      for (const model::LinearStep::Term& term : sum->terms)
        join(body_of.at(sum->of.v), body_of.at(term.of.v));
    } else {
      const auto& chain = std::get<model::PlanarLoop>(step).chain;
      for (const model::PlanarLoop::Link& link : chain)
        join(body_of.at(chain.front().of.v), body_of.at(link.of.v));
    }
  }
  for (int i = 0; i < c.num_bodies(); ++i) {
    const int first = group[index(i)], p = c.parent(i), outside = c.parent(first);
    if (p == outside || (p >= 0 && group[index(p)] == first)) continue;
    join(std::max(p, outside), i);
    i = -1;  // from the beginning
  }
  return group;
}

class ArticulatedClusters {
 public:
  explicit ArticulatedClusters(Context& own)
      : own_(own), all_(std::make_shared<AllJoints>(own)), c_(all_->context()) {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "placement");
      X_.push_back(joint_motion(c_, i));
      axes_.push_back(c_.axes(i));
    }
    make_groups();
    std::vector<ArticulatedInertia> articulated(X_.size());
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) eliminate(*group, articulated);
  }

  /// M^-1 b.
  Coordinates solve(const Coordinates& b) const {
    const Coordinates u = torques(b);
    Coordinates x = own_.zeros();
    std::vector<Motion> a(X_.size());
    const auto moved_along = [&](int i) {
      return c_.parent(i) < 0 ? Motion{} : X_[index(i)].to_child(a[index(c_.parent(i))]);
    };
    for (const Group& group : groups_) {
      c_.begin_section(group.bodies.front(), "acceleration");
      Motion before;
      if (group.parent >= 0)
        before = group.is_alone() ? moved_along(group.bodies.front()) : a[index(group.parent)];
      for (std::size_t r = 0; r < group.own.size(); ++r) {
        Scalar& rate = x[index(group.own[r])];
        rate = -dot(group.U_D[r], before);
        for (std::size_t k = 0; k < group.own.size(); ++k)
          rate += group.D_inverse(static_cast<int>(r), static_cast<int>(k)) * u[index(group.own[k])];
        c_.keep(rate);
      }
      for (const int i : group.bodies) {
        Motion& moved = a[index(i)];
        moved = moved_along(i);
        for (const JointAxis& axis : axes_[index(i)]) {
          Scalar rate;
          for (const auto& [l, g] : all_->row(axis.idx_v)) rate += g * x[index(l)];
          moved = moved + axis.S * rate;
        }
        c_.label(moved, c_.of_body("A", i));
      }
    }
    return x;
  }

 private:
  void make_groups() {
    std::map<int, Group> groups;
    const std::vector<int> group_of = group_of_bodies(c_, *own_.full_tree().clusters);
    for (int i = 0; i < c_.num_bodies(); ++i) groups[group_of[index(i)]].bodies.push_back(i);
    for (auto& [first, group] : groups) {
      group.parent = c_.parent(first);
      groups_.push_back(std::move(group));
    }
    std::ranges::stable_sort(groups_, {}, &Group::parent);
  }

  /// I S of all joints of a group, where it is eliminated, by velocity; S^T I S is added to H.
  std::map<int, Force> forces(const Group& group, std::vector<ArticulatedInertia>& articulated,
                              SquareMatrix& H) const {
    std::map<int, Force> list;
    for (auto body = group.bodies.rbegin(); body != group.bodies.rend(); ++body) {
      const int i = *body;
      c_.begin_section(i, "articulated inertia");
      ArticulatedInertia& I = articulated[index(i)];
      const Inertia own = c_.inertia(i, Grouping::J_xx);
      I = I + ArticulatedInertia{own.J, cross_matrix(own.h), {own.m, 0.0, 0.0, own.m, 0.0, own.m}};
      c_.label(I, c_.of_body("", i));
      for (const JointAxis& axis : axes_[index(i)]) {
        Force F = I * axis.S;
        for (const JointAxis& other : axes_[index(i)]) H(axis.idx_v, other.idx_v) = dot(F, other.S);
        if (c_.joint(i).row().can_be_damped()) H(axis.idx_v, axis.idx_v) += armature_of(c_, i);
        for (int below = i, j = c_.parent(i); j >= 0 && !group.is_alone(); below = j, j = c_.parent(j)) {
          F = X_[index(below)].to_parent(F);
          if (j == group.parent) break;
          for (const JointAxis& other : axes_[index(j)])
            H(axis.idx_v, other.idx_v) = H(other.idx_v, axis.idx_v) = dot(F, other.S);
        }
        list[axis.idx_v] = F;
      }
      if (!group.is_alone()) c_.add_to_parent(i, articulated, [&] { return I.to_parent(X_[index(i)]); });
    }
    return list;
  }

  void eliminate(Group& group, std::vector<ArticulatedInertia>& articulated) {
    SquareMatrix H(c_.nv());
    const std::map<int, Force> U = all_->project(forces(group, articulated, H));
    for (const auto& column : U) group.own.push_back(column.first);
    group.D_inverse = SparseFactor(block(all_->inertia(H), group.own)).inverse();
    const int least = group.bodies.front(), at = group.is_alone() ? least : group.parent;
    int r = 0;
    // Of a group on the world, forces stay in the axes of its first bodies, so columns of U D^-1 may mix axes. They do
    // no harm: solve() multiplies them by the motion of the world, which is zero, and nothing is handed on to a parent.
    for (const auto& [own, column] : U) {
      Force sum;
      for (int k = 0; k < group.D_inverse.size(); ++k)
        sum = sum + U.at(group.own[index(k)]) * group.D_inverse(r, k);
      ++r;
      group.U_D.push_back(c_.label(sum, "UDo" + std::to_string(own + 1)));
      if (at >= 0) articulated[index(at)] = articulated[index(at)].minus(sum, column);
    }
    if (group.is_alone())
      c_.add_to_parent(least, articulated,
                       [&] { return articulated[index(least)].to_parent(X_[index(least)]); });
  }

  /// b minus what the groups further out take of it.
  Coordinates torques(Coordinates b) const {
    std::vector<Force> bias(X_.size());
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
      const auto hand_on = [&](int i) {
        c_.add_to_parent(i, bias, [&] { return X_[index(i)].to_parent(bias[index(i)]); });
      };
      for (auto body = group->bodies.rbegin(); body != group->bodies.rend(); ++body) {
        c_.begin_section(*body, "force");
        const Force& taken = c_.label(bias[index(*body)], c_.of_body("P", *body));
        for (const JointAxis& axis : axes_[index(*body)]) {
          for (const auto& [l, g] : all_->row(axis.idx_v)) b[index(l)] -= g * dot(taken, axis.S);
        }
        if (!group->is_alone()) hand_on(*body);
      }
      for (const int l : group->own) c_.label(b[index(l)], "eo" + std::to_string(l + 1));
      if (group->parent < 0) continue;
      Force& left = bias[index(group->is_alone() ? group->bodies.front() : group->parent)];
      for (std::size_t r = 0; r < group->own.size(); ++r)
        left = left + group->U_D[r] * b[index(group->own[r])];
      if (group->is_alone()) hand_on(group->bodies.front());
    }
    return b;
  }

  Context& own_;
  std::shared_ptr<AllJoints> all_;
  Context& c_;  ///< of all joints
  std::vector<JointMotion> X_;
  std::vector<std::vector<JointAxis>> axes_;
  std::vector<Group> groups_;  ///< parents first
};

}  // namespace

bool has_articulated_clusters(const model::Tree& tree) {
  return tree.clusters && tree.tendons.empty() &&
         std::ranges::all_of(tree.bodies, [](const model::Body& body) {
           return body.joint.mimics < 0 || body.joint.is_eliminated;
         });
}

Solve cluster_solver(Context& context) {
  return [clusters = ArticulatedClusters(context)](const Coordinates& b) { return clusters.solve(b); };
}

}  // namespace featherline::algorithms
