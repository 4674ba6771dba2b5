// Motions by trapezoidal collocation, solved by IPOPT with exact first and second derivatives: aba_derivatives,
// aba_vector_hessian and minv_vector_derivative, node by node. Joints turn or slide; each has one coordinate.
#pragma once

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <vector>

namespace collocation {

using Ipopt::Index, Ipopt::Number;

template <int rows, int columns = 1>
using Matrix = Eigen::Matrix<double, rows, columns>;

/// Nothing is bounded beside states, torques and time.
struct NoLimits {
  static constexpr int rows = 0;
  void limits(const double*, double*) const {}
  void limit_derivatives(const double*, double*) const {}
  void limit_curvature(const double*, const double*, double*) const {}
};

/// A motion that is looked for. Robot has these members:
///   n, driven              joints; how many have motors, which are the last ones
///   aba, aba_derivatives, aba_vector_hessian, minv_vector_derivative    as emitted, without p
///   rows                   functions of q that are bounded
///   limits(q, c)           their values
///   limit_derivatives(q, C)       rows x n, column-major
///   limit_curvature(q, w, H)      adds second derivatives of w^T c to H, n x n
template <class Robot>
struct Motion {
  static constexpr int n = Robot::n, driven = Robot::driven, size = 2 * n + driven;
  using State = Matrix<2 * n>;
  using Node = Matrix<size>;  // q, v, torques
  using Nodes = Matrix<size, Eigen::Dynamic>;
  using Rows = Matrix<Robot::rows>;

  Robot robot{};
  int intervals = 0;
  double shortest = 0.0, longest = 0.0;  ///< [s] equal if the duration is given
  State first = State::Zero(), last = State::Zero();
  Node low = Node::Zero(), high = Node::Zero();    ///< of all nodes
  Rows least = Rows::Zero(), most = Rows::Zero();  ///< of limits() at all nodes
  double price_of_time = 0.0;                      ///< the cost is this times the duration,
  Matrix<driven> price = Matrix<driven>::Zero();   ///< plus the integral of price * torque^2
  Nodes nodes;                                     ///< the first guess, then what was found; intervals + 1
  double duration = 0.0;                           ///< the same
};

template <class Robot>
class Problem : public Ipopt::TNLP {
  using M = Motion<Robot>;
  using State = typename M::State;
  using Node = typename M::Node;
  using Nodes = typename M::Nodes;
  static constexpr int n = M::n, driven = M::driven, size = M::size, rows = Robot::rows;
  M& motion_;
  const int intervals_, time_;  // time_: the index of the duration, behind all nodes

  auto nodes(const Number* x) const { return Eigen::Map<const Nodes>(x, size, intervals_ + 1); }
  double weight(int node) const { return (node == 0 || node == intervals_ ? 0.5 : 1.0) / intervals_; }
  Index row_of_limits(int node) const { return 2 * n * intervals_ + rows * node; }

 public:
  explicit Problem(M& motion)
      : motion_(motion), intervals_(motion.intervals), time_(size * (intervals_ + 1)) {}

  double violation = 0.0;  ///< of the constraint that is violated most, in what was found

  Index variables() const { return time_ + 1; }
  Index constraints() const { return row_of_limits(intervals_ + 1); }

  bool get_nlp_info(Index& columns, Index& m, Index& of_jacobian, Index& of_hessian,
                    IndexStyleEnum& style) override {
    columns = variables();
    m = constraints();
    of_jacobian = 2 * intervals_ * n * (size + 4) + (intervals_ + 1) * rows * n;
    of_hessian = (intervals_ + 1) * (size * (size + 1) / 2 + size);
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index, Number* low, Number* high, Index, Number* g_low, Number* g_high) override {
    bounds(low, motion_.low, motion_.shortest, g_low, motion_.least);
    bounds(high, motion_.high, motion_.longest, g_high, motion_.most);
    return true;
  }

  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    Eigen::Map<Nodes>(x, size, intervals_ + 1) = motion_.nodes;
    x[time_] = motion_.duration;
    return true;
  }

  bool eval_f(Index, const Number* x, bool, Number& cost) override {
    cost = motion_.price_of_time;
    for (int k = 0; k <= intervals_; ++k)
      cost += weight(k) * motion_.price.dot(nodes(x).col(k).template tail<driven>().cwiseAbs2());
    cost *= x[time_];
    return true;
  }

