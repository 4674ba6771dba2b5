// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_newton.hpp>
#include <featherline/detail/contact_splitting.hpp>
#include <featherline/detail/contact_sweep.hpp>

/// Impulses of hard contacts with Coulomb friction: Signorini's condition and maximum dissipation, without pyramids.
namespace featherline {

/// solved: the residual is at most the tolerance. exhausted: the bound of rounds is reached; the best impulses are
/// given. inconsistent: no impulses exist, as far as the last ones show: they press without moving anything.
enum class ContactVerdict { solved = 0, exhausted = 1, inconsistent = 2 };

template <class S>
struct ContactOptions {
  /// On the largest velocity by which a condition is broken, over the largest velocity without impulses.
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
/// Order of methods: three sweeps, Newton's method on the modes, twelve sweeps, Newton, then rounds of splitting and
/// Newton; a warm start begins with Newton. Nothing is allocated, and the time is bounded.
/// Not a number in D, b or mu: verdict exhausted, impulses that are not numbers or zero.
template <int N, class S>
class ContactSolver {
 public:
  static_assert(N > 0, "a contact problem has at least one point");
  static constexpr int rows = 3 * N;

  /// D: Delassus matrix, symmetric; b: velocities without impulses less those wanted; mu: friction of each point.
  detail::ContactEquations<N, S> problem;

  /// lambda: impulses; read where `warm_start` is set.
  void solve(const ContactOptions<S>& options, S* lambda, ContactStatus<N, S>& status) {
    tolerance_ = options.tolerance;
    iterations_ = 0;
    best_ = S(-1.0);
    for (int i = 0; i < rows; ++i) lambda_[i] = options.warm_start ? lambda[i] : S(0.0);
    refresh();
    if (!keep_if_better()) run(options);
    for (int i = 0; i < rows; ++i) lambda[i] = best_lambda_[i];
    report(status);
  }

 private:
  void run(const ContactOptions<S>& options) {
    if (options.warm_start && newton(lambda_, u_)) return;
    for (int i = 0; i < N; ++i) points_[i].prepare(problem, i);
    constexpr int sweeps[2] = {3, 12};
    for (const int count : sweeps) {
      if (sweep_and_newton(count)) return;
    }
    detail::Splitting<N, S> splitting(problem, lambda_, u_);
    constexpr int steps = 25;
    for (int round = 0; round < options.most_rounds; ++round) {
      splitting.steps(steps);
      iterations_ += steps;
      S u[rows];
      splitting.velocities(u);
      if (newton(splitting.impulses(), u)) return;
    }
  }

  bool sweep_and_newton(int count) {
    for (int k = 0; k < count; ++k) {
      detail::sweep(problem, points_, lambda_, u_);
      ++iterations_;
      if (!(problem.residual(lambda_, u_) <= tolerance_)) continue;
      refresh();  // u of many small changes has their rounding
      if (keep_if_better()) return true;
    }
    S lambda[rows], u[rows];
    for (int i = 0; i < rows; ++i) {
      lambda[i] = lambda_[i];
      u[i] = u_[i];
    }
    if (newton(lambda, u)) return true;
    for (int i = 0; i < rows; ++i) {  // sweeps go on where they were
      lambda_[i] = lambda[i];
      u_[i] = u[i];
    }
    return false;
  }

  /// Newton's method on the modes, from impulses and velocities that may disagree; true where it solves the problem.
  bool newton(const S* lambda, const S* u) {
    constexpr int most_steps = 8, most_bad = 4;
    modes_.read(problem, lambda, u);
    for (int i = 0; i < rows; ++i) lambda_[i] = lambda[i];
    modes_.put(problem, lambda_);
    refresh();
    int bad = 0;
    S last = problem.residual(lambda_, u_);
    for (int step = 0; step < most_steps && bad < most_bad; ++step) {
      if (step > 0) {
        modes_.read(problem, lambda_, u_);
        modes_.put(problem, lambda_);
        refresh();
      }
      solve_modes();
      const S now = problem.residual(lambda_, u_);
      bad += now < last ? 0 : 1;
      last = now;
      if (keep_if_better() || (bad > 0 && is_solved())) return true;
    }
    return is_solved();
  }

  void solve_modes() {
    detail::ModeEquations<N, S> equations(problem, modes_, lambda_, u_);
    S most(S(1e-30)), x[rows];
    for (int i = 0; i < N; ++i) most = problem.normal(i) > most ? problem.normal(i) : most;
    for (int r = 0; r < equations.size; ++r) equations.matrix[r][r] += S(detail::contact_proximity<S>) * most;
    equations.right_side(u_, x);
    detail::solve_by_elimination(equations.matrix, x, equations.size);
    equations.add_impulses(x, lambda_);
    put_sliders_on_cones();
    refresh();
    ++iterations_;
  }

