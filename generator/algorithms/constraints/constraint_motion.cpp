#include "algorithms/constraints/constraint_motion.hpp"

#include "algorithms/dynamics/floating_base.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using algebra::cross;
using model::Constraint;
using Values = Coordinates;
using DualVector = algebra::Vector3<Dual>;

DualVector dual(const Vector3& x, const Vector3& dx = {}) { return {{x.x, dx.x}, {x.y, dx.y}, {x.z, dx.z}}; }

/// R, turned by z.
algebra::Matrix3<Dual> dual(const Matrix3& R, const Vector3& z = {}) {
  algebra::Matrix3<Dual> turned;
  for (int k = 0; k < 3; ++k) {
    const DualVector column = dual(R.column(k), cross(z, R.column(k)));
    for (int r = 0; r < 3; ++r) turned(r, k) = column[r];
  }
  return turned;
}

FrameState<Dual> dual(const FrameState<Scalar>& x) {
  return {dual(x.R), dual(x.p), dual(x.u), dual(x.w), dual(x.ud), dual(x.wd), dual(x.d)};
}

/// Where an anchor is in the folded tree.
struct FoldedPlace {
  int body = -1, group = -1, lane = 0, lanes = 1;
};

FoldedPlace folded_place(const model::Folding& folding, int body) {
  for (std::size_t i = 0; i < folding.bodies.size(); ++i) {
    const std::vector<int>& members = folding.bodies[i].members;
    const auto found = std::find(members.begin(), members.end(), body);
    if (found != members.end())
      return {static_cast<int>(i), model::group_of_body(folding, static_cast<int>(i)),
              static_cast<int>(found - members.begin()), static_cast<int>(members.size())};
  }
  return {};
}

/// The last body that both hang on.
int common_ancestor(const model::Folding& folding, int i, int j) {
  while (i != j) (i > j ? i : j) = folding.bodies[index(std::max(i, j))].parent;
  return i;
}

bool are_alike(const Constraint& a, const Constraint& b) {
  return a.type == b.type && a.radius == b.radius && a.world_axes == b.world_axes;
}

BodyFrame frame_at(const model::Tree& tree, const FoldedConstraint& folded, std::size_t anchor) {
  const Constraint& first = tree.constraints.all[index(folded.constraints.front())];
  const bool is_first_of_loop = first.is_loop() && anchor == 0;
  BodyFrame frame{folded.bodies[anchor],
                  {},
                  false,
                  model::FrameAxes::local_world_aligned,
                  (is_first_of_loop ? "A" : "C") + std::to_string(folded.constraints.front() + 1)};
  for (const int k : folded.constraints)
    frame.in_body.push_back(model::anchor_in_body(tree, tree.constraints.all[index(k)].anchors[anchor]));
  return frame;
}

std::string section_title(const model::Tree& tree, const std::vector<int>& constraints) {
  std::string title = constraints.size() > 1 ? "constraints" : "constraint";
  for (const int k : constraints)
    title += (k == constraints.front() ? " \"" : ", \"") + tree.constraints.all[index(k)].name + "\"";
  return title;
}

/// Where a constraint is: its bodies, and the limb that one of them belongs to. Nothing if it ties two limbs.
std::optional<std::pair<FoldedConstraint, FoldedPlace>> place_of(const model::Tree& tree,
                                                                 const model::Folding& folding, int k,
                                                                 bool in_base_axes) {
  const Constraint& constraint = tree.constraints.all[index(k)];
  FoldedConstraint folded;
  FoldedPlace limb;
  for (const model::Anchor& anchor : constraint.anchors) {
    const FoldedPlace at = folded_place(folding, model::body_of(tree, anchor));
    folded.bodies.push_back(at.body);
    if (at.lanes == 1) continue;
    if (limb.lanes > 1 && (limb.lane != at.lane || limb.group != at.group)) return std::nullopt;
    limb = at;
  }
  folded.group = limb.group;
  folded.constraints.assign(index(limb.lanes), -1);
  folded.constraints[index(limb.lane)] = k;
  if (constraint.is_loop()) folded.root.body = common_ancestor(folding, folded.bodies[0], folded.bodies[1]);
  const bool is_held = constraint.is_contact() && !tree.chosen.anchors.empty();  // at a point of the world
  if (constraint.is_contact() && !constraint.world_axes && !is_held && in_base_axes) folded.root = {0, true};
  return std::pair(folded, limb);
}

