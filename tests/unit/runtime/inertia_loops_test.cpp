// The inverse inertia and the products with it in loops, against Eigen, on matrices with the zeros of a tree.
#include <featherline/vector_loops.hpp>

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <unsupported/Eigen/AutoDiff>

#include <algorithm>
#include <complex>
#include <random>
#include <vector>

using namespace featherline;
using Eigen::MatrixXd;

namespace {

struct Single {
  static constexpr int nv = 1, num_axes = 1;
  static constexpr bool coupled = false;
  static constexpr AxisInfo axes[] = {{0, -1, 0, 1}};
};

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

struct ForkAxes {
  AxisInfo rows[70] = {};
  constexpr ForkAxes() {
    for (int k = 0; k < 70; ++k) rows[k] = {k, k == 40 ? 9 : k - 1, k, 1};
  }
  constexpr const AxisInfo& operator[](int k) const { return rows[k]; }
};
/// Branches of 30 axes behind a trunk of 10: more coordinates than have a pattern at compile time.
struct Fork {
  static constexpr int nv = 70, num_axes = 70;
  static constexpr bool coupled = false;
  static constexpr ForkAxes axes{};
};

/// The axes of the joints from that of axis p to the root.
template <class Tree>
std::vector<int> path(int p) {
  std::vector<int> axes;
  for (int t = p; t >= 0; t = Tree::axes[t].parent) {
    for (int c = 0; c < Tree::axes[t].count; ++c) axes.push_back(Tree::axes[t].first + c);
  }
  return axes;
}

/// By coordinates: whether axes of both are on one path.
template <class Tree>
bool related(int j, int k) {
  for (int p = 0; p < Tree::num_axes; ++p) {
    for (const int t : path<Tree>(p)) {
      const int x = Tree::axes[p].idx_v, y = Tree::axes[t].idx_v;
      if ((x == j && y == k) || (x == k && y == j)) return true;
    }
  }
  return false;
}

/// A matrix with the zeros of the tree.
template <class Tree>
MatrixXd random_matrix(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return MatrixXd::NullaryExpr(Tree::nv, Tree::nv, [&](Eigen::Index j, Eigen::Index k) {
    return related<Tree>(static_cast<int>(j), static_cast<int>(k)) ? uniform(random) : 0.0;
  });
}

template <class Tree>
MatrixXd random_symmetric(std::mt19937& random) {
  const MatrixXd A = random_matrix<Tree>(random);
  return 0.5 * (A + A.transpose());
}

/// T(i, j, k), zero unless each two of the three are on a path.
template <class Tree>
std::vector<double> random_tensor(std::mt19937& random) {
  constexpr int n = Tree::nv;
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> T;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const bool zero = !related<Tree>(i, j) || !related<Tree>(j, k) || !related<Tree>(i, k);
        T.push_back(zero ? 0.0 : uniform(random));
      }
    }
  }
  return T;
}

template <class Tree>
struct Matrices {
  std::mt19937 random{7};
  MatrixXd M = random_symmetric<Tree>(random) + Tree::nv * MatrixXd::Identity(Tree::nv, Tree::nv);
  MatrixXd dM = random_symmetric<Tree>(random), P = random_matrix<Tree>(random),
           dq = random_matrix<Tree>(random), dv = random_matrix<Tree>(random);
};

double error(const MatrixXd& x, const MatrixXd& expected) {
  return (x - expected).cwiseAbs().maxCoeff() / std::max(1e-3, expected.cwiseAbs().maxCoeff());
}

template <class Tree, class S>
Eigen::Matrix<S, -1, -1> minv(const Eigen::Matrix<S, -1, -1>& M) {
  Eigen::Matrix<S, -1, -1> out(Tree::nv, Tree::nv);
  vector_loops::minv(Tree{}, M.data(), out.data());
  return out;
}

/// T(., ., k) of an n x n x n array.
MatrixXd slice(const std::vector<double>& T, int n, int k) {
  return Eigen::Map<const MatrixXd>{T.data() + n * n * k, n, n};
}

}  // namespace

TEST_CASE_TEMPLATE("the inverse agrees with Eigen's", Tree, Single, Branches, Coupled, Fork) {
  const Matrices<Tree> x;
  CHECK(error(minv<Tree, double>(x.M), x.M.inverse()) < 1e-14);
}

TEST_CASE_TEMPLATE("products with the inverse agree with Eigen's", Tree, Single, Branches, Coupled, Fork) {
  constexpr int n = Tree::nv;
  const Matrices<Tree> x;
  const MatrixXd inverse = x.M.inverse();
  MatrixXd da_dq(n, n), da_dv(n, n), da_dtau(n, n), product(n, n);
  vector_loops::aba_derivatives(Tree{}, x.M.data(), x.dq.data(), x.dv.data(), da_dq.data(), da_dv.data(),
                                da_dtau.data());
  CHECK(error(da_dq, -inverse * x.dq) < 1e-14);
  CHECK(error(da_dv, -inverse * x.dv) < 1e-14);
  CHECK(error(da_dtau, inverse) < 1e-14);
  vector_loops::minv_vector_derivative(Tree{}, x.M.data(), x.P.data(), product.data());
  CHECK(error(product, -inverse * x.P) < 1e-14);
}

