#include "algorithms/constraints/constraint_motion.hpp"

#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using algebra::cross;
using model::Constraint;
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

/// The derivative of a FrameState: it turns by z.
struct FrameRate {
  Vector3 z, p, u, w, ud, wd, d;
};

FrameState<Dual> dual(const FrameState<Scalar>& x, const FrameRate& dx = {}) {
  return {dual(x.R, dx.z),   dual(x.p, dx.p),   dual(x.u, dx.u), dual(x.w, dx.w),
          dual(x.ud, dx.ud), dual(x.wd, dx.wd), dual(x.d, dx.d), dual(x.r)};
}

std::vector<FrameState<Dual>> dual(const std::vector<FrameState<Scalar>>& frames) {
  return each(frames, [&](const FrameState<Scalar>& x) { return dual(x); });
}

/// The folded body that a body belongs to, and which of its lanes it is; -1: the world.
std::pair<int, int> folded_place(const model::Folding& folding, int body) {
  for (std::size_t i = 0; i < folding.bodies.size(); ++i) {
    const std::vector<int>& members = folding.bodies[i].members;
    const auto found = std::ranges::find(members, body);
    if (found != members.end()) return {static_cast<int>(i), static_cast<int>(found - members.begin())};
  }
  return {-1, 0};
}

/// The last body that both hang on.
int common_ancestor(const model::Folding& folding, int i, int j) {
  while (i != j) (i > j ? i : j) = folding.bodies[index(std::max(i, j))].parent;
  return i;
}

BodyFrame frame_at(const model::Tree& tree, const FoldedConstraint& folded, std::size_t anchor) {
  const Constraint& first = tree.constraints.all[index(folded.constraints.front())];
  const bool is_first_of_loop = first.is_loop() && anchor == 0;
  BodyFrame frame{.body = folded.bodies[anchor],
                  .suffix = (is_first_of_loop ? "A" : "C") + std::to_string(folded.constraints.front() + 1)};
  for (const int k : folded.constraints)
    frame.in_body.push_back(model::frame_in_body(tree, tree.constraints.all[index(k)].anchors[anchor]));
  return frame;
}

std::string section_title(const model::Tree& tree, const std::vector<int>& constraints) {
  std::vector<std::string> names =
      each(constraints, [&](const int k) { return tree.constraints.all[index(k)].name; });
  return quoted_title("constraint", names);
}

/// Constraint k in its lane, -1 in the others. Nothing if it ties two limbs.
std::optional<FoldedConstraint> in_lane(const model::Tree& tree, const model::Folding& folding, int k,
                                        RowAxes axes) {
  const Constraint& constraint = tree.constraints.all[index(k)];
  FoldedConstraint folded;
  for (const auto& term : constraint.terms) {
    if (model::group_of_body(folding, folded_place(folding, term.body).first) >= 0) return std::nullopt;
  }
  int own_lane = 0, lanes = 1;
  for (const model::Anchor& anchor : constraint.anchors) {
    const auto [body, lane] = folded_place(folding, model::body_of(tree, anchor));
    folded.bodies.push_back(body);
    const int group = body < 0 ? -1 : model::group_of_body(folding, body);
    if (group < 0) continue;
    if (folded.group >= 0 && (lane != own_lane || group != folded.group)) return std::nullopt;
    folded.group = group;
    own_lane = lane;
    lanes = folding.bodies[index(body)].lanes();
  }
  folded.constraints.assign(index(lanes), -1);
  folded.constraints[index(own_lane)] = k;
  if (constraint.is_loop()) folded.root.body = common_ancestor(folding, folded.bodies[0], folded.bodies[1]);
  const bool is_held = constraint.is_contact() && !tree.chosen.anchors.empty();  // at a point of the world
  if (constraint.is_contact() && !constraint.world_axes && !is_held && axes == RowAxes::of_base &&
      has_floating_base(tree))
    folded.root = {0, true};
  return folded;
}

/// Adds `own`, which has one constraint, to `other` if it is like those there and its lane has none yet.
bool joins(const std::vector<Constraint>& all, const FoldedConstraint& own, FoldedConstraint& other) {
  if (other.bodies != own.bodies) return false;
  const auto constraint = std::ranges::max_element(own.constraints);
  int& place = other.constraints[index(static_cast<int>(constraint - own.constraints.begin()))];
  const Constraint &a = all[index(std::ranges::max(other.constraints))], &b = all[index(*constraint)];
  if (place >= 0 || a.type != b.type || a.radius != b.radius || a.world_axes != b.world_axes) return false;
  place = *constraint;
  return true;
}