  bool eval_grad_f(Index, const Number* x, bool is_new, Number* gradient) override {
    Eigen::Map<Nodes> by_node(gradient, size, intervals_ + 1);
    by_node.setZero();
    for (int k = 0; k <= intervals_; ++k)
      by_node.col(k).template tail<driven>() = x[time_] * by_torques(nodes(x).col(k), k);
    eval_f(variables(), x, is_new, gradient[time_]);
    gradient[time_] /= x[time_];
    return true;
  }

  /// Of each interval q' - q = h/2 (v + v'), v' - v = h/2 (a + a'); then limits() of all nodes.
  bool eval_g(Index, const Number* x, bool, Index m, Number* g) override {
    std::fill(g, g + m, 0.0);
    for (int k = 0; k <= intervals_; ++k) {
      const Node node = nodes(x).col(k);
      const Accelerations now(motion_.robot, node, false);
      State rate;
      rate << node.template segment<n>(n), now.a;
      for (int side : {-1, 1}) {
        const int interval = side < 0 ? k : k - 1;
        if (interval < 0 || interval == intervals_) continue;
        Eigen::Map<State>(g + 2 * n * interval) +=
            side * node.template head<2 * n>() - 0.5 * x[time_] / intervals_ * rate;
      }
      motion_.robot.limits(node.data(), g + row_of_limits(k));
    }
    return true;
  }

