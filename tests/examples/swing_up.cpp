// The acrobot swings up with a motor at its elbow alone: trapezoidal collocation, solved by IPOPT with exact first and
// second derivatives from aba_derivatives, aba_vector_hessian and minv_vector_derivative.
#include <double_pendulum.hpp>

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

namespace acrobot = double_pendulum;
using Ipopt::Index, Ipopt::Number;

constexpr int nodes = 51, intervals = nodes - 1, size = 5;  // of a node: q (2), v (2), torque of the elbow
constexpr double duration = 4.0, step = duration / intervals;
constexpr double strongest = 20.0, upright = 3.14159265358979323846;

/// Accelerations at a node, and their derivatives, column-major.
struct Node {
  double a[2], by_q[4], by_v[4], by_tau[4];
  explicit Node(const Number* x) {
    const double tau[2] = {0.0, x[4]};
    acrobot::aba(x, x + 2, tau, a);
    acrobot::aba_derivatives(x, x + 2, tau, by_q, by_v, by_tau);
  }
};

/// Constraints of an interval: q' - q = h/2 (v + v'), v' - v = h/2 (a + a').
class SwingUp : public Ipopt::TNLP {
 public:
  double largest_torque = 0.0;

  bool get_nlp_info(Index& n, Index& m, Index& of_jacobian, Index& of_hessian,
                    IndexStyleEnum& style) override {
    n = size * nodes;
    m = 4 * intervals;
    of_jacobian = 28 * intervals;
    of_hessian = 15 * nodes;
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index n, Number* low, Number* high, Index m, Number* g_low, Number* g_high) override {
    for (int i = 0; i < n; ++i) {
      high[i] = i % size == 4 ? strongest : 1e20;
      low[i] = -high[i];
    }
    std::fill(low, low + 4, 0.0);
    std::fill(high, high + 4, 0.0);  // it hangs at rest, and ends upright at rest
    const double end[4] = {upright, 0.0, 0.0, 0.0};
    std::copy(end, end + 4, low + size * intervals);
    std::copy(end, end + 4, high + size * intervals);
    std::fill(g_low, g_low + m, 0.0);
    std::fill(g_high, g_high + m, 0.0);
    return true;
  }

  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    for (int k = 0; k < nodes; ++k) {
      const double first[size] = {upright * k / intervals, 0.0, 0.0, 0.0, 0.0};
      std::copy(first, first + size, x + size * k);
    }
    return true;
  }

  bool eval_f(Index, const Number* x, bool, Number& cost) override {
    cost = 0.0;
    for (int k = 0; k < nodes; ++k) cost += step * x[size * k + 4] * x[size * k + 4];
    return true;
  }

  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override {
    for (int i = 0; i < n; ++i) gradient[i] = i % size == 4 ? 2.0 * step * x[i] : 0.0;
    return true;
  }

  bool eval_g(Index, const Number* x, bool, Index, Number* g) override {
    for (int k = 0; k < intervals; ++k) {
      const Number *now = x + size * k, *next = now + size;
      const Node a(now), b(next);
      for (int r = 0; r < 2; ++r) {
        g[4 * k + r] = next[r] - now[r] - 0.5 * step * (now[2 + r] + next[2 + r]);
        g[4 * k + 2 + r] = next[2 + r] - now[2 + r] - 0.5 * step * (a.a[r] + b.a[r]);
      }
    }
    return true;
  }

  bool eval_jac_g(Index, const Number* x, bool, Index, Index, Index* rows, Index* columns,
                  Number* values) override {
    int at = 0;
    const auto entry = [&](int row, int column, double value) {
      if (values != nullptr)
        values[at] = value;
      else
        rows[at] = row, columns[at] = column;
      ++at;
    };
    const double nothing[size] = {};
    for (int k = 0; k < nodes; ++k) {
      const Node node(values != nullptr ? x + size * k : nothing);
      for (int side = -1; side <= 1;
           side += 2) {  // the interval that begins here, and the one that ends here
        const int interval = side < 0 ? k : k - 1, column = size * k;
        if (interval < 0 || interval == intervals) continue;
        for (int r = 0; r < 2; ++r) {
          const int of_q = 4 * interval + r, of_v = of_q + 2;
          entry(of_q, column + r, side);
          entry(of_q, column + 2 + r, -0.5 * step);
          for (int c = 0; c < 2; ++c) {
            entry(of_v, column + c, -0.5 * step * node.by_q[r + 2 * c]);
            entry(of_v, column + 2 + c, (r == c ? side : 0.0) - 0.5 * step * node.by_v[r + 2 * c]);
          }
          entry(of_v, column + 4, -0.5 * step * node.by_tau[r + 2]);
        }
      }
    }
    return true;
  }

  /// The lower triangle of each node's block: accelerations with the weights of the intervals beside it.
  bool eval_h(Index, const Number* x, bool, Number of_cost, Index, const Number* lambda, bool, Index,
              Index* rows, Index* columns, Number* values) override {
    for (int k = 0, at = 0; k < nodes; ++k) {
      double H[16] = {}, D[4] = {};
      if (values != nullptr) {
        double w[2] = {};
        for (int r = 0; r < 2; ++r) {
          if (k > 0) w[r] -= 0.5 * step * lambda[4 * (k - 1) + 2 + r];
          if (k < intervals) w[r] -= 0.5 * step * lambda[4 * k + 2 + r];
        }
        const Number* node = x + size * k;
        const double tau[2] = {0.0, node[4]};
        acrobot::aba_vector_hessian(node, node + 2, tau, w, H);
        acrobot::minv_vector_derivative(node, w, D);
      }
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c <= r; ++c, ++at) {
          if (values == nullptr)
            rows[at] = size * k + r, columns[at] = size * k + c;
          else if (r < 4)
            values[at] = H[r + 4 * c];
          else
            values[at] = c < 2 ? D[1 + 2 * c] : c == 4 ? 2.0 * step * of_cost : 0.0;
        }
      }
    }
    return true;
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*, const Number*, Index,
                         const Number*, const Number*, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    for (int i = 4; i < n; i += size) largest_torque = std::max(largest_torque, std::abs(x[i]));
  }
};

}  // namespace

int main() {
  const Ipopt::SmartPtr<SwingUp> problem = new SwingUp;
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> solver = IpoptApplicationFactory();
  solver->Options()->SetIntegerValue("print_level", 0);
  solver->Options()->SetStringValue("sb", "yes");
  solver->Initialize();
  const Ipopt::ApplicationReturnStatus status = solver->OptimizeTNLP(problem);
  const int iterations = Ipopt::IsValid(solver->Statistics()) ? solver->Statistics()->IterationCount() : -1;
  std::printf("%s after %d iterations, largest torque %.2f N m\n",
              status == Ipopt::Solve_Succeeded ? "swings up" : "no solution", iterations,
              problem->largest_torque);
  return status == Ipopt::Solve_Succeeded && problem->largest_torque <= strongest ? 0 : 1;
}
