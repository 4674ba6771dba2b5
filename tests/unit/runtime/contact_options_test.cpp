// What callers of the contact solver choose: the tolerance, and how many rounds it may take.
#include <doctest/doctest.h>

#include <featherline/contact_solver.hpp>

#include <Eigen/Dense>

#include <cmath>

namespace featherline::contact_options {
namespace {

struct Answer {
  ContactStatus<4, double> status;
  Eigen::Matrix<double, 12, 1> lambda;
};

/// A free box on four points in a plane, which falls, slides and turns.
Answer solved(const ContactOptions<double>& options) {
  Eigen::Matrix<double, 12, 6> J;
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector3d r(i % 2 == 0 ? 0.23 : -0.17, i < 2 ? 0.11 : -0.13, -0.2);
    J.block<3, 3>(3 * i, 0) << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(), 0.0;
    J.block<3, 3>(3 * i, 3).setIdentity();
  }
  Eigen::Matrix<double, 6, 1> inverse, v;
  inverse << 1 / 0.08, 1 / 0.09, 1 / 0.12, 0.5, 0.5, 0.5;
  v << 0.3, -0.7, 1.1, 0.4, 0.2, -0.9;
  const Eigen::Matrix<double, 12, 12> D = J * inverse.asDiagonal() * J.transpose();
  const Eigen::Matrix<double, 12, 1> b = J * v;
  ContactSolver<4, double> solver;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) solver.problem.matrix[i][j] = D(i, j);
    solver.problem.b[i] = b[i];
  }
  for (double& mu : solver.problem.mu) mu = 0.6;
  Answer answer;
  solver.solve(options, answer.lambda.data(), answer.status);
  return answer;
}

}  // namespace

TEST_CASE("a tolerance is kept to, and a larger one does not take longer") {
  int least = 0;
  for (const double tolerance : {1e-2, 1e-8, 1e-11}) {
    ContactOptions<double> options;
    options.tolerance = tolerance;
    const Answer answer = solved(options);
    CHECK(answer.status.verdict == ContactVerdict::solved);
    CHECK(answer.status.residual <= tolerance);
    CHECK(answer.status.iterations >= least);
    least = answer.status.iterations;
  }
}

TEST_CASE("rounds end at their bound, with the best impulses, where the tolerance cannot be reached") {
  int least = 0;
  for (const int rounds : {0, 1, 3}) {
    ContactOptions<double> options;
    options.tolerance = 0.0;
    options.most_rounds = rounds;
    const Answer answer = solved(options);
    CHECK(answer.status.verdict == ContactVerdict::exhausted);
    CHECK(answer.status.residual < 1e-10);
    CHECK(answer.lambda.allFinite());
    CHECK(answer.status.iterations > least);
    least = answer.status.iterations;
  }
}

}  // namespace featherline::contact_options
