#include <doctest/doctest.h>

#include <featherline/contact_solver.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace featherline::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Points on bodies: u = J v, D = J M^-1 J^T, b = J v_free.
struct Scene {
  Matrix D;
  Vector b, mu;
};

std::mt19937 random_engine(7);

double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_engine); }

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns) {
  return Matrix::NullaryExpr(rows, columns, [] { return uniform(-1.0, 1.0); });
}

/// Points on one robot with as many coordinates: redundant where 3 N is larger.
Scene random_scene(int num_points, int nv, double friction) {
  const Matrix J = random_matrix(3 * num_points, nv), L = random_matrix(nv, nv);
  const Matrix M = L * L.transpose() + 0.3 * Matrix::Identity(nv, nv);
  return {J * M.inverse() * J.transpose(), J * random_matrix(nv, 1), Vector::Constant(num_points, friction)};
}

/// A free box with points in a plane below it.
Scene box(const std::vector<Eigen::Vector2d>& points, const Eigen::Matrix<double, 6, 1>& v, double friction) {
  const Eigen::Index n = static_cast<Eigen::Index>(points.size());
  Matrix J = Matrix::Zero(3 * n, 6);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Vector2d& point = points[static_cast<std::size_t>(i)];
    const Eigen::Vector3d r(point.x(), point.y(), -0.2);
    J.block<3, 3>(3 * i, 0) << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(), 0.0;
    J.block<3, 3>(3 * i, 3).setIdentity();
  }
  Eigen::Matrix<double, 6, 1> inverse;
  inverse << 1 / 0.08, 1 / 0.09, 1 / 0.12, 0.5, 0.5, 0.5;
  return {J * inverse.asDiagonal() * J.transpose(), J * v, Vector::Constant(n, friction)};
}

/// The box, turned somehow, with another plane and another friction at each corner.
Scene box_in_wedge() {
  const Eigen::Matrix<double, 6, 1> v = std::pow(10.0, uniform(-2.0, 1.0)) * random_matrix(6, 1);
  Scene scene = box({{0.2, 0.1}, {-0.2, 0.1}, {0.2, -0.1}, {-0.2, -0.1}}, v, 0.0);
  const Eigen::Quaterniond turn = Eigen::Quaterniond(Eigen::Vector4d(random_matrix(4, 1))).normalized();
  Matrix axes = Matrix::Zero(12, 12);
  for (Eigen::Index i = 0; i < 4; ++i) {
    const Eigen::Vector3d n =
        turn * Eigen::Vector3d(uniform(-0.5, 0.5), uniform(-0.5, 0.5), 1.0).normalized();
    const Eigen::Vector3d t = n.unitOrthogonal();
    axes.block<3, 3>(3 * i, 3 * i) << t, n.cross(t), n;
    scene.mu[i] = uniform(0.0, 1.2);
  }
  return {axes.transpose() * scene.D * axes, axes.transpose() * scene.b, scene.mu};
}

template <int N, class S>
void set(ContactSolver<N, S>& solver, const Scene& scene) {
  for (int i = 0; i < 3 * N; ++i) {
    for (int j = 0; j < 3 * N; ++j) solver.problem.matrix[i][j] = static_cast<S>(scene.D(i, j));
    solver.problem.b[i] = static_cast<S>(scene.b[i]);
  }
  for (int i = 0; i < N; ++i) solver.problem.mu[i] = static_cast<S>(scene.mu[i]);
}