TEST_CASE_TEMPLATE("Hessians of forward dynamics agree with Eigen's", Tree, Single, Branches, Coupled, Fork) {
  constexpr int n = Tree::nv;
  const Matrices<Tree> x;
  const MatrixXd H_tau = MatrixXd::Random(2 * n, 2 * n), Q = x.P.transpose() * x.M.inverse();
  MatrixXd H(2 * n, 2 * n), expected = -H_tau;
  vector_loops::aba_vector_hessian(Tree{}, x.M.data(), x.dq.data(), x.dv.data(), x.P.data(), H_tau.data(),
                                   H.data());
  expected.topLeftCorner(n, n) += Q * x.dq + (Q * x.dq).transpose();
  expected.topRightCorner(n, n) += Q * x.dv;
  expected.bottomLeftCorner(n, n) += (Q * x.dv).transpose();
  CHECK(error(H, expected) < 1e-14);
}

TEST_CASE_TEMPLATE("tensors of forward dynamics agree with Eigen's", Tree, Single, Branches, Coupled) {
  constexpr int n = Tree::nv;
  Matrices<Tree> x;
  const MatrixXd inverse = x.M.inverse();
  const std::vector<double> tau_qq = random_tensor<Tree>(x.random), tau_vv = random_tensor<Tree>(x.random),
                            tau_qv = random_tensor<Tree>(x.random);
  std::vector<double> dqdq = tau_qq, dvdv = tau_vv, dqdv = tau_qv, dM = std::vector<double>(n * n * n, 0.0);
  std::vector<MatrixXd> Y;
  for (int j = 0; j < n; ++j) {  // dM/dq_j has rows and columns on a path with j alone
    MatrixXd slice_j = random_symmetric<Tree>(x.random);
    for (int k = 0; k < n; ++k) {
      if (!related<Tree>(j, k)) slice_j.row(k) = slice_j.col(k).transpose() = Eigen::RowVectorXd::Zero(n);
    }
    Eigen::Map<MatrixXd>{dM.data() + n * n * j, n, n} = slice_j;
    Y.push_back(inverse * slice_j * inverse);
  }
  vector_loops::solve_second_derivatives(Tree{}, x.M.data(), x.dq.data(), x.dv.data(), dqdq.data(),
                                         dvdv.data(), dqdv.data(), dM.data());
  for (int k = 0; k < n; ++k) {
    MatrixXd qq = -inverse * slice(tau_qq, n, k), qv = -inverse * slice(tau_qv, n, k), qtau(n, n);
    const MatrixXd vv = -inverse * slice(tau_vv, n, k);
    for (int j = 0; j < n; ++j) {
      const auto Yj = Y[static_cast<std::size_t>(j)], Yk = Y[static_cast<std::size_t>(k)];
      qq.col(j) += Yj * x.dq.col(k) + Yk * x.dq.col(j);
      qv.col(j) += Yj * x.dv.col(k);
      qtau.col(j) = -Yj.col(k);
    }
    REQUIRE(vv.norm() > 1e-3);
    CHECK(error(slice(dqdq, n, k), qq) < 1e-13);
    CHECK(error(slice(dqdv, n, k), qv) < 1e-13);
    CHECK(error(slice(dM, n, k), qtau) < 1e-13);
    CHECK(error(slice(dvdv, n, k), vv) < 1e-13);
  }
}

TEST_CASE_TEMPLATE("friction is added where all three indices are one coordinate", Tree, Single, Branches) {
  constexpr int n = Tree::nv;
  Matrices<Tree> x;
  const std::vector<double> before = random_tensor<Tree>(x.random);
  std::vector<double> dvdv = before, friction(n);
  for (int k = 0; k < n; ++k) friction[static_cast<std::size_t>(k)] = k + 1.0;
  vector_loops::add_friction(Tree{}, friction.data(), static_cast<double*>(nullptr), dvdv.data(),
                             static_cast<double*>(nullptr), static_cast<double*>(nullptr));
  for (int i = 0; i < n * n * n; ++i) {
    const bool diagonal = i % n == i / n % n && i % n == i / n / n;
    const auto at = static_cast<std::size_t>(i);
    CHECK(dvdv[at] == before[at] + (diagonal ? i % n + 1.0 : 0.0));
  }
}

TEST_CASE("the inverse of other scalars carries their derivatives") {
  const Matrices<Branches> x;
  const MatrixXd inverse = x.M.inverse(), derivative = -inverse * x.dM * inverse;

  using Complex = std::complex<double>;
  constexpr double step = 1e-30;
  const Eigen::MatrixXcd stepped = x.M.cast<Complex>() + Complex{0.0, step} * x.dM;
  CHECK(error(minv<Branches, Complex>(stepped).imag() / step, derivative) < 1e-13);

  using Dual = Eigen::AutoDiffScalar<Eigen::Vector2d>;
  const auto dual = Eigen::Matrix<Dual, -1, -1>::NullaryExpr(8, 8, [&](Eigen::Index j, Eigen::Index k) {
    return Dual(x.M(j, k), Eigen::Vector2d(x.dM(j, k), 0.0));
  });
  const Eigen::Matrix<Dual, -1, -1> found = minv<Branches, Dual>(dual);
  CHECK(error(found.unaryExpr([](const Dual& y) { return y.value(); }).cast<double>(), inverse) < 1e-14);
  CHECK(error(found.unaryExpr([](const Dual& y) { return y.derivatives()[0]; }).cast<double>(), derivative) <
        1e-13);

  CHECK(error(minv<Branches, float>(x.M.cast<float>()).cast<double>(), inverse) < 1e-6);
}
