// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_newton.hpp>
#include <featherline/detail/contact_splitting.hpp>
#include <featherline/detail/contact_sweep.hpp>

#include <cstdint>
#include <limits>

/// Impulses of hard contacts with Coulomb friction: Signorini's condition and maximum dissipation, without pyramids.
namespace featherline {

/// solved: the residual is at most the tolerance. exhausted: the bound of rounds is reached; the best impulses are
/// given. inconsistent: no impulses exist, as far as the last ones show: they press without moving anything.
enum class ContactVerdict { solved = 0, exhausted = 1, inconsistent = 2 };

template <class S>
struct ContactOptions {
  /// On the largest velocity by which a condition is broken, over the largest one without impulses along or into the
  /// ground.
  S tolerance = S(sizeof(S) < sizeof(double) ? 1e-4 : 1e-8);
  /// After sweeps and Newton's method: rounds of 25 steps of splitting and Newton's method.
  int most_rounds = 36;
  /// Whether lambda holds the impulses of a similar problem, such as those of the last step.
  bool warm_start = false;
};

template <int N, class S>
struct ContactStatus {
  S residual;
  int iterations;  ///< sweeps, steps of splitting, and linear systems
  ContactVerdict verdict;
  /// Whether velocities after the step cannot depend on lambda's start: the points are independent, or none is pushed.
  /// Redundant points may have several solutions, not only in impulses.
  bool is_unique;
  ContactMode mode[N];
};

/// Solves for N points u = D lambda + b, 0 <= lambda_N, 0 <= u_N, lambda_N u_N = 0, |lambda_T| <= mu lambda_N, and
/// lambda_T against u_T where that is not zero. Rows of a point: two tangents and the normal, orthonormal.
/// Order of methods: at most three sweeps, Newton's method on the modes, twelve sweeps, Newton, then rounds of splitting and
/// Newton; a warm start begins with Newton. Where all fail, Newton and the sweeps begin again from 16 other starts.
/// Nothing is allocated, and the time is bounded.
/// K joints with limits and friction may be in the same problem (detail/contact_joints.hpp), each a row
/// behind the points.
/// Not a number in D, b or mu: verdict exhausted, impulses that are not numbers or zero.
template <int N, class S, int K = 0>
class ContactSolver {
 public:
  static_assert(N > 0, "a contact problem has at least one point");
  static constexpr int rows = 3 * N + K;

  /// D: Delassus matrix, symmetric; b: velocities without impulses less those wanted; mu: friction of each point.
  detail::ContactEquations<N, S, K> problem;

  /// lambda: impulses; read where `warm_start` is set.
  void solve(const ContactOptions<S>& options, S* lambda, ContactStatus<N, S>& status) {
    tolerance_ = options.tolerance;
    aim_ = problem.larger(S(1e-3) * tolerance_, S(detail::contact_aim<S>));
    iterations_ = 0;
    is_in_vain_ = false;
    are_redundant_ = rows > 12;  // a guess: of more rows, those that touch are mostly redundant
    best_ = S(-1.0);
    problem.prepare();
    const bool rests = none_is_pushed(), is_warm = options.warm_start && !rests;
    if (is_warm) {
      detail::copy_row<rows>(lambda, lambda_);
      refresh();
    } else {
      begin_at_zero();
    }
    if (!is_warm && !rests) {
      run(options.most_rounds);
    } else if (!keep_if_better(modes_.read(problem, lambda_, u_)) && !newton()) {
      run(options.most_rounds);
    }
    detail::copy_row<rows>(best_lambda_, lambda);
    report(status);
    status.is_unique = status.verdict == ContactVerdict::solved && (rests || are_independent());
  }

 private:
  void run(int most_rounds) {
    for (int i = 0; i < N; ++i) points_[i].prepare(problem, i);
    if (!is_finite(best_)) begin_at_zero();  // a start that overflows, or is not a number
    constexpr int sweeps[2] = {3, 12};
    // Of 300,000 random states of a block in a wedge of four planes 13 need other starts. All have solutions, and 40 %
    // of starts lead to one.
    constexpr int most_starts = 16;
    std::uint32_t number = 1;
    for (int start = 0; start <= most_starts && !is_in_vain_; ++start) {
      if (start > 0 && (!is_finite(best_) || begin_elsewhere(number))) return;
      for (const int count : sweeps) {
        if (sweep_and_newton(count)) return;
      }
      if (start == 0 && split_and_newton(most_rounds)) return;
    }
  }