/// The conditions as the literature has them, one by one, not as the solver measures them: the worst, relative.
double broken_conditions(const Scene& scene, const Vector& lambda) {
  const Vector u = scene.D * lambda + scene.b;
  const double speed = scene.b.lpNorm<Eigen::Infinity>(), impulse = speed / scene.D.diagonal().maxCoeff();
  const double force = std::max(lambda.lpNorm<Eigen::Infinity>(), impulse);
  double worst = 0.0;
  for (Eigen::Index i = 0; i < scene.mu.size(); ++i) {
    const Eigen::Vector2d l = lambda.segment<2>(3 * i), slip = u.segment<2>(3 * i);
    const double l_N = lambda[3 * i + 2], u_N = u[3 * i + 2], most = scene.mu[i] * l_N;
    worst = std::max({worst, -l_N / force, -u_N / speed, std::abs(l_N * u_N) / (force * speed),
                      (l.norm() - most) / force, (l * slip.norm() + most * slip).norm() / (force * speed)});
  }
  return worst;
}

struct Result {
  Vector lambda;
  bool is_solved, is_unique;
  int iterations;
  double worst;
};

template <int N>
Result solved(const Scene& scene, const Vector* start = nullptr) {
  ContactSolver<N, double> solver;
  set(solver, scene);
  ContactOptions<double> options;
  options.warm_start = start != nullptr;
  Vector lambda = start != nullptr ? *start : Vector::Zero(3 * N);
  ContactStatus<N, double> status;
  solver.solve(options, lambda.data(), status);
  return {lambda, status.verdict == ContactVerdict::solved, status.is_unique, status.iterations,
          broken_conditions(scene, lambda)};
}

template <int N>
int num_solved(int tries, int nv, double friction) {
  int count = 0;
  for (int k = 0; k < tries; ++k) {
    const Scene scene = random_scene(N, nv, friction);
    const Result result = solved<N>(scene);
    if (result.is_solved) CHECK(result.worst < 1e-7);
    count += result.is_solved ? 1 : 0;
  }
  return count;
}

TEST_CASE("independent points are solved, with and without friction") {
  for (const double friction : {0.0, 0.3, 0.8, 1.5}) {
    CAPTURE(friction);
    CHECK(num_solved<1>(300, 7, friction) == 300);
    CHECK(num_solved<2>(300, 8, friction) == 300);
    CHECK(num_solved<4>(300, 18, friction) == 300);
  }
}

TEST_CASE("a point that slides, by its closed form") {
  // A block of mass 2 on a floor, pushed down at 1 m/s and sideways at 3 m/s: it slips on at 3 - 0.5 along (0.6, 0.8).
  Scene scene{Matrix::Identity(3, 3) * 0.5, Vector(3), Vector::Constant(1, 0.5)};
  scene.b << 1.8, 2.4, -1.0;
  const Result result = solved<1>(scene);
  CHECK((scene.D * result.lambda + scene.b - Vector(Eigen::Vector3d(1.5, 2.0, 0.0))).norm() < 1e-12);
  scene.mu[0] = 3.1;
  CHECK((scene.D * solved<1>(scene).lambda + scene.b).norm() < 1e-12);
  scene.b[2] = 1.0;
  CHECK(solved<1>(scene).lambda.norm() == 0.0);
}

TEST_CASE("redundant points of a box are solved") {
  const std::vector<Eigen::Vector2d> corners = {{0.3, 0.2}, {-0.3, 0.2}, {0.3, -0.2}, {-0.3, -0.2}};
  int count = 0;
  for (int k = 0; k < 400; ++k) {
    Eigen::Matrix<double, 6, 1> v = random_matrix(6, 1);
    v[5] -= 1.0;
    const Scene scene = box(corners, v, uniform(0.1, 1.0));
    const Result result = solved<4>(scene);
    if (result.is_solved) CHECK(result.worst < 1e-7);
    CHECK_FALSE((result.is_unique && result.lambda.norm() > 0.0));
    count += result.is_solved ? 1 : 0;
  }
  CHECK(count == 400);
}

TEST_CASE("a box in a wedge of four planes is solved, if need be from other starts") {
  random_engine.seed(3);
  int unsolved = 0;
  for (int k = 0; k < 20000; ++k) {
    const Result result = solved<4>(box_in_wedge());
    unsolved += result.is_solved && result.worst < 1e-6 ? 0 : 1;
  }
  CHECK(unsolved == 0);
}

