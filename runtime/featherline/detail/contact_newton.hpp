// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_problem.hpp>

namespace featherline {

enum class ContactMode { open = 0, sticking = 1, sliding = 2 };

namespace detail {
inline namespace FEATHERLINE_REGISTERS {

/// A mode a point, and the direction of sliding. Of a joint whether its speed is held, and at what.
template <int N, class S, int K = 0>
struct ContactModes {
  ContactMode mode[N];
  typename JointBounds<S>::Met joint[K > 0 ? K : 1];

  /// Returns the residual: the largest velocity by which (lambda, u) breaks a condition, or may break it in rounding,
  /// over ContactEquations::free. A step of projection leaves a solution as it is. Not a number where an impulse
  /// or a velocity is not.
  S read(const ContactEquations<N, S, K>& problem, const S* lambda, const S* u) {
    using std::abs;
    S worst(0.0), sum(0.0);
    each(Known<0>{}, Known<Points::count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
      read_points(problem, Points::offset(v), lambda, u, worst, sum, UpTo<Points::width>{});
    });
    for (int i = 0; i < N; ++i) mode[i] = static_cast<ContactMode>(static_cast<int>(kind_[i]));
    for (int j = 0; j < K; ++j) {
      const int r = 3 * N + j;
      joint[j] = problem.met(r, lambda, u);
      const S next = joint[j].impulse + S(0.0) * u[r];
      const S broken = problem.D[r][r] * (abs(lambda[r] - next) + S(contact_rounding<S>) * abs(lambda[r]));
      worst = problem.larger(broken, worst);
      sum += broken;
    }
    return worst / problem.free + S(0.0) * sum;
  }
  Pair<S> slip(int i) const { return {slip_x_[i], slip_y_[i]}; }
  bool are(const ContactModes& other) const {
    bool same = true;
    for (int i = 0; i < N; ++i) same = same && mode[i] == other.mode[i];
    for (int j = 0; j < K; ++j) same = same && joint[j].held == other.joint[j].held;
    return same;
  }

  /// The nearest impulses that these modes allow.
  void put(const ContactEquations<N, S, K>& problem, S* lambda) const {
    for (int j = 0; j < K; ++j) {
      if (!joint[j].held) lambda[3 * N + j] = joint[j].impulse;
    }
    for (int i = 0; i < N; ++i) {
      S* x = lambda + 3 * i;
      if (mode[i] == ContactMode::open) x[0] = x[1] = x[2] = S(0.0);
      if (mode[i] == ContactMode::sliding) slide(problem.mu[i], {-slip_x_[i], -slip_y_[i]}, x);
    }
  }
  /// Sliders onto the cone, along the friction that they have.
  void put_on_cones(const ContactEquations<N, S, K>& problem, S* lambda) const {
    for (int i = 0; i < N; ++i) {
      S* x = lambda + 3 * i;
      const S size = norm(Pair<S>{x[0], x[1]});
      if (mode[i] != ContactMode::sliding) continue;
      slide(problem.mu[i], size > S(0.0) ? Pair<S>{x[0] / size, x[1] / size} : Pair<S>{S(0.0), S(0.0)}, x);
    }
  }

 private:
  /// Points side by side.
  using Points = RowVectors<N, S>;
  using Vector = typename Points::Vector;

  /// Those from `first` on.
  template <int... l>
  FEATHERLINE_INLINE void read_points(const ContactEquations<N, S, K>& problem, int first, const S* lambda,
                                      const S* u, S& worst, S& sum, std::integer_sequence<int, l...>) {
    const auto component = [&](const S* x, int k)
                               FEATHERLINE_INLINE_LAMBDA { return Vector{x[3 * (first + l) + k]...}; };
    const auto absolute = [](const Vector& x) FEATHERLINE_INLINE_LAMBDA { return x > -x ? x : -x; };
    const auto of_points = [&](const S* x) FEATHERLINE_INLINE_LAMBDA { return Points::load(x + first); };
    const Vector nothing{}, one = nothing + S(1.0);
    const Vector x = component(lambda, 0), y = component(lambda, 1), z = component(lambda, 2);
    const Vector by_tangent = of_points(problem.by_tangent), mu = of_points(problem.mu);
    const Vector to_x = x - component(u, 0) * by_tangent, to_y = y - component(u, 1) * by_tangent,
                 pressure = z - component(u, 2) * of_points(problem.by_normal);
    const Vector size = roots(Vector(to_x * to_x + to_y * to_y)), most = mu * pressure;
    const Vector by_size = size > nothing ? one / size : nothing;
    const Vector held = size <= most ? one : most * by_size, part = pressure > nothing ? held : nothing;
    const Vector kind = size <= most ? one : one + one;
    Points::store(pressure > nothing ? kind : nothing, kind_ + first);
    Points::store(size > nothing ? -to_x * by_size : one, slip_x_ + first);
    Points::store(-to_y * by_size, slip_y_ + first);
    const Vector next_z = (pressure > nothing ? one : nothing) * pressure;
    const auto broken = [&](const Vector& at, const Vector& next) FEATHERLINE_INLINE_LAMBDA {
      return absolute(at - next) + S(contact_rounding<S>) * absolute(at);
    };
    const Vector in_x = broken(x, part * to_x), in_y = broken(y, part * to_y);
    const Vector sideways = of_points(problem.tangent) * (in_x > in_y ? in_x : in_y),
                 along = of_points(problem.normal) * broken(z, next_z);
    const Vector worst_here = sideways > along ? sideways : along,
                 all = of_points(problem.tangent) * (in_x + in_y) + along;
    S largest[Points::width], sums[Points::width];
    Points::store(worst_here, largest);
    Points::store(all, sums);
    ((worst = problem.larger(largest[l], worst), sum += sums[l]), ...);
  }

  static void slide(const S& mu, const Pair<S>& direction, S* x) {
    x[2] = x[2] > S(0.0) ? x[2] : S(0.0);
    x[0] = mu * x[2] * direction.x;
    x[1] = mu * x[2] * direction.y;
  }

  S kind_[N], slip_x_[N], slip_y_[N];
};

/// The linear equations of known modes. Sticking points have three unknowns, sliding ones two: how their impulse grows
/// along n - mu w, and how it turns along w' across the slip w. Tests B, impulses E:
///
///     (B^T D E + diag c) x = -B^T u,  c = w . u_T / (mu lambda_N) for turning, else 0.
///
/// A joint whose speed is held has one unknown. In its row u is the speed less the one that is held.
template <int N, class S, int K = 0>
class ModeEquations {
 public:
  static constexpr int most = 3 * N + K;

