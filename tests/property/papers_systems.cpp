// The system of paper 003 (Saha 1999, DeNOC): every function of it against the reference solver, and its Coriolis
// matrix against the paper's equations, written out in dense matrices with the centres of mass as reference points.
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "ir/interpreter.hpp"
#include "pipeline.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

namespace property::papers_systems {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using model::JointType;
using test::relative_error;

namespace {

const std::vector<JointType> every_type{JointType::revolute,  JointType::continuous,  JointType::prismatic,
                                        JointType::helical,   JointType::cylindrical, JointType::universal,
                                        JointType::spherical, JointType::planar,      JointType::floating};

/// |v| <= 10, |a| <= 50.
reference::State fast_state(const model::UserTree& tree, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  reference::State x = reference::random_state(tree, random);
  const test::State fast = test::random_state(tree, seed);
  x.v = fast.v;
  x.a = fast.a;
  x.tau = fast.tau;
  return x;
}

const catalog::Formulation& formulation_of(const std::string& function, const std::string& name) {
  for (const catalog::Formulation& formulation : catalog::find(function)->formulations) {
    if (formulation.name == name) return formulation;
  }
  throw std::runtime_error(function + " has no formulation " + name);
}

/// Follows DeNOC in the functions that it computes for the robot; returns how many.
int follow_denoc(const model::UserTree& tree, std::uint64_t seed) {
  int followed = 0;
  const model::CanonicalTree traced = in_chosen_frames(tree, true);
  const reference::State x = fast_state(tree, seed);
  for (const std::string function : {"mass_matrix", "coriolis_matrix", "rnea", "aba"}) {
    CAPTURE(function);
    const catalog::Formulation& denoc = formulation_of(function, "DeNOC");
    if (!denoc.applies(tree)) continue;
    const reference::OutputFunction& judge = *reference::find_outputs(function);
    test::follow(catalog::trace(*catalog::find(function), denoc, traced), judge, x,
                 judge.compared(x, judge.compute(tree, x)));
    ++followed;
  }
  return followed;
}

/// Bodies without welded links, so that each has one link and one inertia.
model::UserTree random_bodies(std::uint64_t seed, int joints, const std::vector<JointType>& types,
                              double chain) {
  test::RobotOptions options;
  options.joints = joints;
  options.types = types;
  options.chain = chain;
  options.fixed = 0.0;
  return test::random_tree(seed, options);
}

/// C as a formulation of the catalogue computes it, with its passes.
MatrixXd coriolis_by(const std::string& formulation, const model::UserTree& tree, const reference::State& x) {
  const ir::Kernel kernel =
      catalog::trace(*catalog::find("coriolis_matrix"), formulation_of("coriolis_matrix", formulation),
                     in_chosen_frames(tree, true));
  const std::vector<double> C = ir::evaluate(kernel, verify::inputs_of(kernel, x)).front();
  return Eigen::Map<const MatrixXd>(C.data(), tree.nv, tree.nv);
}

/// [d 1, 0; [c]x, d 1]: B_ij with d = 1, its rate with d = 0.
Matrix6 lower(const Eigen::Vector3d& c, double diagonal) {
  Matrix6 B = diagonal * Matrix6::Identity();
  B.bottomLeftCorner<3, 3>() = reference::skew<double>(c);
  return B;
}

/// The quantities of the paper in world axes, about the centres of mass. N_i has the rows of body i in N of eq. (16).
struct PaperBody {
  MatrixXd N, N_rate;
  Matrix6 M, M_rate, Omega;  ///< eqs. (2) and (8)
  Eigen::Vector3d c, c_rate;
};

/// Rows of N of the body that carries the link, about its centre of mass.
template <class T>
reference::MatrixX<T> rows_of_N(const model::UserTree& tree, const reference::VectorX<T>& q, int link) {
  const model::Link& l = tree.links[static_cast<std::size_t>(link)];
  reference::Solver<T> solver(tree);
  const reference::Matrix3<T> lever =
      reference::skew<T>(solver.link_pose(q, link).R * l.com.template cast<T>());
  const reference::MatrixX<T> J = solver.frame_jacobian(q, link);  // rows [linear; angular]
  reference::MatrixX<T> N(6, tree.nv);
  N.topRows(3) = J.bottomRows(3);
  N.bottomRows(3) = J.topRows(3) - lever * J.bottomRows(3);
  return N;
}

std::vector<PaperBody> paper_bodies(const model::UserTree& tree, const reference::State& x) {
  using Number = reference::HyperDual<double>;
  const reference::VectorX<Number> stepped =
      reference::integrate<Number>(tree, x.q.cast<Number>(), x.v.cast<Number>() * Number::e1());
  const std::vector<reference::Pose<double>> poses = reference::Solver<double>(tree).body_poses(x.q);
  std::vector<PaperBody> bodies(tree.bodies.size());
  for (int link = 0; link < static_cast<int>(tree.links.size()); ++link) {
    const int carrier = tree.links[static_cast<std::size_t>(link)].body;
    if (carrier < 0) continue;
    const auto k = static_cast<std::size_t>(carrier);
    const auto& [m, h, J] = tree.bodies[k].inertia;
    const auto& [R, p] = poses[k];
    const Eigen::Matrix3d first = reference::skew<double>(h);
    const Eigen::Matrix3d I = R * (J + first * first / m) * R.transpose();
    PaperBody& body = bodies[k];
    body.N = rows_of_N<double>(tree, x.q, link);
    body.N_rate = part(rows_of_N<Number>(tree, stepped, link), &Number::d1);
    body.c = p + R * h / m;
    const VectorXd t = body.N * x.v;
    const Eigen::Matrix3d w = reference::skew<double>(t.head<3>());
    body.c_rate = t.tail<3>();
    body.Omega = body.M = body.M_rate = Matrix6::Zero();
    body.Omega.topLeftCorner<3, 3>() = body.Omega.bottomRightCorner<3, 3>() = w;
    body.M.topLeftCorner<3, 3>() = I;
    body.M.bottomRightCorner<3, 3>() = m * Eigen::Matrix3d::Identity();
    body.M_rate.topLeftCorner<3, 3>() = w * I;
  }
  return bodies;
}

/// N^T (M dN/dt + M' N), as after eq. (20).
MatrixXd paper_coriolis(const std::vector<PaperBody>& bodies, int n) {
  MatrixXd C = MatrixXd::Zero(n, n);
  for (const PaperBody& b : bodies) C += b.N.transpose() * (b.M * b.N_rate + b.M_rate * b.N);
  return C;
}

/// Its entries by eq. (29) with (28), for a chain whose joints have one axis each. As printed, without dots, (28) reads
/// H~_ij = M~_i B_ij + ...; what holds has the rate of B_ij there.
MatrixXd coriolis_by_entries(const std::vector<PaperBody>& bodies, bool as_printed) {
  const int n = static_cast<int>(bodies.size());
  const auto at = [&](int i) -> const PaperBody& { return bodies[static_cast<std::size_t>(i)]; };
  const auto B = [&](int i, int j) { return lower(at(j).c - at(i).c, 1.0); };
  const auto B_rate = [&](int i, int j) {
    return as_printed ? B(i, j) : lower(at(j).c_rate - at(i).c_rate, 0.0);
  };
  // Of composite bodies: M~ by (23b), the sum of M' by (28), and B_{i+1,i}^T H~_{i+1,i}.
  std::vector<Matrix6> M(bodies.size() + 1, Matrix6::Zero()), M_rate = M, H = M;
  for (int i = n; i-- > 0;) {
    const auto k = static_cast<std::size_t>(i);
    M[k] = at(i).M;
    M_rate[k] = at(i).M_rate + M_rate[k + 1];
    if (i + 1 == n) continue;
    const Matrix6 X = B(i + 1, i);
    M[k] += X.transpose() * M[k + 1] * X;
    H[k] = X.transpose() * (M[k + 1] * B_rate(i + 1, i) + H[k + 1]);
  }
  MatrixXd C(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto k = static_cast<std::size_t>(std::max(i, j));
      const Matrix6 inner = i <= j
                                ? Matrix6(B(j, i).transpose() * (M[k] * at(j).Omega + H[k]) + M_rate[k])
                                : Matrix6(M[k] * (B(i, j) * at(j).Omega + B_rate(i, j)) + H[k] + M_rate[k]);
      C(i, j) = at(i).N.col(i).dot(inner * at(j).N.col(j));
    }
  }
  return C;
}

double skewness_error(const MatrixXd& C) { return (C + C.transpose()).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("DeNOC agrees with the reference solver on the papers' robots") {
  for (const char* robot : {"planar3", "stanford_arm", "holonomic_mobile_manipulator"}) {
    CAPTURE(robot);
    Diagnostics findings;
    const Robot read = read_robot("robots/" + std::string(robot) + ".urdf", {}, findings);
    for (std::uint64_t seed = 0; seed < 5; ++seed) CHECK(follow_denoc(read.tree, seed) == 4);
  }
}

TEST_CASE("DeNOC agrees with the reference solver on a chain of 50 joints") {
  const model::UserTree chain = random_bodies(50, 50, {JointType::revolute}, 1.0);
  REQUIRE(chain.nv == 50);
  CHECK(follow_denoc(chain, 1) == 4);
}

TEST_CASE("DeNOC agrees with the reference solver with each joint type, at the root and away from it") {
  for (const JointType type : every_type) {
    CAPTURE(static_cast<int>(type));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      CAPTURE(seed);
      CHECK(follow_denoc(random_bodies(seed, 3, {type}, 0.6), seed) == 4);
    }
  }
  int coupled = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    test::RobotOptions options;
    options.joints = 9;
    options.mimic = seed % 2 == 1 ? 0.5 : 0.0;
    model::BuildOptions build;
    build.floating_base = seed % 4 >= 2;
    coupled += follow_denoc(test::random_tree(seed + 900, options, build), seed) == 3 ? 1 : 0;
  }
  CHECK(coupled >= 2);  // aba needs a coordinate for each joint
}