TEST_CASE("feet with four points each are solved, in random directions, too") {
  CHECK(num_solved<8>(200, 12, 0.7) >= 199);
}

/// How far impulses and speeds of joints are from what limits and friction are by definition.
double broken_joints(const Vector& lambda, const Vector& u,
                     const std::vector<detail::JointBounds<double>>& joints, const Vector& d) {
  constexpr double near = 1e-6, endless = 1e30;
  double worst = 0.0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto& [low, high, most] = joints[j];
    const double x = lambda[static_cast<Eigen::Index>(j)], speed = u[static_cast<Eigen::Index>(j)];
    const auto beyond = [&](double least, double largest) { return std::max({0.0, least - x, x - largest}); };
    // Friction is against the speed, and anything up to its most where there is none. A limit only pushes back.
    double off = speed > 0.0 ? beyond(-most, -most) : beyond(most, most);
    if (std::abs(speed) < near) off = std::min(off, beyond(-most, most));
    if (std::abs(speed - low) < near) off = std::min(off, beyond(speed > near ? -most : most, endless));
    if (std::abs(speed - high) < near) off = std::min(off, beyond(-endless, speed < -near ? most : -most));
    worst = std::max({worst, low - speed, speed - high, off * d[static_cast<Eigen::Index>(j)]});
  }
  return worst;
}

TEST_CASE("joints with limits and friction are solved beside points") {
  constexpr int N = 4, K = 12, n = 3 * N + K;
  int count = 0, at_limits = 0, stuck = 0;
  for (int k = 0; k < 300; ++k) {
    const int nv = 18;
    Matrix J(n, nv);
    J << random_matrix(3 * N, nv), Matrix::Zero(K, nv - K), Matrix::Identity(K, K);
    const Matrix L = random_matrix(nv, nv), M = L * L.transpose() + 0.3 * Matrix::Identity(nv, nv);
    const Matrix D = J * M.inverse() * J.transpose();
    const Vector b = J * random_matrix(nv, 1);
    ContactSolver<N, double, K> solver;
    std::vector<detail::JointBounds<double>> joints;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) solver.problem.matrix[i][j] = D(i, j);
      solver.problem.b[i] = b[i];
    }
    for (double& mu : solver.problem.mu) mu = 0.7;
    for (int j = 0; j < K; ++j) {
      // Some have no limits, some no friction, and some are beyond a limit.
      const double low = j % 4 == 0 ? -1e30 : uniform(-0.5, 0.1),
                   high = j % 4 == 0 ? 1e30 : low + uniform(0.0, 1.0);
      joints.push_back({low, high, j % 3 == 0 ? 0.0 : uniform(0.0, 0.3)});
      solver.problem.joint[j] = joints.back();
    }
    Vector lambda = Vector::Zero(n);
    ContactStatus<N, double> status;
    solver.solve({}, lambda.data(), status);
    if (status.verdict != ContactVerdict::solved) continue;
    ++count;
    const Vector u = D * lambda + b;
    CHECK(broken_conditions(
              {D.topLeftCorner(3 * N, 3 * N),
               u.head(3 * N) - D.topLeftCorner(3 * N, 3 * N) * lambda.head(3 * N), Vector::Constant(N, 0.7)},
              lambda.head(3 * N)) < 1e-7);
    CHECK(broken_joints(lambda.tail(K), u.tail(K), joints, D.diagonal().tail(K)) < 1e-7);
    for (int j = 0; j < K; ++j) {
      at_limits += std::abs(lambda[3 * N + j]) > joints[static_cast<std::size_t>(j)].most + 1e-9 ? 1 : 0;
      stuck += std::abs(u[3 * N + j]) < 1e-9 ? 1 : 0;
    }
  }
  CHECK(count == 300);
  CHECK(at_limits > 100);
  CHECK(stuck > 30);
}