struct FrameColumn {
  const FrameStep* step;
  int idx_v;
  Twist unit;
};

std::vector<FrameColumn> columns(const FrameMotion& frame) {
  std::vector<FrameColumn> list;
  for (const FrameStep& step : frame.steps()) {
    for (const auto& [idx_v, unit] : step.columns) list.push_back({&step, idx_v, unit});
  }
  return list;
}

/// How the column `of` changes when the joint of `by` steps. What is further out moves the point only.
std::pair<DualVector, DualVector> moved(const Twist& of, const Twist& by, bool by_is_further_out) {
  if (by_is_further_out) return {dual(of.linear, cross(of.angular, by.linear)), dual(of.angular)};
  return {dual(of.linear, cross(by.angular, of.linear)), dual(of.angular, cross(by.angular, of.angular))};
}

}  // namespace

std::optional<std::vector<FoldedConstraint>> fold_constraints(const model::Tree& tree,
                                                              const model::Folding& folding, RowAxes axes) {
  std::vector<FoldedConstraint> folded;
  for (int k = 0; k < tree.constraints.count(); ++k) {
    const auto own = in_lane(tree, folding, k, axes);
    if (!own) return std::nullopt;
    bool is_taken = false;
    for (FoldedConstraint& other : folded) is_taken = is_taken || joins(tree.constraints.all, *own, other);
    if (!is_taken) folded.push_back(*own);
  }
  for (const FoldedConstraint& constraint : folded) {
    if (std::ranges::count(constraint.constraints, -1) > 0) return std::nullopt;
  }
  return folded;
}

ConstraintMotion::ConstraintMotion(Context& context, const FoldedConstraint& folded, const JointRates& rates)
    : joints_(context.has_clusters() ? std::make_shared<AllJoints>(context) : nullptr),
      c_(joints_ ? joints_->context() : context),
      folded_(folded),
      bodies_(c_, folded.bodies, joints_ ? joints_->rates(rates) : rates, folded.root) {
  c_.begin_section(section_title(c_.full_tree(), folded_.constraints));
  frames_.reserve(folded_.bodies.size());
  for (std::size_t k = 0; k < folded_.bodies.size(); ++k)
    frames_.emplace_back(bodies_, frame_at(c_.full_tree(), folded_, k));
  if (!rates.v) return;
  rows_ = is_coupling() ? rows_of_coupling(bodies_.rates) : constraint_rows(constraint(), states());
}

/// By coordinate.
Values ConstraintMotion::coefficients() const {
  Values row = c_.zeros();
  for (const auto& [body, coefficient] : constraint().terms)
    row[index(c_.joint(body).idx_v)] += Scalar(coefficient);
  return row;
}

ConstraintRows<Scalar> ConstraintMotion::rows_of_coupling(const JointRates& rates) const {
  Scalar e(-constraint().offset);
  for (const auto& [body, coefficient] : constraint().terms)
    e += Scalar(coefficient) * c_.input("q")[index(c_.joint(body).idx_q)];
  const Values row = coefficients();
  return {{e}, {dot(row, *rates.v)}, {rates.a ? dot(row, *rates.a) : Scalar(0.0)}};
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

/// Of a sphere: from its centre to the point that touches the ground.
Vector3 ConstraintMotion::way_to_ground() const {
  if (constraint().type != model::ConstraintType::contact_sphere) return {};
  return c_.ground_normal(folded_.constraints) * Scalar(-constraint().radius);
}

std::vector<FrameState<Scalar>> ConstraintMotion::states() const {
  std::vector<FrameState<Scalar>> list;
  for (const FrameMotion& frame : frames_) {
    const Twist V = frame.velocity(), A = frame.acceleration();
    list.push_back({frame.rotation(), frame.position(), V.linear, V.angular, A.linear, A.angular});
    list.back().r = way_to_ground();
    if (is_held_at_anchor()) list.back().d = frame.position() - c_.anchor(folded_.constraints);
  }
  return list;
}

std::vector<FrameState<Scalar>> ConstraintMotion::at_rest() const {
  std::vector<FrameState<Scalar>> list;
  for (const FrameMotion& frame : frames_)
    list.push_back({frame.rotation(), frame.position(), {}, {}, {}, {}, {}, way_to_ground()});
  return list;
}

/// At rest, the rows are linear in the accelerations of the frames.
std::vector<Values> ConstraintMotion::J(const Constraint& constraint) const {
  std::vector<Values> J = no_rows(constraint.num_rows());
  const std::vector<FrameState<Scalar>> still = at_rest();
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    for (const auto& [step, idx_v, unit] : columns(frames_[f])) {
      std::vector<FrameState<Scalar>> moving = still;
      moving[f].ud = unit.linear;
      moving[f].wd = unit.angular;
      const ConstraintRows<Scalar> rows = constraint_rows(constraint, moving);
      for (std::size_t r = 0; r < J.size(); ++r) J[r][index(idx_v)] += rows.dde[r];
    }
  }
  if (is_coupling()) J.front() = coefficients();
  for (Values& row : J) {
    if (joints_) row = joints_->torques(row);
  }
  return J;
}