std::optional<std::vector<FoldedConstraint>> fold(const model::Tree& tree, const model::Folding& folding,
                                                  bool in_base_axes) {
  std::vector<FoldedConstraint> folded;
  const auto& all = tree.constraints.all;
  for (int k = 0; k < tree.constraints.count(); ++k) {
    const auto place = place_of(tree, folding, k, in_base_axes);
    if (!place) return std::nullopt;
    const auto& [own, limb] = *place;
    const auto misses_it = [&, lane = index(limb.lane), &bodies = own.bodies](const FoldedConstraint& other) {
      if (other.bodies != bodies || other.constraints[lane] >= 0) return false;
      const int known = *std::max_element(other.constraints.begin(), other.constraints.end());
      return are_alike(all[index(known)], all[index(k)]);
    };
    const auto same = std::find_if(folded.begin(), folded.end(), misses_it);
    if (same == folded.end())
      folded.push_back(own);
    else
      same->constraints[index(limb.lane)] = k;
  }
  for (const FoldedConstraint& constraint : folded) {
    if (std::count(constraint.constraints.begin(), constraint.constraints.end(), -1) > 0) return std::nullopt;
  }
  return folded;
}

}  // namespace

std::optional<std::vector<FoldedConstraint>> fold_constraints(const model::Tree& tree,
                                                              const model::Folding& folding) {
  return fold(tree, folding, has_floating_base(tree));
}
std::optional<std::vector<FoldedConstraint>> fold_constraints_in_world(const model::Tree& tree,
                                                                       const model::Folding& folding) {
  return fold(tree, folding, false);
}

ConstraintMotion::ConstraintMotion(Context& context, const FoldedConstraint& folded, const JointRates& rates)
    : c_(context),
      folded_(folded),
      bodies_(context, folded.bodies, rates, folded.root),
      has_v_(rates.v.has_value()) {
  c_.begin_section(section_title(c_.full_tree(), folded_.constraints));
  frames_.reserve(folded_.bodies.size());
  for (std::size_t k = 0; k < folded_.bodies.size(); ++k)
    frames_.emplace_back(bodies_, frame_at(c_.full_tree(), folded_, k));
  if (has_v_) rows_ = constraint_rows(constraint(), states());
}

const Constraint& ConstraintMotion::constraint() const {
  return c_.full_tree().constraints.all[index(folded_.constraints.front())];
}

template <class T>
std::vector<T> ConstraintMotion::stabilised(const ConstraintRows<T>& rows) const {
  const T kp(c_.kp()), kd(c_.kd());
  std::vector<T> sum = rows.dde;
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] = sum[r] + rows.e[r] * kp + rows.de[r] * kd;
  return sum;
}

Values ConstraintMotion::acceleration() const { return stabilised(rows_); }

bool ConstraintMotion::is_held_at_anchor() const { return constraint().is_contact() && c_.has_anchors(); }

std::vector<FrameState<Scalar>> ConstraintMotion::states() const {
  std::vector<FrameState<Scalar>> list;
  for (const FrameMotion& frame : frames_) {
    const Twist V = frame.velocity(), A = frame.acceleration();
    list.push_back({frame.rotation(), frame.position(), V.linear, V.angular, A.linear, A.angular});
    if (is_held_at_anchor()) list.back().d = frame.position() - c_.anchor(folded_.constraints);
  }
  return list;
}

std::vector<FrameState<Dual>> ConstraintMotion::positions() const {
  std::vector<FrameState<Dual>> list;
  for (const FrameMotion& frame : frames_)
    list.push_back({dual(frame.rotation()), dual(frame.position()), {}, {}, {}, {}});
  return list;
}

std::vector<Values> ConstraintMotion::no_rows() const {
  return std::vector<Values>(index(num_rows()), c_.zeros());
}

/// At rest, the rows are linear in the accelerations of the frames.
std::vector<Values> ConstraintMotion::J() const {
  std::vector<Values> J = no_rows();
  std::vector<FrameState<Scalar>> at_rest;
  for (const FrameMotion& frame : frames_)
    at_rest.push_back({frame.rotation(), frame.position(), {}, {}, {}, {}});
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    for (const FrameStep& step : frames_[f].steps()) {
      for (const FrameStep::Column& column : step.columns) {
        std::vector<FrameState<Scalar>> moving = at_rest;
        moving[f].ud = column.unit.linear;
        moving[f].wd = column.unit.angular;
        const ConstraintRows<Scalar> rows = constraint_rows(constraint(), moving);
        for (std::size_t r = 0; r < J.size(); ++r) J[r][index(column.idx_v)] += rows.dde[r];
      }
    }
  }
  return J;
}