TEST_CASE("heavy stacks are solved or said not to be") {
  for (const double ratio : {1e2, 1e4}) {
    int count = 0;
    for (int k = 0; k < 200; ++k) {
      // A small box between the ground and a heavy one: four points below, four above.
      Matrix J = Matrix::Zero(24, 12);
      for (int i = 0; i < 8; ++i) {
        const Eigen::Vector3d r((i & 1) != 0 ? 0.3 : -0.3, (i & 2) != 0 ? 0.2 : -0.2, i < 4 ? -0.2 : 0.2);
        const auto place = [&](int body, const Eigen::Vector3d& p, double sign) {
          J.block<3, 3>(3 * i, 6 * body) << 0.0, p.z(), -p.y(), -p.z(), 0.0, p.x(), p.y(), -p.x(), 0.0;
          J.block<3, 3>(3 * i, 6 * body) *= sign;
          J.block<3, 3>(3 * i, 6 * body + 3) = sign * Eigen::Matrix3d::Identity();
        };
        place(0, r, i < 4 ? 1.0 : -1.0);
        if (i >= 4) place(1, {r.x(), r.y(), -0.2}, 1.0);
      }
      Vector inverse(12);
      inverse << 12.0, 11.0, 9.0, 1.0, 1.0, 1.0, 12.0 / ratio, 11.0 / ratio, 9.0 / ratio, 1.0 / ratio,
          1.0 / ratio, 1.0 / ratio;
      Vector v = 0.1 * random_matrix(12, 1);
      v[5] -= 0.01;
      v[11] -= 0.01;
      const Scene scene{J * inverse.asDiagonal() * J.transpose(), J * v, Vector::Constant(8, 0.6)};
      const Result result = solved<8>(scene);
      if (result.is_solved) CHECK(result.worst < 1e-7);
      count += result.is_solved ? 1 : 0;
    }
    CAPTURE(ratio);
    CHECK(count >= 198);
  }
}

TEST_CASE("a unique solution does not depend on the start") {
  int num_unique = 0;
  for (int k = 0; k < 200; ++k) {
    const Scene scene = random_scene(3, k % 2 == 0 ? 12 : 7, 0.6);
    const Result cold = solved<3>(scene);
    if (!cold.is_solved || !cold.is_unique) continue;
    ++num_unique;
    for (int start = 0; start < 5; ++start) {
      const Vector from = 3.0 * random_matrix(9, 1);
      const Result warm = solved<3>(scene, &from);
      CHECK(warm.is_solved);
      CHECK((scene.D * (warm.lambda - cold.lambda)).norm() < 1e-6 * scene.b.norm());
    }
  }
  CHECK(num_unique > 20);
}

TEST_CASE("what has no solution is called inconsistent, and not a number is not called solved") {
  // A wedge: two frictionless walls towards each other, and a wish to leave both faster than any motion can.
  Scene scene{Matrix::Zero(6, 6), Vector::Zero(6), Vector::Zero(2)};
  scene.D(2, 2) = scene.D(5, 5) = 1.0;
  scene.D(2, 5) = scene.D(5, 2) = -1.0;
  scene.b << 0.0, 0.0, -1.0, 0.0, 0.0, -1.0;
  ContactSolver<2, double> solver;
  set(solver, scene);
  double lambda[6];
  ContactStatus<2, double> status;
  solver.solve({}, lambda, status);
  CHECK(status.verdict == ContactVerdict::inconsistent);
  solver.problem.b[2] = std::nan("");
  solver.solve({}, lambda, status);
  CHECK(status.verdict == ContactVerdict::exhausted);
  CHECK_FALSE(status.is_unique);
}

