// Inverse dynamics under constraints, without the judge: what makes a solution the least one, forward dynamics under
// what it gives, and derivatives by complex step through the code itself.
#include "constrained_robots.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/complex_step.hpp"
#include "support/dense.hpp"
#include "support/graph_values.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <complex>

namespace property::constrained_inverse {

using namespace featherline;
using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::relative_error;
using test::Values;

namespace {

constexpr const char* inverse = "constrained_inverse_dynamics";

double largest(const MatrixXd& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0; }

VectorXd sizes_of_rows(const model::Constraints& constraints, const VectorXd& active) {
  VectorXd sizes(constraints.num_rows());
  for (int k = 0; k < constraints.count(); ++k) {
    const model::Constraint& constraint = constraints.all[static_cast<std::size_t>(k)];
    for (int r = 0; r < constraint.num_rows(); ++r)
      sizes[constraint.first_row + r] =
          active[k] * (r < constraint.num_linear_rows() ? 1.0 : constraints.length);
  }
  return sizes;
}

/// By coordinate: 1, or 1 / length where it turns.
VectorXd scales_of_torques(const model::Tree& tree) {
  VectorXd scales(tree.nv);
  for (const model::Body& body : tree.bodies) {
    for (int k = 0; k < body.joint.nv; ++k) {
      const bool slides =
          body.joint.row().motions[static_cast<std::size_t>(k)].kind == model::Motion::Kind::slide;
      scales[body.joint.idx_v + k] = slides ? 1.0 : 1.0 / tree.constraints.length;
    }
  }
  return scales;
}

/// Rows of active constraints by coordinates without motor, in units of forces.
MatrixXd scaled_rows(const model::Tree& tree, const reference::State& x, const VectorXd& rows) {
  const MatrixXd J = rows.asDiagonal() * reference::constraint_jacobian(tree, x.q);
  return (J * scales_of_torques(tree).asDiagonal())(Eigen::all, tree.constraints.without_motor);
}

double allowed_in(const model::Tree& tree, const reference::State& x) {
  return 1e-10 * reference::find_outputs(inverse)->allowance(tree, x);
}

/// The state moves as torques of motors make it move. They are gone.
reference::State possible(const model::UserTree& tree, reference::State x) {
  for (const int k : tree.constraints.without_motor) x.tau[k] = 0.0;
  x.a = test::judged("constrained_dynamics", tree, x).at("a");
  return x;
}

}  // namespace

TEST_CASE("torques and forces make the motion; the residual is the least one, and then the forces are") {
  int redundant = 0, impossible = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::constrained_robot(seed);
    reference::State x = test::state_of(tree, seed);
    // Every other robot weighs its constraints.
    for (Index k = 0; k < x.active.size() && seed % 2 == 1; ++k)
      x.active[k] *= 0.6 + 0.7 * static_cast<double>(k % 3);
    const double allowed = allowed_in(tree, x);
    if (allowed > 1e-8 || tree.constraints.without_motor.empty()) continue;
    const VectorXd needed = test::judged("rnea", tree, x).at("tau"), scales = scales_of_torques(tree),
                   rows = sizes_of_rows(tree.constraints, x.active);
    const MatrixXd J = reference::constraint_jacobian(tree, x.q), A = scaled_rows(tree, x, rows);
    for (const Values& found : test::all_ways(inverse, tree, x)) {
      const VectorXd &tau = found.at("tau"), &lambda = found.at("lambda");
      const double terms = std::max(1.0, largest(needed));
      CHECK(largest(tau + J.transpose() * lambda - needed) <= allowed * terms);
      const VectorXd left = tau.cwiseProduct(scales)(tree.constraints.without_motor);
      CHECK(largest(A * left) <= allowed * terms * std::max(1.0, largest(A)));
      const VectorXd unit = (rows.array() == 0.0).select(0.0, lambda.array() / rows.array());
      for (Index r = 0; r < rows.size(); ++r) {
        if (rows[r] == 0.0) CHECK(lambda[r] == 0.0);
      }
      // Its part that changes no torque without motor is zero: any other solution is longer.
      const VectorXd idle = unit - A * test::least_squares(A, unit);
      CHECK(largest(idle) <= 100.0 * allowed * std::max(1.0, largest(unit)));
      if (largest(left) > 1e-3 * terms) ++impossible;
    }
    if (static_cast<double>(A.cols()) < rows.cwiseSign().sum()) ++redundant;
  }
  CHECK(redundant >= 5);
  CHECK(impossible >= 5);
}