  static bool is_finite(const S& x) { return x < std::numeric_limits<S>::infinity(); }

  /// Products with zero show what is not a number in D.
  void begin_at_zero() {
    for (S& x : lambda_) x = S(0.0);
    refresh();
  }

  bool split_and_newton(int most_rounds) {
    detail::Splitting<N, S, K> splitting(problem, lambda_, u_, equations_.system);
    constexpr int steps = 25;
    for (int round = 0; round < most_rounds; ++round) {
      splitting.steps(steps);
      iterations_ += steps;
      S u[rows];
      splitting.velocities(u);
      if (newton(splitting.impulses(), u)) return true;
    }
    is_in_vain_ = presses_in_vain();
    return false;
  }

  /// Newton's method from impulses up to the largest so far, by the next numbers of a sequence.
  bool begin_elsewhere(std::uint32_t& number) {
    using std::abs;
    S most(0.0);
    for (const S& x : best_lambda_) most = problem.larger(abs(x), most);
    for (S& x : lambda_) {
      number = number * 1664525U + 1013904223U;
      x = most * (S(number >> 8U) * S(1.0 / 8388608.0) - S(1.0));
    }
    refresh();
    return newton_or_stay();
  }

  /// The first sweeps end where the modes do not change any more.
  bool sweep_and_newton(int count) {
    const bool is_first = count < 4;
    detail::ContactModes<N, S, K> modes, last;
    for (int k = 0; k < count; ++k) {
      detail::sweep(problem, points_, lambda_, u_);
      ++iterations_;
      if (!is_first) continue;
      modes.read(problem, lambda_, u_);
      if (k > 0 && modes.are(last)) break;
      last = modes;
    }
    if (newton_or_stay()) return true;
    refresh();  // u of many small changes has their rounding
    keep_if_better(modes_.read(problem, lambda_, u_));
    return is_solved();
  }
  /// Where Newton's method fails, impulses stay as they were: sweeps go on from them.
  bool newton_or_stay() {
    S lambda[rows], u[rows];
    put(lambda_, u_, lambda, u);
    if (newton(lambda, u)) return true;
    put(lambda, u, lambda_, u_);
    return false;
  }
  static void put(const S* from, const S* more, S* to, S* more_to) {
    detail::copy_row<rows>(from, to);
    detail::copy_row<rows>(more, more_to);
  }

  /// Newton's method on the modes, from impulses and velocities that may disagree; true where it solves the problem.
  bool newton(const S* lambda, const S* u) {
    modes_.read(problem, lambda, u);
    detail::copy_row<rows>(lambda, lambda_);
    return newton();
  }
  /// The same from the modes that were read last. Where they stay, each step has helped and little is left, the factors of
  /// the last step serve again.
  bool newton() {
    constexpr int most_steps = 8, most_bad = 4;
    constexpr double near = sizeof(S) < sizeof(double) ? 1e-3 : 1e-6;
    int bad = 0;
    S last(-1.0);
    for (int step = 0; step < most_steps && bad < most_bad; ++step) {
      modes_.put(problem, lambda_);
      refresh();
      solve_modes(step > 0 && bad == 0 && last < S(near));
      const S now = modes_.read(problem, lambda_, u_);
      bad += now < last || last < S(0.0) ? 0 : 1;
      last = now;
      if (keep_if_better(now) || (bad > 0 && is_solved())) return true;
    }
    return is_solved();
  }

  void solve_modes(bool is_near) {
    bool has_factors = equations_.read(problem, modes_, lambda_, u_) && is_near;
    while (!has_factors) {
      equations_.fill(problem);
      if (are_redundant_) equations_.make_regular(problem);
      has_factors = equations_.system.factorise(are_redundant_ ? S(0.0) : least_pivot());
      are_redundant_ = are_redundant_ || !has_factors;
    }
    S x[detail::Elimination<rows, S>::stride];
    equations_.right_side(u_, x);
    equations_.system.solve(x);
    equations_.add_impulses(x, lambda_);
    modes_.put_on_cones(problem, lambda_);
    refresh();
    ++iterations_;
  }