TEST_CASE("what is not a number in D, b or mu is never called solved, where nothing is pushed, either") {
  const double nothing = std::nan("");
  for (const bool rests : {true, false}) {
    // A point that leaves the ground, and one that rests or is pushed.
    Scene scene = random_scene(2, 8, 0.5);
    scene.b << 0.1, 0.0, 1.0, 0.0, 0.0, rests ? 0.0 : -1.0;
    for (int entry = 0; entry < 36 + 6 + 2; ++entry) {
      CAPTURE(rests);
      CAPTURE(entry);
      ContactSolver<2, double> solver;
      set(solver, scene);
      auto& problem = solver.problem;
      (entry < 36   ? problem.matrix[entry / 6][entry % 6]
       : entry < 42 ? problem.b[entry - 36]
                    : problem.mu[entry - 42]) = nothing;
      double lambda[6];
      ContactStatus<2, double> status;
      solver.solve({}, lambda, status);
      CHECK(status.verdict == ContactVerdict::exhausted);
      CHECK_FALSE(status.is_unique);
    }
  }
}

TEST_CASE("a start that overflows or is not a number does not matter") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity, 1.7e308, -1.7e308, 1e200, -1e200}) {
    CAPTURE(bad);
    for (int entry = -1; entry < 12; ++entry) {
      CAPTURE(entry);
      Scene scene = random_scene(4, 18, 0.7);
      for (int i = 2; i < 12; i += 3) scene.b[i] = -std::abs(scene.b[i]);
      Vector start = Vector::Constant(12, entry < 0 ? bad : 0.0);
      if (entry >= 0) start[entry] = bad;
      const Result result = solved<4>(scene, &start);
      CHECK(result.is_solved);
      CHECK(result.worst < 1e-7);
    }
  }
}

TEST_CASE("of two points that are nearly one no velocities are called unique") {
  int count = 0;
  for (int k = 0; k < 200; ++k) {
    Matrix J = random_matrix(9, 12);
    J.middleRows(3, 3) = J.topRows(3) + 1e-5 * J.middleRows(3, 3);
    Scene scene{J * J.transpose(), J * random_matrix(12, 1), Vector::Constant(3, 0.1)};
    scene.b[2] = scene.b[5] = -1.0;
    const Result result = solved<3>(scene);
    CHECK_FALSE(result.is_unique);
    count += result.is_solved ? 1 : 0;
  }
  CHECK(count > 100);
}

TEST_CASE("in float a point that cannot move leaves the others as they are") {
  for (const double left : {0.0, 1e-30, 1e-22, 1e-19, 1e-16}) {
    CAPTURE(left);
    int count = 0;
    for (int k = 0; k < 200; ++k) {
      const Scene wedge = box_in_wedge();
      Scene scene{Matrix::Zero(15, 15), Vector(15), Vector::Constant(5, 0.5)};
      scene.D.topLeftCorner(12, 12) = wedge.D;
      scene.D.bottomRightCorner(3, 3) = left * Eigen::Matrix3d::Identity();
      scene.b << wedge.b, 1e-7, 1e-7, -1e-7;  // what rounding leaves
      scene.mu.head(4) = wedge.mu;
      ContactSolver<5, float> solver;
      set(solver, scene);
      float lambda[15];
      ContactStatus<5, float> status;
      solver.solve({}, lambda, status);
      count += status.verdict == ContactVerdict::solved ? 1 : 0;
    }
    CHECK(count >= 200);
  }
}

TEST_CASE("float reaches its tolerance") {
  int count = 0;
  for (int k = 0; k < 200; ++k) {
    const Scene scene = random_scene(4, 18, 0.7);
    ContactSolver<4, float> solver;
    set(solver, scene);
    float lambda[12];
    ContactStatus<4, float> status;
    solver.solve({}, lambda, status);
    Vector found(12);
    std::copy(lambda, lambda + 12, found.data());
    if (status.verdict == ContactVerdict::solved) CHECK(broken_conditions(scene, found) < 1e-3);
    count += status.verdict == ContactVerdict::solved ? 1 : 0;
  }
  CHECK(count == 200);
}

}  // namespace
}  // namespace featherline::test
