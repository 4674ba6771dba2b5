#include "selection/quarter_turns.hpp"

#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "selection/function_plan.hpp"

#include <algorithm>
#include <vector>

namespace featherline {
namespace {

using Eigen::VectorXd;
using reference::Number;
using reference::State;
using Vector = reference::VectorX<Number>;

/// For larger robots one state takes seconds. Such robots are emitted in loops, which gain nothing from zeros.
constexpr int most_degrees_of_freedom = 300;

/// A state and two directions for derivatives.
struct Probe {
  State state;
  VectorXd first, second;
};

Probe random_probe(const model::Tree& tree, std::mt19937& random) {
  const auto direction = [&] { return reference::uniform_vector(tree.nv, 1.0, random); };
  const reference::State state = reference::random_state(tree, random);
  const VectorXd first = direction();
  return {state, first, direction()};
}

/// Adds first and second derivatives of f(q, v) along the two directions.
template <class F>
void add_derivatives(const model::Tree& tree, const Probe& probe, const F& f, std::vector<VectorXd>& arrays) {
  const Vector first = reference::lifted(probe.first, Number::e1()),
               second = reference::lifted(probe.second, Number::e2());
  const Vector q = probe.state.q.cast<Number>(), v = probe.state.v.cast<Number>();
  const Vector q_first = reference::integrate<Number>(tree, q, first);
  for (const Vector& x : {f(reference::integrate<Number>(tree, q_first, second), v), f(q, v + first + second),
                          f(q_first, v + second)}) {
    for (double Number::*which : {&Number::d1, &Number::d2, &Number::d12})
      arrays.emplace_back(part(x, which));
  }
}

/// The results of a tree at a probe, array by array.
std::vector<VectorXd> results(const model::Tree& tree, const Probe& probe, bool forward) {
  const State& x = probe.state;
  reference::Solver<double> solver(tree);
  reference::Solver<Number> differentiated(tree);
  std::vector<VectorXd> arrays;
  for (const reference::OutputArray& array : reference::find_outputs("link_poses")->compute(tree, x))
    arrays.emplace_back(VectorXd::Map(array.values.data(), std::ssize(array.values)));
  const VectorXd gravity = solver.gravity(x.q), bias = solver.bias(x.q, x.v);
  arrays.insert(arrays.end(), {gravity, bias, bias - gravity, solver.rnea(x.q, x.v, x.a)});
  arrays.emplace_back(solver.crba(x.q).reshaped());
  const Vector a = x.a.cast<Number>(), tau = x.tau.cast<Number>();
  const auto rnea = [&](const Vector& q, const Vector& v) { return differentiated.rnea(q, v, a); };
  add_derivatives(tree, probe, rnea, arrays);
  if (!forward) return arrays;
  arrays.push_back(solver.aba(x.q, x.v, x.tau));
  arrays.emplace_back(solver.minv(x.q).reshaped());
  const auto aba = [&](const Vector& q, const Vector& v) { return differentiated.aba(q, v, tau); };
  add_derivatives(tree, probe, aba, arrays);
  return arrays;
}

}  // namespace

bool may_be_exact(const model::UserTree& snapped, const model::UserTree& as_written) {
  const int nv = as_written.nv;
  if (nv == 0) return true;
  if (nv > most_degrees_of_freedom) return false;
  const int states = std::clamp(600 / nv, 4, 32);
  std::mt19937 random(1);
  for (int k = 0; k < states; ++k) {
    const Probe probe = random_probe(as_written, random);
    const Eigen::MatrixXd M = reference::Solver<double>(as_written).crba(probe.state.q);
    const std::vector<bool> vanishes = vanishing_pivots(M, vanishing_pivot);
    const bool forward = std::ranges::count(vanishes, true) == 0;
    const auto in_state = [&](const model::Tree& tree) {
      return model::with_values(tree, probe.state.fext, probe.state.p);
    };
    const std::vector<VectorXd> exact = results(in_state(snapped), probe, forward),
                                decimal = results(in_state(as_written), probe, forward);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (!(reference::array_error(exact[i], decimal[i]).relative <= allowed_deviation)) return false;
    }
  }
  return true;
}

bool may_snap_quarter_turns(const Robot& robot) {
  return robot.snapped && may_be_exact(*robot.snapped, robot.tree);
}

}  // namespace featherline
