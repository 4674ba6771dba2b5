// Derivatives of the reference dynamics on random trees of all joint types: against differences, and against the
// identities that tie them together.
#include "support/derivatives.hpp"

#include "reference/solver.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

namespace derivatives_test {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using reference::integrate;
using test::relative_error;
using test::Tensor;

namespace {

// Central differences of O(h^2) truncation and 1e-16 / h cancellation: a check of conventions, not of digits.
constexpr double h = 1e-5;
constexpr double difference_tolerance = 1e-6;

template <class Check>
void on_random_trees(Check check) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    model::UserTree tree = test::random_tree(seed, {.joints = 5, .mimic = seed % 2 == 0 ? 0.3 : 0.0},
                                             {.floating_base = seed % 3 == 0});
    for (model::Body& body : tree.bodies)
      body.joint.damping = body.joint.friction = body.joint.armature = 0.1;
    for (model::Body& body : tree.bodies) body.joint.stiffness = body.joint.row().moves_on_axes() ? 5.0 : 0.0;
    test::add_pose_springs(tree, seed);
    check(tree, test::random_state(tree, seed, 3.0, 5.0, 10.0));
  }
}

/// (f(+h) - f(-h)) / 2h
template <class Function>
auto difference(Function f) {
  return ((f(h) - f(-h)) / (2.0 * h)).eval();
}

VectorXd unit(const model::Tree& tree, int j, double length) { return length * VectorXd::Unit(tree.nv, j); }

/// T(:, :, k)
MatrixXd slice(const Tensor& T, int k) { return T.middleCols(T.rows() * k, T.rows()); }

}  // namespace

TEST_CASE("first derivatives against central differences") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    reference::Solver<double> solver(tree);
    const auto rnea = test::rnea_derivatives(tree, s.q, s.v, s.a);
    const auto aba = test::aba_derivatives(tree, s.q, s.v, s.tau);
    MatrixXd tau_q(tree.nv, tree.nv), tau_v(tree.nv, tree.nv), a_q(tree.nv, tree.nv), a_v(tree.nv, tree.nv);
    for (int j = 0; j < tree.nv; ++j) {
      const auto q = [&](double e) { return integrate(tree, s.q, unit(tree, j, e)); };
      const auto v = [&](double e) { return VectorXd(s.v + unit(tree, j, e)); };
      tau_q.col(j) = difference([&](double e) { return solver.rnea(q(e), s.v, s.a); });
      tau_v.col(j) = difference([&](double e) { return solver.rnea(s.q, v(e), s.a); });
      a_q.col(j) = difference([&](double e) { return solver.aba(q(e), s.v, s.tau); });
      a_v.col(j) = difference([&](double e) { return solver.aba(s.q, v(e), s.tau); });
    }
    CHECK(relative_error(rnea.dtau_dq, tau_q) <= difference_tolerance);
    CHECK(relative_error(rnea.dtau_dv, tau_v) <= difference_tolerance);
    CHECK(relative_error(aba.da_dq, a_q) <= difference_tolerance);
    CHECK(relative_error(aba.da_dv, a_v) <= difference_tolerance);
  });
}

TEST_CASE("the derivatives of forward dynamics are -M^-1 times those of inverse dynamics") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    reference::Solver<double> solver(tree);
    const VectorXd a = solver.aba(s.q, s.v, s.tau);
    const auto rnea = test::rnea_derivatives(tree, s.q, s.v, a);
    const auto aba = test::aba_derivatives(tree, s.q, s.v, s.tau);
    const MatrixXd M = solver.crba(s.q);
    CHECK(relative_error(M * aba.da_dq, -rnea.dtau_dq) <= 1e-11);
    CHECK(relative_error(M * aba.da_dv, -rnea.dtau_dv) <= 1e-11);
    CHECK(relative_error(M * aba.da_dtau, MatrixXd::Identity(tree.nv, tree.nv)) <= 1e-11);
  });
}