ConstraintMotion::Derivatives ConstraintMotion::derivatives() const {
  Derivatives result{no_rows(), no_rows()};
  const std::vector<FrameState<Scalar>> now = states();
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const FrameDerivatives derivatives(frames_[f]);
    const Columns V_q = derivatives.velocity_by_q(), A_q = derivatives.acceleration_by_q(),
                  A_v = derivatives.acceleration_by_v();
    std::vector<FrameState<Dual>> moving;
    for (const FrameState<Scalar>& state : now) moving.push_back(dual(state));
    const auto add = [&](std::vector<Values>& to, int idx_v) {
      const std::vector<Dual> rows = stabilised(constraint_rows(constraint(), moving));
      for (std::size_t r = 0; r < to.size(); ++r) to[r][index(idx_v)] += rows[r].du;
    };
    std::size_t k = 0;
    for (const FrameStep& step : frames_[f].steps()) {
      for (const auto& [idx_v, unit] : step.columns) {
        const FrameState<Scalar>& x = now[f];
        moving[f] = {dual(x.R, unit.angular),
                     dual(x.p, unit.linear),
                     dual(x.u, V_q[k].unit.linear),
                     dual(x.w, V_q[k].unit.angular),
                     dual(x.ud, A_q[k].unit.linear),
                     dual(x.wd, A_q[k].unit.angular),
                     is_held_at_anchor() ? dual(x.d, unit.linear) : dual(x.d)};
        if (!is_root(step)) add(result.by_q, idx_v);
        moving[f] = {dual(x.R),
                     dual(x.p),
                     dual(x.u, unit.linear),
                     dual(x.w, unit.angular),
                     dual(x.ud, A_v[k].unit.linear),
                     dual(x.wd, A_v[k].unit.angular),
                     dual(x.d)};
        add(result.by_v, idx_v);
        ++k;
      }
    }
  }
  return result;
}

namespace {

/// A column of a frame, and the change of another one of this frame with it.
struct Pair {
  int row, column;  ///< coordinates
  std::vector<FrameState<Dual>> moving;
};

/// How the column `of` changes when the joint of `by` steps. What is further out moves the point only.
std::pair<DualVector, DualVector> moved(const Twist& of, const Twist& by, bool by_is_further_out) {
  if (by_is_further_out) return {dual(of.linear, cross(of.angular, by.linear)), dual(of.angular)};
  return {dual(of.linear, cross(by.angular, of.linear)), dual(of.angular, cross(by.angular, of.angular))};
}

}  // namespace

void ConstraintMotion::add_force_derivative(const Values& lambda, SquareMatrix& A) const {
  const std::vector<int>& group = c_.folding().group_of_velocity;
  const auto add = [&](int row, int column, const std::vector<FrameState<Dual>>& moving) {
    const ConstraintRows<Dual> rows = constraint_rows(constraint(), moving);
    Scalar sum;
    for (std::size_t r = 0; r < lambda.size(); ++r) sum += lambda[r] * rows.dde[r].du;
    const bool is_trunk = group.empty() || (group[index(row)] < 0 && group[index(column)] < 0);
    A(row, column) += is_trunk && folded_.lanes() > 1 ? lane_sum(sum, folded_.lanes()) : sum;
  };
  const std::vector<FrameState<Dual>> still = positions();
  for (std::size_t by = 0; by < frames_.size(); ++by) {
    for (std::size_t s = 0; s < frames_[by].steps().size(); ++s) {
      if (is_root(frames_[by].steps()[s])) continue;
      for (const auto& [column, step] : frames_[by].steps()[s].columns) {
        std::vector<FrameState<Dual>> moving = still;
        moving[by].R = dual(frames_[by].rotation(), step.angular);
        moving[by].p = dual(frames_[by].position(), step.linear);
        for (std::size_t of = 0; of < frames_.size(); ++of) {
          for (std::size_t t = 0; t < frames_[of].steps().size(); ++t) {
            for (const auto& [row, unit] : frames_[of].steps()[t].columns) {
              const auto [c, z] =
                  of == by ? moved(unit, step, s > t) : std::pair(dual(unit.linear), dual(unit.angular));
              std::vector<FrameState<Dual>> pair = moving;
              pair[of].ud = c;
              pair[of].wd = z;
              add(row, column, pair);
            }
          }
        }
      }
    }
  }
}

}  // namespace featherline::algorithms
