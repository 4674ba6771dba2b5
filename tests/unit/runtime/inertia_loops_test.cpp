// The inverse inertia and the products with it in loops, against Eigen, on matrices with the zeros of a tree.
#include <featherline/vector_loops.hpp>

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <unsupported/Eigen/AutoDiff>

#include <complex>
#include <random>

using namespace featherline;
using Eigen::MatrixXd;

namespace {

/// Two axes at the root, and behind them branches of one and of three axes with a fork at the end.
struct Branches {
  static constexpr int nv = 8, num_axes = 8;
  static constexpr bool coupled = false;
  static constexpr AxisInfo axes[] = {{0, -1, 0, 2}, {1, -1, 0, 2}, {2, 0, 2, 1}, {3, 0, 3, 1},
                                      {4, 3, 4, 1},  {5, 4, 5, 1},  {6, 5, 6, 1}, {7, 5, 7, 1}};
};

/// Both branches are moved by coordinate 1: the factor has fill-in.
struct Coupled {
  static constexpr int nv = 4, num_axes = 5;
  static constexpr bool coupled = true;
  static constexpr AxisInfo axes[] = {{0, -1, 0, 1}, {1, 0, 1, 1}, {2, 1, 2, 1}, {3, 0, 3, 1}, {1, 3, 4, 1}};
};

struct ChainAxes {
  AxisInfo rows[70] = {};
  constexpr ChainAxes() {
    for (int k = 0; k < 70; ++k) rows[k] = {k, k - 1, k, 1};
  }
  constexpr const AxisInfo& operator[](int k) const { return rows[k]; }
};

/// More coordinates than have a pattern at compile time.
struct Chain {
  static constexpr int nv = 70, num_axes = 70;
  static constexpr bool coupled = false;
  static constexpr ChainAxes axes{};
};

/// A matrix with the zeros of the tree; made positive definite by its diagonal.
template <class Tree>
MatrixXd random_matrix(std::mt19937& random, bool is_inertia) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const detail::TreePattern<Tree> pattern;
  MatrixXd A = MatrixXd::Zero(Tree::nv, Tree::nv);
  for (int k = 0; k < Tree::nv; ++k) {
    for (int m = 0; m < pattern.related(k).count; ++m) A(pattern.related(k)[m], k) = uniform(random);
  }
  if (is_inertia) A = (0.5 * (A + A.transpose()) + Tree::nv * MatrixXd::Identity(Tree::nv, Tree::nv)).eval();
  return A;
}

template <class Tree>
struct Matrices {
  std::mt19937 random{7};
  MatrixXd M = random_matrix<Tree>(random, true), P = random_matrix<Tree>(random, false),
           dq = random_matrix<Tree>(random, false), dv = random_matrix<Tree>(random, false),
           H_tau = MatrixXd::Random(2 * Tree::nv, 2 * Tree::nv);
};

double error(const MatrixXd& x, const MatrixXd& expected) {
  return (x - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

template <class Tree, class S>
Eigen::Matrix<S, -1, -1> minv(const MatrixXd& M) {
  const Eigen::Matrix<S, -1, -1> in = M.cast<S>();
  Eigen::Matrix<S, -1, -1> out(Tree::nv, Tree::nv);
  vector_loops::minv(Tree{}, in.data(), out.data());
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("inverse and products agree with Eigen", Tree, Branches, Coupled, Chain) {
  constexpr int n = Tree::nv;
  const Matrices<Tree> x;
  const MatrixXd inverse = x.M.inverse(), Q = x.P.transpose() * inverse;
  CHECK(error(minv<Tree, double>(x.M), inverse) < 1e-14);

  MatrixXd da_dq(n, n), da_dv(n, n), da_dtau(n, n), product(n, n), H(2 * n, 2 * n);
  vector_loops::aba_derivatives(Tree{}, x.M.data(), x.dq.data(), x.dv.data(), da_dq.data(), da_dv.data(),
                                da_dtau.data());
  CHECK(error(da_dq, -inverse * x.dq) < 1e-14);
  CHECK(error(da_dv, -inverse * x.dv) < 1e-14);
  CHECK(error(da_dtau, inverse) < 1e-14);

  vector_loops::minv_vector_derivative(Tree{}, x.M.data(), x.P.data(), product.data());
  CHECK(error(product, -inverse * x.P) < 1e-14);

  vector_loops::aba_vector_hessian(Tree{}, x.M.data(), x.P.data(), x.dq.data(), x.dv.data(), x.H_tau.data(),
                                   H.data());
  MatrixXd expected = -x.H_tau;
  expected.topLeftCorner(n, n) += Q * x.dq + (Q * x.dq).transpose();
  expected.topRightCorner(n, n) += Q * x.dv;
  expected.bottomLeftCorner(n, n) += (Q * x.dv).transpose();
  CHECK(error(H, expected) < 1e-14);
}

TEST_CASE("the inverse takes any scalar") {
  using Dual = Eigen::AutoDiffScalar<Eigen::Vector2d>;
  const Matrices<Branches> x;
  const MatrixXd inverse = x.M.inverse();
  CHECK(error(minv<Branches, float>(x.M).cast<double>(), inverse) < 1e-6);
  CHECK(error(minv<Branches, std::complex<double>>(x.M).real(), inverse) < 1e-14);
  CHECK(minv<Branches, Dual>(x.M)(7, 3).value() == doctest::Approx(inverse(7, 3)));
}