  void put_sliders_on_cones() {
    for (int i = 0; i < N; ++i) {
      if (modes_.mode[i] != ContactMode::sliding) continue;
      S* x = lambda_ + 3 * i;
      x[2] = x[2] > S(0.0) ? x[2] : S(0.0);
      const S size = detail::norm(detail::Pair<S>{x[0], x[1]});
      const S part = size > S(0.0) ? problem.mu[i] * x[2] / size : S(0.0);
      x[0] *= part;
      x[1] *= part;
    }
  }

  void refresh() { problem.velocities(lambda_, u_); }

  bool is_solved() const { return best_ <= tolerance_; }

  /// True where nothing is left but rounding. Impulses within the tolerance get Newton's method first: its last step is
  /// cheap, and leaves ten digits where a sweep leaves eight.
  bool keep_if_better() {
    const S now = problem.residual(lambda_, u_);
    if (!(best_ < S(0.0)) && !(now < best_)) return false;
    best_ = now;
    for (int i = 0; i < rows; ++i) {
      best_lambda_[i] = lambda_[i];
      best_u_[i] = u_[i];
    }
    return now <= tolerance_ && now <= S(detail::contact_aim<S>);
  }

  void report(ContactStatus<N, S>& status) {
    modes_.read(problem, best_lambda_, best_u_);
    for (int i = 0; i < N; ++i) status.mode[i] = modes_.mode[i];
    status.residual = best_;
    status.iterations = iterations_;
    status.verdict = is_solved()         ? ContactVerdict::solved
                     : presses_in_vain() ? ContactVerdict::inconsistent
                                         : ContactVerdict::exhausted;
    status.is_unique = status.verdict == ContactVerdict::solved && (none_is_pushed() || are_independent());
  }

  /// Impulses that grow without bound: D d = 0 and b . d < 0 for their direction d.
  bool presses_in_vain() const {
    using std::abs;
    using std::sqrt;
    S square(0.0), work(0.0), moved(0.0), most(0.0), free(0.0);
    for (int i = 0; i < rows; ++i) {
      square += lambda_[i] * lambda_[i];
      work += problem.b[i] * lambda_[i];
      const S gain = abs(u_[i] - problem.b[i]);
      moved = gain > moved ? gain : moved;
      most = problem.D[i][i] > most ? problem.D[i][i] : most;
      free = abs(problem.b[i]) > free ? abs(problem.b[i]) : free;
    }
    const S size = sqrt(square);
    return size > S(0.0) && moved < S(1e-6) * most * size && work < S(-1e-6) * free * size;
  }

  /// Then b . lambda >= 0 for all allowed impulses, and D lambda = 0 for those that solve the problem.
  bool none_is_pushed() const {
    bool none = true;
    for (int i = 0; i < N; ++i)
      none = problem.b[3 * i + 2] >=
                 problem.mu[i] * norm(detail::Pair<S>{problem.b[3 * i], problem.b[3 * i + 1]}) &&
             none;
    return none;
  }

  /// D has full rank, and no point's friction can press it down.
  bool are_independent() {
    S L[rows][rows], inverse[rows],
        pushed[rows];  // D = L diag(1 / inverse) L^T; row i of L without its inverse
    for (int i = 0; i < rows; ++i) {
      S pivot = problem.D[i][i];
      for (int j = 0; j < i; ++j) {
        S sum = problem.D[i][j];
        for (int k = 0; k < j; ++k) sum -= pushed[k] * L[j][k];
        pushed[j] = sum;
        L[i][j] = sum * inverse[j];
        pivot -= sum * L[i][j];
      }
      if (!(pivot > S(100.0 * detail::contact_proximity<S>) * problem.D[i][i])) return false;
      inverse[i] = S(1.0) / pivot;
    }
    for (int i = 0; i < N; ++i) {
      const S* n = problem.D[3 * i + 2] + 3 * i;
      if (problem.mu[i] * norm(detail::Pair<S>{n[0], n[1]}) >= n[2]) return false;
    }
    return true;
  }

  S tolerance_, best_;
  int iterations_;
  S lambda_[rows], u_[rows], best_lambda_[rows], best_u_[rows];
  detail::OnePoint<S> points_[N];
  detail::ContactModes<N, S> modes_;
};

}  // namespace featherline