TEST_CASE("forward dynamics under the torques of a possible motion gives this motion") {
  int compared = 0;
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::constrained_robot(seed);
    reference::State x = test::state_of(tree, seed);
    if (test::condition_of(tree, x) > 1e6 || allowed_in(tree, x) > 1e-10) continue;
    x = possible(tree, x);
    for (const Values& found : test::all_ways(inverse, tree, x)) {
      reference::State y = x;
      y.tau = found.at("tau");
      const double terms = std::max(1.0, largest(test::judged("rnea", tree, x).at("tau")));
      for (const int k : tree.constraints.without_motor) {
        CHECK(std::abs(y.tau[k]) <= 1e-10 * terms);
        y.tau[k] = 0.0;
      }
      CHECK(relative_error(test::judged("constrained_dynamics", tree, y).at("a"), x.a) <= 1e-10 * terms);
      ++compared;
    }
  }
  CHECK(compared >= 60);
}

namespace {

/// An output of the code, its imaginary part over the step.
VectorXd along(const ir::Kernel& kernel, const model::Tree& tree, const reference::State& x,
               const std::string& input, int coordinate, std::size_t output) {
  constexpr double step = 1e-100;
  const VectorXd unit = VectorXd::Unit(tree.nv, coordinate);
  std::vector<std::vector<Complex>> inputs;
  for (const ir::Buffer& buffer : kernel.inputs) {
    const VectorXd& values = x.*catalog::input_in_states(buffer.name).in_state;
    Eigen::VectorXcd moved = values.cast<Complex>();
    if (buffer.name == input && input == "q")
      moved = test::complex_step(tree, x.q, unit, step);
    else if (buffer.name == input)
      moved[coordinate] += Complex(0.0, step);
    inputs.emplace_back(moved.begin(), moved.end());
  }
  const auto arrays = test::graph_values<Complex, Complex>(kernel, inputs);
  VectorXd rates(static_cast<Index>(arrays[output].size()));
  for (Index k = 0; k < rates.size(); ++k)
    rates[k] = arrays[output][static_cast<std::size_t>(k)].imag() / step;
  return rates;
}

}  // namespace

TEST_CASE("derivatives are those of the code of torques and forces, by complex step") {
  for (std::uint64_t seed = 200; seed < 230; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::constrained_robot(seed);
    reference::State x = test::state_of(tree, seed);
    const double allowed = allowed_in(tree, x);
    if (allowed > 1e-8 || test::condition_of(tree, x) > 1e6) continue;
    if (seed % 2 == 0) x = possible(tree, x);
    const model::CanonicalTree traced = in_chosen_frames(tree, false);
    const catalog::FunctionSpec& spec = *catalog::find(inverse);
    const ir::Kernel kernel = catalog::trace(spec, *test::formulations(spec, traced).front(), traced);
    Values expected;
    for (const char* input : {"q", "v", "a"}) {
      for (const std::size_t output : {0, 1}) {
        MatrixXd D(kernel.outputs[output].size, tree.nv);
        for (int k = 0; k < tree.nv; ++k) D.col(k) = along(kernel, tree, x, input, k, output);
        expected["d" + kernel.outputs[output].name + "_d" + input] = test::flat(D);
      }
    }
    for (const Values& found : test::all_ways(std::string(inverse) + "_derivatives", tree, x)) {
      for (const auto& output : expected) {
        CAPTURE(output.first);
        CHECK(relative_error(found.at(output.first), output.second) <= allowed);
      }
    }
  }
}

}  // namespace property::constrained_inverse