TEST_CASE("the paper's C: C v = bias - gravity, and dM/dt - 2 C is skew") {
  const reference::OutputFunction& judge = *reference::find_outputs("coriolis_matrix");
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = random_bodies(seed, 5, {}, 0.6);
    const reference::State x = fast_state(tree, seed);
    const MatrixXd C = paper_coriolis(paper_bodies(tree, x), tree.nv);
    const reference::Outputs found{{"C", {C.data(), C.data() + C.size()}}};
    CHECK(reference::compare(judge.compared(x, found), judge.compared(x, judge.compute(tree, x))).relative <=
          test::agreement);
    // About the bodies' origins: another matrix, by a skew one that takes v to zero.
    const MatrixXd difference = coriolis_by("DeNOC", tree, x) - C;
    CHECK(skewness_error(difference) <= test::agreement * C.cwiseAbs().maxCoeff());
    CHECK((difference * x.v).cwiseAbs().maxCoeff() <= test::agreement * (C * x.v).cwiseAbs().maxCoeff());
  }
}

TEST_CASE("eqs. (27) to (29) hold with the dots that the translation lost") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    CAPTURE(seed);
    const model::UserTree chain =
        random_bodies(seed, 6, {JointType::revolute, JointType::prismatic, JointType::helical}, 1.0);
    const std::vector<PaperBody> bodies = paper_bodies(chain, fast_state(chain, seed));
    const MatrixXd C = paper_coriolis(bodies, chain.nv);
    CHECK(relative_error(coriolis_by_entries(bodies, false), C) <= 1e-12);
    CHECK(relative_error(coriolis_by_entries(bodies, true), C) > 1e-3);
  }
}

TEST_CASE("the Coriolis matrix of IDSVA is made of Christoffel symbols, that of DeNOC is not") {
  const model::UserTree tree = random_bodies(3, 6, {JointType::revolute, JointType::prismatic}, 0.6);
  reference::State x = fast_state(tree, 3), y = x;
  y.v = fast_state(tree, 4).v;
  const auto asymmetry =
      [&](const std::string& formulation) {  // C(q, v) w = C(q, w) v of Christoffel symbols
        const VectorXd a = coriolis_by(formulation, tree, x) * y.v,
                       b = coriolis_by(formulation, tree, y) * x.v;
        return relative_error(a, b);
      };
  CHECK(asymmetry("body frames") <= test::agreement);
  CHECK(asymmetry("DeNOC") > 1e-3);
}

}  // namespace property::papers_systems