  /// Which unknowns there are, and the directions of those that slide. Returns whether the unknowns are those that there
  /// were.
  bool read(const ContactEquations<N, S, K>& problem, const ContactModes<N, S, K>& modes, const S* lambda,
            const S* u) {
    const int last_size = system.size;
    bool same = true;
    num_touching_ = num_joints_ = system.size = 0;
    for (int i = 0; i < N; ++i) {
      if (modes.mode[i] == ContactMode::open) continue;
      const bool sticks = modes.mode[i] == ContactMode::sticking;
      const S mu = sticks ? S(0.0) : problem.mu[i];
      Touching& added = touching_[num_touching_++];
      same = same && added.row == 3 * i && added.sticks == sticks;
      added = {3 * i, system.size, sticks, mu, modes.slip(i), S(0.0)};
      if (mu > S(0.0)) added.turning = turning(problem, i, added, lambda + 3 * i, u + 3 * i);
      system.size += sticks ? 3 : added.turns() ? 2 : 1;
    }
    for (int j = 0; j < K; ++j) {
      if (!modes.joint[j].held) continue;
      HeldJoint& added = joints_[num_joints_++];
      same = same && added.row == 3 * N + j;
      added = {3 * N + j, system.size++, modes.joint[j].speed};
    }
    return same && system.size == last_size;
  }
  void fill(const ContactEquations<N, S, K>& problem) {
    const S* tested[most];  // B^T D, by rows
    S across[N][most];
    for (int k = 0; k < num_touching_; ++k) {
      const Touching& point = touching_[k];
      const S* D = problem.D[point.row];
      const S** row = tested + point.column;
      for (int r = 0; r < 3 && point.sticks; ++r) row[r] = D + most * r;
      if (!point.sticks) row[0] = D + 2 * most;
      if (!point.turns()) continue;
      for (int c = 0; c < most; ++c) across[k][c] = point.slip.x * D[most + c] - point.slip.y * D[c];
      row[1] = across[k];
    }
    for (int j = 0; j < num_joints_; ++j) tested[joints_[j].column] = problem.D[joints_[j].row];
    for (int r = 0; r < system.size; ++r) system.row(r);
    for (int k = 0; k < num_touching_; ++k) fill_columns(touching_[k], tested);
    for (int j = 0; j < num_joints_; ++j) {
      for (int r = 0; r < system.size; ++r) system.matrix[r][joints_[j].column] = tested[r][joints_[j].row];
    }
  }
  /// Redundant points: what is added to the diagonal leaves no error, because steps are repeated.
  void make_regular(const ContactEquations<N, S, K>& problem) {
    const S proximity = problem.proximity();
    for (int r = 0; r < system.size; ++r) system.matrix[r][r] += proximity;
  }
  /// B^T u, negative.
  void right_side(const S* u, S* x) const {
    for (int k = 0; k < num_touching_; ++k) {
      const Touching& point = touching_[k];
      const S* at = u + point.row;
      S* to = x + point.column;
      for (int r = 0; r < 3 && point.sticks; ++r) to[r] = -at[r];
      if (!point.sticks) to[0] = -at[2];
      if (point.turns()) to[1] = point.slip.y * at[0] - point.slip.x * at[1];
    }
    for (int j = 0; j < num_joints_; ++j) x[joints_[j].column] = joints_[j].speed - u[joints_[j].row];
  }
  /// B^T A by rows, where A has the axes of each point.
  template <class Axes>
  void right_sides(const Axes* axes, S (*X)[most]) const {
    static_assert(K == 0, "joints have no axes");
    for (int r = 0; r < system.size; ++r) {
      for (int c = 0; c < most; ++c) X[r][c] = S(0.0);
    }
    for (int k = 0; k < num_touching_; ++k) {
      const Touching& point = touching_[k];
      const auto& axis = axes[point.row / 3].axis;
      for (int j = 0; j < 3; ++j) {
        S(*to)[most] = X + point.column;
        for (int r = 0; r < 3 && point.sticks; ++r) to[r][point.row + j] = axis[r][j];
        if (!point.sticks) to[0][point.row + j] = axis[2][j];
        if (point.turns()) to[1][point.row + j] = point.slip.x * axis[1][j] - point.slip.y * axis[0][j];
      }
    }
  }
  /// lambda += E x.
  void add_impulses(const S* x, S* lambda) const {
    for (int k = 0; k < num_touching_; ++k) {
      const Touching& point = touching_[k];
      const S* from = x + point.column;
      S* at = lambda + point.row;
      for (int r = 0; r < 3 && point.sticks; ++r) at[r] += from[r];
      if (point.sticks) continue;
      const S along = -point.mu * from[0], across = point.turns() ? from[1] : S(0.0);
      at[0] += along * point.slip.x - across * point.slip.y;
      at[1] += along * point.slip.y + across * point.slip.x;
      at[2] += from[0];
    }
    for (int j = 0; j < num_joints_; ++j) lambda[joints_[j].row] += x[joints_[j].column];
  }

