#include "algorithms/steps/contact_points.hpp"

#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <algorithm>

namespace featherline::algorithms {

std::vector<ColumnGroup> column_groups(const std::vector<ColumnRange>& ranges, int n, int m, int most_lanes) {
  std::vector<ColumnGroup> groups;
  int size = 0;
  for (const auto& [output, first, end, by] : ranges) {
    for (int k = first; k < end; k += most_lanes) {
      groups.push_back({output, k, std::min(most_lanes, end - k), size, by});
      size += groups.back().lanes * groups.back().rows(n, m);
    }
  }
  return groups;
}

PositionRates::PositionRates(const Context& c, const Scalar& step, SquareMatrix ddv)
    : dt(step), by_step(std::move(ddv)), adds(index(c.nv()), true) {
  for (int i = 0; i < c.num_bodies(); ++i) {
    const model::Joint& joint = c.joint(i);
    if (joint.mimics >= 0 || joint.row().steps_add()) continue;
    std::fill_n(adds.begin() + joint.idx_v, joint.nv, false);
  }
  for (int r = 0; r < by_step.size(); ++r) {
    for (int k = 0; k < by_step.size(); ++k)
      by_step(r, k) = adds[index(r)] ? Scalar(0.0) : dt * by_step(r, k);
  }
}

Coordinates PositionRates::operator()(const Coordinates& dv) const {
  Coordinates dq = by_step * dv;
  for (std::size_t r = 0; r < dq.size(); ++r) {
    if (adds[r]) dq[r] = dt * dv[r];
  }
  return dq;
}

namespace {

class SidesOfColumns {
 public:
  /// `c`: of the function behind the solver.
  SidesOfColumns(Context& c, const ImpulseResponse& response, bool by_parameters)
      : c_(c), n_(c.nv()), m_(response.num_rows()), dt_(c.dt()), force_(c.nv()) {
    const Coordinates &v = c.input("v"), &impulse = c.input("impulse");
    c.begin_section("velocities after the impulses");
    const Coordinates next = c.keep(c.input("free") + response.change(impulse));
    Coordinates a;
    for (int k = 0; k < n_; ++k) a.push_back((next[index(k)] - v[index(k)]) / dt_);
    if (by_parameters)
      by_parameter_ = torque_rates(c, c.keep(a));
    else
      move_state(next, a);
    const PositionDerivatives position = position_derivatives(c, scaled(dt_, next));
    position_by_q_ = position.dq.column_major();
    rates_.emplace(c, dt_, position.ddv);
  }

  RightSides all(const std::vector<ColumnGroup>& groups) {
    c_.begin_section("right sides of the columns");
    std::vector<StoredEntry> entries;
    for (const ColumnGroup& group : groups) {
      for (int lane = 0; lane < group.lanes; ++lane) {
        int place = group.first + lane;
        for (const Scalar& x : column(group, group.coordinate + lane)) {
          if (!x.is_zero()) entries.push_back({{place}, x});
          c_.keep(x);
          place += group.lanes;
        }
      }
    }
    return {entries, *rates_};
  }