TEST_CASE("second derivatives of inverse dynamics against differences of the first") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    const auto d2 = test::rnea_second_derivatives(tree, s.q, s.v, s.a);
    reference::Solver<double> solver(tree);
    for (int k = 0; k < tree.nv; ++k) {
      const auto at_q = [&](double e) {
        return test::rnea_derivatives(tree, integrate(tree, s.q, unit(tree, k, e)), s.v, s.a);
      };
      const auto at_v = [&](double e) {
        return test::rnea_derivatives(tree, s.q, s.v + unit(tree, k, e), s.a);
      };
      const auto M = [&](double e) { return solver.crba(integrate(tree, s.q, unit(tree, k, e))); };
      CHECK(relative_error(slice(d2.d2tau_dqdq, k), difference([&](double e) { return at_q(e).dtau_dq; })) <=
            difference_tolerance);
      CHECK(relative_error(slice(d2.d2tau_dqdv, k), difference([&](double e) { return at_v(e).dtau_dq; })) <=
            difference_tolerance);
      CHECK(relative_error(slice(d2.d2tau_dvdv, k), difference([&](double e) { return at_v(e).dtau_dv; })) <=
            difference_tolerance);
      CHECK(relative_error(slice(d2.dM_dq, k), difference(M)) <= difference_tolerance);
    }
  });
}

TEST_CASE("second derivatives of forward dynamics against differences of the first") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    const auto d2 = test::aba_second_derivatives(tree, s.q, s.v, s.tau);
    for (int k = 0; k < tree.nv; ++k) {
      const auto at_q = [&](double e) {
        return test::aba_derivatives(tree, integrate(tree, s.q, unit(tree, k, e)), s.v, s.tau);
      };
      const auto at_v = [&](double e) {
        return test::aba_derivatives(tree, s.q, s.v + unit(tree, k, e), s.tau);
      };
      const auto at_tau = [&](double e) {
        return test::aba_derivatives(tree, s.q, s.v, s.tau + unit(tree, k, e));
      };
      CHECK(relative_error(slice(d2.d2a_dqdq, k), difference([&](double e) { return at_q(e).da_dq; })) <=
            difference_tolerance);
      CHECK(relative_error(slice(d2.d2a_dqdv, k), difference([&](double e) { return at_v(e).da_dq; })) <=
            difference_tolerance);
      CHECK(relative_error(slice(d2.d2a_dvdv, k), difference([&](double e) { return at_v(e).da_dv; })) <=
            difference_tolerance);
      CHECK(relative_error(slice(d2.d2a_dqdtau, k), difference([&](double e) { return at_tau(e).da_dq; })) <=
            difference_tolerance);
    }
  });
}

TEST_CASE("identities of the tensors, to rounding") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    const auto d2 = test::rnea_second_derivatives(tree, s.q, s.v, s.a);
    const auto at_a = test::rnea_derivatives(tree, s.q, s.v, s.a);
    const auto at_rest = test::rnea_derivatives(tree, s.q, s.v, VectorXd::Zero(tree.nv));
    for (int k = 0; k < tree.nv; ++k) {
      CHECK(relative_error(slice(d2.dM_dq, k), slice(d2.dM_dq, k).transpose()) <= 1e-13);
      // tau is linear in a
      CHECK(relative_error(slice(d2.dM_dq, k) * s.a, at_a.dtau_dq.col(k) - at_rest.dtau_dq.col(k)) <= 1e-12);
      for (int j = 0; j < tree.nv; ++j) {
        const VectorXd jk = slice(d2.d2tau_dvdv, k).col(j), kj = slice(d2.d2tau_dvdv, j).col(k);
        for (int i = 0; i < tree.nv; ++i) REQUIRE(jk[i] == doctest::Approx(kj[i]).epsilon(1e-12));
      }
    }
  });
}

// Left-invariant fields do not commute: D_k D_j - D_j D_k = D_[k,j], and [x, y] = z for rotations.
TEST_CASE("inside a spherical joint the second Lie derivatives differ by the bracket") {
  int checked = 0;
  on_random_trees([&](const model::Tree& tree, const test::State& s) {
    const auto d2 = test::rnea_second_derivatives(tree, s.q, s.v, s.a);
    const MatrixXd dtau_dq = test::rnea_derivatives(tree, s.q, s.v, s.a).dtau_dq;
    for (const model::Body& body : tree.bodies) {
      const bool spherical = body.joint.type == model::JointType::spherical;
      if (!spherical && body.joint.type != model::JointType::floating) continue;
      const int x = body.joint.idx_v + (spherical ? 0 : 3);
      const VectorXd bracket = slice(d2.d2tau_dqdq, x).col(x + 1) - slice(d2.d2tau_dqdq, x + 1).col(x);
      CHECK(relative_error(bracket, dtau_dq.col(x + 2)) <= 1e-12);
      ++checked;
    }
  });
  CHECK(checked >= 4);
}

}  // namespace derivatives_test