  void refresh() { problem.velocities(lambda_, u_); }

  bool is_solved() const { return best_ <= tolerance_; }

  /// True where less is left than a thousandth of the tolerance, or nothing but rounding. Any residual is better than
  /// one that is not a number.
  bool keep_if_better(const S& now) {
    if (best_ >= S(0.0) && !(now < best_)) return false;
    best_ = now;
    detail::copy_row<rows>(lambda_, best_lambda_);
    for (int i = 0; i < N; ++i) best_mode_[i] = modes_.mode[i];
    return now <= tolerance_ && now <= aim_;
  }

  void report(ContactStatus<N, S>& status) {
    for (int i = 0; i < N; ++i) status.mode[i] = best_mode_[i];
    status.residual = best_;
    status.iterations = iterations_;
    status.verdict = is_solved()   ? ContactVerdict::solved
                     : is_in_vain_ ? ContactVerdict::inconsistent
                                   : ContactVerdict::exhausted;
  }

  /// Impulses that grow without bound: D d = 0 and b . d < 0 for their direction d.
  bool presses_in_vain() const {
    using std::abs;
    using std::sqrt;
    S square(0.0), work(0.0), moved(0.0), most(0.0);
    for (int i = 0; i < rows; ++i) {
      square += lambda_[i] * lambda_[i];
      work += problem.b[i] * lambda_[i];
      moved = problem.larger(abs(u_[i] - problem.b[i]), moved);
      most = problem.larger(problem.D[i][i], most);
    }
    for (int j = 0; j < K; ++j) {
      const S& x = lambda_[3 * N + j];
      const detail::JointBounds<S>& joint = problem.joint[j];
      work -= abs(x) <= joint.most ? problem.b[3 * N + j] * x : (x > S(0.0) ? joint.low : joint.high) * x;
    }
    const S size = sqrt(square);
    return size > S(0.0) && moved < S(1e-6) * most * size && work < S(-1e-6) * problem.free * size;
  }

  /// Then b . lambda >= 0 for all allowed impulses, and D lambda = 0 for those that solve the problem.
  bool none_is_pushed() const {
    for (int i = 0; i < N; ++i) {
      const S* b = problem.b + 3 * i;
      if (!(b[2] >= S(0.0)) || !(b[2] >= problem.mu[i] * norm(detail::Pair<S>{b[0], b[1]}))) return false;
    }
    const S still[rows] = {};
    for (int r = 3 * N; r < rows; ++r) {
      if (problem.met(r, still, problem.b).impulse != S(0.0)) return false;
    }
    return true;
  }

  /// Whether no point's friction can press it down, and D has full rank.
  bool are_independent() {
    for (int i = 0; i < N; ++i) {
      const S* n = problem.D[3 * i + 2] + 3 * i;
      if (problem.mu[i] * norm(detail::Pair<S>{n[0], n[1]}) >= n[2]) return false;
    }
    // Three points of one link are redundant: of many, the first three are tested alone.
    detail::Elimination<rows, S>& system = equations_.system;
    for (system.size = N > 4 ? 9 : rows;; system.size = rows) {
      for (int r = 0; r < system.size; ++r) detail::copy_row<rows>(problem.D[r], system.row(r));
      if (!system.factorise(least_pivot())) return false;
      if (system.size == rows) return true;
    }
  }

  /// Parts of the diagonal that pivots of independent points are above.
  static S least_pivot() { return S(100.0 * detail::contact_proximity<S>); }

  S tolerance_, aim_, best_;
  int iterations_;
  bool are_redundant_, is_in_vain_;
  S lambda_[rows], u_[rows], best_lambda_[rows];
  ContactMode best_mode_[N];
  detail::OnePoint<S> points_[N];
  detail::ContactModes<N, S, K> modes_;
  detail::ModeEquations<N, S, K> equations_;
};

}  // namespace featherline