std::vector<Values> ConstraintMotion::J_with_turning() const {
  Constraint weld = constraint();
  weld.type = model::ConstraintType::contact_weld;
  return J(weld);
}

ConstraintMotion::Derivatives ConstraintMotion::derivatives() const {
  const std::vector<Values> none = no_rows(num_rows());
  Derivatives result{none, none, none};
  if (is_coupling()) {
    result.by_q.front() = scaled(c_.kp(), coefficients());
    result.by_v.front() = scaled(c_.kd(), coefficients());
    return result;
  }
  const std::vector<FrameState<Scalar>> now = states();
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    const FrameDerivatives derivatives(frames_[f]);
    const Columns V_q = derivatives.velocity_by_q(), A_q = derivatives.acceleration_by_q(),
                  A_v = derivatives.acceleration_by_v();
    std::vector<FrameState<Dual>> moving = dual(now);
    const auto add = [&](std::vector<Values>& to, int idx_v, const FrameRate& rate) {
      moving[f] = dual(now[f], rate);
      const ConstraintRows<Dual> rows = constraint_rows(constraint(), moving);
      const std::vector<Dual> held = stabilised(rows);
      for (std::size_t r = 0; r < to.size(); ++r) {
        to[r][index(idx_v)] += held[r].du;
        if (&to == &result.by_q) result.velocity_by_q[r][index(idx_v)] += rows.de[r].du;
      }
    };
    std::size_t k = 0;
    for (const auto& [step, idx_v, unit] : columns(frames_[f])) {
      const Twist &V = V_q[k].unit, &A = A_q[k].unit, &by_v = A_v[k].unit;
      const Vector3 d = is_held_at_anchor() ? unit.linear : Vector3{};
      if (!is_root(*step))
        add(result.by_q, idx_v, {unit.angular, unit.linear, V.linear, V.angular, A.linear, A.angular, d});
      add(result.by_v, idx_v, {{}, {}, unit.linear, unit.angular, by_v.linear, by_v.angular, {}});
      ++k;
    }
  }
  return result;
}

void ConstraintMotion::add_force_derivative(const Values& lambda, SquareMatrix& A) const {
  const std::vector<int>& group = c_.folding().group_of_velocity;
  const auto add = [&](int row, int column, const std::vector<FrameState<Dual>>& moving) {
    const ConstraintRows<Dual> rows = constraint_rows(constraint(), moving);
    Scalar sum;
    for (std::size_t r = 0; r < lambda.size(); ++r) sum += lambda[r] * rows.dde[r].du;
    const bool is_trunk = group.empty() || (group[index(row)] < 0 && group[index(column)] < 0);
    A(row, column) += is_trunk && folded_.lanes() > 1 ? lane_sum(sum, folded_.lanes()) : sum;
  };
  const std::vector<FrameState<Dual>> still = dual(at_rest());
  for (std::size_t by = 0; by < frames_.size(); ++by) {
    for (const FrameColumn& step : columns(frames_[by])) {
      if (is_root(*step.step)) continue;
      std::vector<FrameState<Dual>> moving = still;
      moving[by].R = dual(frames_[by].rotation(), step.unit.angular);
      moving[by].p = dual(frames_[by].position(), step.unit.linear);
      for (std::size_t of = 0; of < frames_.size(); ++of) {
        for (const FrameColumn& column : columns(frames_[of])) {
          std::vector<FrameState<Dual>> pair = moving;
          std::tie(pair[of].ud, pair[of].wd) =
              of == by ? moved(column.unit, step.unit, step.step > column.step)
                       : std::pair(dual(column.unit.linear), dual(column.unit.angular));
          add(column.idx_v, step.idx_v, pair);
        }
      }
    }
  }
}

}  // namespace featherline::algorithms
