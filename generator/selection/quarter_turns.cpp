#include "selection/quarter_turns.hpp"

#include "reference/error.hpp"
#include "reference/outputs.hpp"
#include "reference/solver.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace featherline {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using reference::State;
using Number = reference::HyperDual<double>;
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

/// Whether all pivots of M = L D L^T are larger than rounding.
bool has_inverse(MatrixXd M) {
  constexpr double vanishing = 1e-12;
  const VectorXd diagonal = M.diagonal();
  for (Eigen::Index k = M.rows(); k-- > 0;) {
    if (!(M(k, k) > vanishing * diagonal[k])) return false;
    const VectorXd l = M.row(k).head(k).transpose() / M(k, k);
    M.topLeftCorner(k, k) -= M(k, k) * l * l.transpose();
  }
  return true;
}

/// The results of a tree at a probe, array by array.
class Results {
 public:
  Results(const model::Tree& tree, const Probe& probe, bool forward) : tree_(tree), probe_(probe) {
    add_poses();
    add_values(forward);
    reference::Solver<Number> solver(tree);
    const Vector a = probe.state.a.cast<Number>(), tau = probe.state.tau.cast<Number>();
    add_derivatives([&](const Vector& q, const Vector& v) { return solver.rnea(q, v, a); });
    if (forward) add_derivatives([&](const Vector& q, const Vector& v) { return solver.aba(q, v, tau); });
  }

  double deviation_from(const Results& other) const {
    double worst = 0.0;
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
      const VectorXd &x = arrays_[k], &y = other.arrays_[k];
      worst = std::max(worst, reference::array_error(x, y).relative);
    }
    return worst;
  }

 private:
  void add_poses() {
    const std::vector<reference::Pose<double>> bodies =
        reference::Solver<double>(tree_).body_poses(probe_.state.q);
    VectorXd positions(3 * static_cast<Eigen::Index>(tree_.links.size()));
    MatrixXd rotations(9, static_cast<Eigen::Index>(tree_.links.size()));
    for (std::size_t i = 0; i < tree_.links.size(); ++i) {
      const model::Link& link = tree_.links[i];
      const auto body =
          link.body < 0 ? reference::Pose<double>{} : bodies[static_cast<std::size_t>(link.body)];
      const auto k = static_cast<Eigen::Index>(i);
      positions.segment<3>(3 * k) = body.R * link.placement.p + body.p;
      rotations.col(k) = (body.R * link.placement.R).eval().reshaped();
    }
    arrays_.push_back(positions);
    arrays_.emplace_back(rotations.reshaped());
  }

  void add_values(bool forward) {
    const State& x = probe_.state;
    reference::Solver<double> solver(tree_);
    const VectorXd gravity = solver.gravity(x.q), bias = solver.bias(x.q, x.v);
    arrays_.insert(arrays_.end(), {gravity, bias, bias - gravity, solver.rnea(x.q, x.v, x.a)});
    arrays_.emplace_back(solver.crba(x.q).reshaped());
    if (!forward) return;
    arrays_.push_back(solver.aba(x.q, x.v, x.tau));
    arrays_.emplace_back(solver.minv(x.q).reshaped());
  }

  /// Adds first and second derivatives of f(q, v) along the two directions.
  template <class F>
  void add_derivatives(const F& f) {
    const Vector first = probe_.first.cast<Number>() * Number::e1(),
                 second = probe_.second.cast<Number>() * Number::e2();
    const Vector q = probe_.state.q.cast<Number>(), v = probe_.state.v.cast<Number>();
    const Vector q_first = reference::integrate<Number>(tree_, q, first);
    add_parts(f(reference::integrate<Number>(tree_, q_first, second), v));
    add_parts(f(q, v + first + second));
    add_parts(f(q_first, v + second));
  }

  void add_parts(const Vector& x) {
    for (double Number::*which : {&Number::d1, &Number::d2, &Number::d12})
      arrays_.emplace_back(part(x, which));
  }

  const model::Tree& tree_;
  const Probe& probe_;
  std::vector<VectorXd> arrays_;
};

}  // namespace

bool may_be_exact(const model::UserTree& snapped, const model::UserTree& as_written) {
  const int nv = as_written.nv;
  if (nv == 0) return true;
  if (nv > most_degrees_of_freedom) return false;
  const int states = std::clamp(600 / nv, 4, 32);
  std::mt19937 random(1);
  for (int k = 0; k < states; ++k) {
    const Probe probe = random_probe(as_written, random);
    const bool forward = has_inverse(reference::Solver<double>(as_written).crba(probe.state.q));
    const auto in_state = [&](const model::Tree& tree) {
      return model::with_values(tree, probe.state.fext, probe.state.p);
    };
    const model::Tree exact = in_state(snapped), decimal = in_state(as_written);
    if (!(Results(exact, probe, forward).deviation_from({decimal, probe, forward}) <= allowed_deviation))
      return false;
  }
  return true;
}

bool may_snap_quarter_turns(const Robot& robot) {
  return robot.snapped && may_be_exact(*robot.snapped, robot.tree);
}

}  // namespace featherline