  Elimination<most, S> system;

 private:
  /// A point with its unknowns: its first row of D, its first column here.
  struct Touching {
    int row, column;
    bool sticks;
    S mu;  ///< of one that slides
    Pair<S> slip;
    S turning;  ///< c
    bool turns() const { return mu > S(0.0); }
  };
  struct HeldJoint {
    int row, column;
    S speed;
  };

  static S turning(const ContactEquations<N, S, K>& problem, int i, const Touching& point, const S* lambda,
                   const S* u) {
    const S least = S(1e-12) * problem.free, landing = -u[2];
    // A slider without pressure has what it is about to get.
    const S pressing = lambda[2] > S(0.0) ? lambda[2] : problem.larger(landing, least) * problem.by_normal[i];
    return (point.slip.x * u[0] + point.slip.y * u[1]) / (point.mu * pressing);
  }
  /// Columns of B^T D E for one point.
  void fill_columns(const Touching& point, const S* const* tested) {
    for (int r = 0; r < system.size && point.sticks; ++r) {
      const S* from = tested[r] + point.row;
      S* to = system.matrix[r] + point.column;
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
    if (point.sticks) return;
    const S mu = point.mu, slip_x = point.slip.x, slip_y = point.slip.y;
    for (int r = 0; r < system.size; ++r) {
      const S* from = tested[r] + point.row;
      S* to = system.matrix[r] + point.column;
      to[0] = from[2] - mu * (slip_x * from[0] + slip_y * from[1]);
      if (mu > S(0.0)) to[1] = slip_x * from[1] - slip_y * from[0];
    }
    if (point.turns()) system.matrix[point.column + 1][point.column + 1] += point.turning;
  }

  Touching touching_[N] = {};
  HeldJoint joints_[K > 0 ? K : 1] = {};
  int num_touching_, num_joints_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace detail
}  // namespace featherline