 private:
  void move_state(const Coordinates& next, const Coordinates& a) {
    const Coordinates &v = c_.input("v"), &impulse = c_.input("impulse");
    if (c_.has_clusters())
      add_rates(next, v, impulse);
    else
      add_rows(next, v, impulse);
    id_.emplace(first_derivatives(c_, v, a, chosen_frames(c_.tree())));
  }
  void add_rows(const Coordinates& next, const Coordinates& v, const Coordinates& impulse) {
    const std::vector<ConstraintMotion> motions = constraint_motions(c_, {next, {}}, RowAxes::of_world);
    J_ = constraint_jacobian(c_, motions);
    auto first = impulse.begin();
    for (const ConstraintMotion& motion : motions) {
      const auto by_q = motion.derivatives().velocity_by_q;
      next_by_q_.insert(next_by_q_.end(), by_q.begin(), by_q.end());
      motion.add_force_derivative(Coordinates(first, first + 3), force_);
      first += 3;
    }
    for (const ConstraintMotion& motion : constraint_motions(c_, {v, {}}, RowAxes::of_world)) {
      const auto by_q = motion.derivatives().velocity_by_q;
      before_by_q_.insert(before_by_q_.end(), by_q.begin(), by_q.end());
    }
  }
  /// The same where loops are eliminated.
  void add_rates(const Coordinates& next, const Coordinates& v, const Coordinates& impulse) {
    J_ = constraint_jacobian(c_, constraint_motions(c_, {}, RowAxes::of_world));
    Coordinates values = c_.zeros();
    for (int r = 0; r < m_; ++r) add_multiple(values, impulse[index(r)], J_[index(r)]);
    for (const Coordinates& u : {speeds_of_rows(J_, next), speeds_of_rows(J_, v)})
      values.insert(values.end(), u.begin(), u.end());
    next_by_q_ = before_by_q_ = std::vector<Coordinates>(index(m_), c_.zeros());
    for (int k = 0; k < n_; ++k) {
      const Coordinates rates = rates_by_step(c_, values, k);
      for (int r = 0; r < n_; ++r) force_(r, k) = rates[index(r)];
      for (int r = 0; r < m_; ++r) {
        next_by_q_[index(r)][index(k)] = rates[index(n_ + r)];
        before_by_q_[index(r)][index(k)] = rates[index(n_ + m_ + r)];
      }
    }
  }
  Coordinates column(const ColumnGroup& group, int k) const {
    Coordinates b = c_.zeros(), U(index(m_));
    if (group.by == By::torque) {
      b[index(k)] = dt_;
    } else if (group.by == By::parameter) {
      for (int r = 0; r < n_; ++r) b[index(r)] = -dt_ * by_parameter_[index(k)][index(r)];
    } else if (group.by == By::position) {
      for (int r = 0; r < n_; ++r) b[index(r)] = force_(r, k) - dt_ * id_->dtau_dq(r, k);
      for (int r = 0; r < m_; ++r) U[index(r)] = next_by_q_[index(r)][index(k)];
      add_wanted(k, &J_, &before_by_q_, U);
    } else {
      k -= n_;
      for (int r = 0; r < n_; ++r) b[index(r)] = id_->M(r, k) - dt_ * id_->dtau_dv(r, k);
      add_wanted(k, nullptr, &J_, U);
    }
    b.insert(b.end(), U.begin(), U.end());
    for (int r = 0; r < n_ && group.moves_q(); ++r) b.push_back(position_by_q_[index(r + n_ * k)]);
    return b;
  }
  /// Along each normal: what a step of q takes off the gap, and what restitution makes of the velocity before.
  void add_wanted(int k, const std::vector<Coordinates>* gap, const std::vector<Coordinates>* before,
                  Coordinates& U) const {
    const Coordinates& ground = c_.input("ground");
    for (int point = 0; 3 * point < m_; ++point) {
      const Scalar* of_point = &ground[index(5 * point)];
      Scalar sum;
      for (int r = 0; r < 3; ++r) {
        const std::size_t row = index(3 * point + r);
        if (gap != nullptr) sum += of_point[3] * (of_point[r] * (*gap)[row][index(k)]);
        sum += of_point[4] * (of_point[r] * (*before)[row][index(k)]);
      }
      for (int r = 0; r < 3; ++r) U[index(3 * point + r)] += of_point[r] * sum;
    }
  }

  Context& c_;
  int n_, m_;
  Scalar dt_;
  SquareMatrix force_;                                    ///< d (J^T impulse) / dq
  std::vector<Coordinates> J_, next_by_q_, before_by_q_;  ///< d (J v') / dq and d (J v) / dq
  std::optional<FirstDerivatives> id_;
  std::vector<Coordinates> by_parameter_;  ///< d ID / dp
  Coordinates position_by_q_;
  std::optional<PositionRates> rates_;
};

}  // namespace

RightSides right_sides(Context& c, const ImpulseResponse& response, const std::vector<ColumnGroup>& groups) {
  return SidesOfColumns(c, response, groups.front().by == By::parameter).all(groups);
}

}  // namespace featherline::algorithms