  bool eval_jac_g(Index, const Number* x, bool, Index, Index, Index* at_rows, Index* columns,
                  Number* values) override {
    Index at = 0;
    const auto entry = [&](int row, int column, double value) {
      if (values != nullptr)
        values[at] = value;
      else
        at_rows[at] = row, columns[at] = column;
      ++at;
    };
    const double half = values == nullptr ? 0.0 : 0.5 * x[time_] / intervals_, by_time = 0.5 / intervals_;
    for (int k = 0; k <= intervals_; ++k) {
      const Node node = values == nullptr ? Node::Zero() : Node(nodes(x).col(k));
      const Accelerations now(motion_.robot, node, values != nullptr);
      Matrix<rows, n> C = Matrix<rows, n>::Zero();
      if (values != nullptr) motion_.robot.limit_derivatives(node.data(), C.data());
      for (int side : {-1, 1}) {  // the interval that begins here, and the one that ends here
        const int interval = side < 0 ? k : k - 1, column = size * k;
        if (interval < 0 || interval == intervals_) continue;
        for (int r = 0; r < n; ++r) {
          const int of_q = 2 * n * interval + r, of_v = of_q + n;
          entry(of_q, column + r, side);
          entry(of_q, column + n + r, -half);
          entry(of_q, time_, -by_time * node[n + r]);
          for (int c = 0; c < size; ++c)
            entry(of_v, column + c, (c == n + r ? side : 0.0) - half * now.by_node(r, c));
          entry(of_v, time_, -by_time * now.a[r]);
        }
      }
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < n; ++c) entry(row_of_limits(k) + r, size * k + c, C(r, c));
    }
    return true;
  }

  /// The lower triangle of each node's block, and the row of the duration.
  bool eval_h(Index, const Number* x, bool, Number of_cost, Index, const Number* lambda, bool, Index,
              Index* at_rows, Index* columns, Number* values) override {
    Index at = 0;
    for (int k = 0; k <= intervals_; ++k) {
      Matrix<size + 1, size> H;
      if (values != nullptr) H = curvature(x, k, of_cost, lambda);
      for (int r = 0; r <= size; ++r) {
        for (int c = 0; c <= std::min(r, size - 1); ++c, ++at) {
          if (values == nullptr)
            at_rows[at] = r < size ? size * k + r : time_, columns[at] = size * k + c;
          else
            values[at] = H(r, c);
        }
      }
    }
    return true;
  }

  void finalize_solution(Ipopt::SolverReturn, Index columns, const Number* x, const Number*, const Number*,
                         Index m, const Number*, const Number*, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    motion_.nodes = nodes(x);
    motion_.duration = x[time_];
    Eigen::VectorXd low(columns), high(columns), g(m), g_low(m), g_high(m);
    get_bounds_info(columns, low.data(), high.data(), m, g_low.data(), g_high.data());
    eval_g(columns, x, true, m, g.data());
    violation = std::max((g_low - g).maxCoeff(), (g - g_high).maxCoeff());
  }

 private:
  /// At a node, with derivatives by its q, v and torques where they are wanted.
  struct Accelerations {
    Matrix<n> tau = Matrix<n>::Zero(), a;
    Matrix<n, size> by_node = Matrix<n, size>::Zero();

    Accelerations(const Robot& robot, const Node& node, bool with_derivatives) {
      tau.template tail<driven>() = node.template tail<driven>();
      robot.aba(node.data(), node.data() + n, tau.data(), a.data());
      if (!with_derivatives) return;
      Matrix<n, n> by_q, by_v, by_tau;
      robot.aba_derivatives(node.data(), node.data() + n, tau.data(), by_q.data(), by_v.data(),
                            by_tau.data());
      by_node << by_q, by_v, by_tau.template rightCols<driven>();
    }
  };

  /// The same bounds at all nodes, but of the state at both ends.
  void bounds(Number* x, const Node& of_node, double of_time, Number* g,
              const typename M::Rows& of_limits) const {
    Eigen::Map<Nodes> all(x, size, intervals_ + 1);
    all.colwise() = of_node;
    all.col(0).template head<2 * n>() = motion_.first;
    all.col(intervals_).template head<2 * n>() = motion_.last;
    x[time_] = of_time;
    std::fill(g, g + row_of_limits(0), 0.0);
    for (int k = 0; k <= intervals_; ++k)
      std::copy(of_limits.data(), of_limits.data() + rows, g + row_of_limits(k));
  }

  /// The derivative of the cost at node k, divided by the duration.
  Matrix<driven> by_torques(const Node& node, int k) const {
    return 2.0 * weight(k) * motion_.price.cwiseProduct(node.template tail<driven>());
  }

  /// Second derivatives of the Lagrange function by node k, of which the lower triangle is right; in the last row those
  /// by node and duration.
  Matrix<size + 1, size> curvature(const Number* x, int k, double of_cost, const Number* lambda) const {
    const Node node = nodes(x).col(k);
    const Number *q = node.data(), *v = q + n;
    State w = M::State::Zero();  // of q and of v
    for (int interval : {k - 1, k}) {
      if (interval < 0 || interval == intervals_) continue;
      w -= Eigen::Map<const State>(lambda + 2 * n * interval);
    }
    const Accelerations now(motion_.robot, node, true);
    const Matrix<n> of_a = 0.5 * x[time_] / intervals_ * w.template tail<n>();
    Matrix<2 * n, 2 * n> by_state;
    Matrix<n, n> mixed, of_limits = Matrix<n, n>::Zero();
    motion_.robot.aba_vector_hessian(q, v, now.tau.data(), of_a.data(), by_state.data());
    motion_.robot.minv_vector_derivative(q, of_a.data(), mixed.data());
    motion_.robot.limit_curvature(q, lambda + row_of_limits(k), of_limits.data());
    Matrix<size + 1, size> H = Matrix<size + 1, size>::Zero();
    H.template topLeftCorner<2 * n, 2 * n>() = by_state;
    H.template topLeftCorner<n, n>() += of_limits;
    H.template block<driven, n>(2 * n, 0) = mixed.template bottomRows<driven>();
    H.template block<driven, driven>(2 * n, 2 * n).diagonal() =
        of_cost * x[time_] * 2.0 * weight(k) * motion_.price;
    H.row(size) = 0.5 / intervals_ * w.template tail<n>().transpose() * now.by_node;
    H.row(size).template segment<n>(n) += 0.5 / intervals_ * w.template head<n>().transpose();
    H.row(size).template tail<driven>() += of_cost * by_torques(node, k).transpose();
    return H;
  }
};

struct Outcome {
  bool is_solved = false;
  int iterations = 0;
  double violation = 0.0;  ///< of the constraint that is violated most
};

/// Solves it; its nodes and duration are then those found.
template <class Robot>
Outcome solve(Motion<Robot>& motion) {
  const Ipopt::SmartPtr<Problem<Robot>> problem = new Problem<Robot>(motion);
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> solver = IpoptApplicationFactory();
  solver->Options()->SetIntegerValue("print_level", 0);
  solver->Options()->SetStringValue("sb", "yes");
  solver->Initialize();
  Outcome outcome;
  outcome.is_solved = solver->OptimizeTNLP(problem) == Ipopt::Solve_Succeeded;
  if (Ipopt::IsValid(solver->Statistics())) outcome.iterations = solver->Statistics()->IterationCount();
  outcome.violation = problem->violation;
  return outcome;
}

}  // namespace collocation
