// The inverse inertia and the products with it in loops and unrolled, against Eigen, on matrices with the zeros of a
// tree. The generator runs the loops in place of the unrolled routines when it verifies a function, so both have to
// agree.
#include "ir/heap_room.hpp"
#include "ir/robot_tables.hpp"
#include "unit/runtime/random_tree_matrices.hpp"

#include <featherline/unrolled_inverse.hpp>

#include <doctest/doctest.h>
#include <unsupported/Eigen/AutoDiff>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

using namespace featherline;
using namespace featherline::test;
using Eigen::MatrixXd;

namespace {

// Namespaces cannot be template arguments.
#define FEATHERLINE_ROUTINE(space, name)    \
  template <class... Arguments>             \
  static void name(const Arguments&... x) { \
    space::name(x...);                      \
  }
#define FEATHERLINE_ROUTINES(space)                       \
  FEATHERLINE_ROUTINE(space, minv)                        \
  FEATHERLINE_ROUTINE(space, inverse)                     \
  FEATHERLINE_ROUTINE(space, solve)                       \
  FEATHERLINE_ROUTINE(space, negative_product)            \
  FEATHERLINE_ROUTINE(space, aba_derivatives)             \
  FEATHERLINE_ROUTINE(space, aba_derivatives_behind_base) \
  FEATHERLINE_ROUTINE(space, aba_vector_hessian)          \
  FEATHERLINE_ROUTINE(space, solve_second_derivatives)

struct Loops {
  FEATHERLINE_ROUTINES(vector_loops)
};

struct Unrolled {
  FEATHERLINE_ROUTINES(unrolled_inverse)
};

#undef FEATHERLINE_ROUTINES
#undef FEATHERLINE_ROUTINE

/// Blocks of a humanoid, where a vector is long enough for them; elsewhere its code is of the kind that Limbs has.
template <class S>
using Blocks = std::conditional_t<detail::has_blocks<Humanoid, S>(), Humanoid, Legs>;
template <class S>
using LongBlocks = std::conditional_t<detail::has_blocks<LongLimbs, S>(), LongLimbs, Legs>;

template <class TreeType, class RoutinesType>
struct Case {
  using Tree = TreeType;
  using Routines = RoutinesType;
};

// Eigen's products and its inverse: sixty cases would compile them anew.
MatrixXd inverse_of(const MatrixXd& A) { return A.inverse(); }
MatrixXd minus_product(const MatrixXd& A, const MatrixXd& B) { return -A * B; }

template <class Tree>
struct Matrices {
  std::mt19937 random{7};
  MatrixXd M = random_symmetric<Tree>(random) + Tree::nv * MatrixXd::Identity(Tree::nv, Tree::nv);
  MatrixXd dM = random_symmetric<Tree>(random), P = random_matrix<Tree>(random),
           dq = random_matrix<Tree>(random), dv = random_matrix<Tree>(random);
  Eigen::VectorXd b = Eigen::VectorXd::Random(Tree::nv);
};

double error(const MatrixXd& x, const MatrixXd& expected) {
  return (x - expected).cwiseAbs().maxCoeff() / std::max(1e-3, expected.cwiseAbs().maxCoeff());
}

template <class Tree, class S, class Routines = Loops>
Eigen::Matrix<S, -1, -1> minv(const Eigen::Matrix<S, -1, -1>& M) {
  Eigen::Matrix<S, -1, -1> out(Tree::nv, Tree::nv);
  Routines::minv(Tree{}, M.data(), out.data());
  return out;
}

/// A with numbers that must not be read where the tree makes it zero.
template <class Tree>
MatrixXd with_garbage(MatrixXd A) {
  for (int k = 0; k < Tree::nv; ++k) {
    for (int i = 0; i < Tree::nv; ++i) {
      if (!related<Tree>(i, k)) A(i, k) = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return A;
}

/// M^-1 of M as emitted code hands it over: where it stores nothing, unrolled code finds what clear_inertia() left.
template <class Tree, class Routines>
MatrixXd inverse_as_emitted(const MatrixXd& M) {
  if constexpr (std::is_same_v<Routines, Loops>) {
    return minv<Tree, double, Routines>(M);
  } else {
    unrolled_inverse::Inertia<Tree, double> A;
    std::fill_n(reinterpret_cast<double*>(&A), sizeof A / sizeof(double),
                std::numeric_limits<double>::quiet_NaN());
    unrolled_inverse::clear_inertia(Tree{}, A);
    for (int k = 0; k < Tree::nv; ++k) {
      for (int i = 0; i < Tree::nv; ++i) {
        if (related<Tree>(i, k)) A[i + Tree::nv * k] = M(i, k);
      }
    }
    MatrixXd out(Tree::nv, Tree::nv);
    unrolled_inverse::minv(Tree{}, A, out.data());
    return out;
  }
}

/// T(., ., k) of an n x n x n array.
MatrixXd slice(const std::vector<double>& T, int n, int k) {
  return Eigen::Map<const MatrixXd>{T.data() + n * n * k, n, n};
}

}  // namespace

TEST_CASE_TEMPLATE("the inverse agrees with Eigen's", C, Case<Single, Loops>, Case<Branches, Loops>,
                   Case<Coupled, Loops>, Case<CoupledTurns, Loops>, Case<Fork, Loops>, Case<Single, Unrolled>,
                   Case<Branches, Unrolled>, Case<Coupled, Unrolled>, Case<CoupledTurns, Unrolled>,
                   Case<Legs, Unrolled>, Case<Limbs, Unrolled>, Case<Arms, Unrolled>,
                   Case<ChainAside, Unrolled>, Case<Blocks<double>, Unrolled>,
                   Case<LongBlocks<double>, Unrolled>, Case<Fork, Unrolled>) {
  using Tree = typename C::Tree;
  using Routines = typename C::Routines;
  const Matrices<Tree> x;
  CHECK(error(inverse_as_emitted<Tree, Routines>(x.M), inverse_of(x.M)) < 1e-14);
}

TEST_CASE_TEMPLATE("products with the inverse agree with Eigen's", C, Case<Single, Loops>,
                   Case<Branches, Loops>, Case<Coupled, Loops>, Case<CoupledTurns, Loops>, Case<Fork, Loops>,
                   Case<Single, Unrolled>, Case<Branches, Unrolled>, Case<Coupled, Unrolled>,
                   Case<CoupledTurns, Unrolled>, Case<Legs, Unrolled>, Case<Limbs, Unrolled>,
                   Case<Arms, Unrolled>, Case<Blocks<double>, Unrolled>, Case<LongBlocks<double>, Unrolled>,
                   Case<Fork, Unrolled>) {
  using Tree = typename C::Tree;
  using Routines = typename C::Routines;
  constexpr int n = Tree::nv;
  CHECK(detail::has_dense_groups<Tree>() == (std::is_same_v<Tree, Single> || std::is_same_v<Tree, Coupled> ||
                                             std::is_same_v<Tree, CoupledTurns> ||
                                             std::is_same_v<Tree, Arms>));
  const Matrices<Tree> x;
  const MatrixXd inverse = inverse_of(x.M);
  MatrixXd dq = with_garbage<Tree>(x.dq), dv = with_garbage<Tree>(x.dv), P = with_garbage<Tree>(x.P),
           same(n, n);
  Eigen::VectorXd solution(n);
  Routines::inverse(Tree{}, x.M.data(), same.data());
  CHECK(error(same, inverse) < 1e-14);
  Routines::solve(Tree{}, inverse.data(), x.b.data(), solution.data());
  CHECK(error(-solution, minus_product(inverse, x.b)) < 1e-14);
  Routines::aba_derivatives(Tree{}, inverse.data(), dq.data(), dv.data());
  CHECK(error(dq, minus_product(inverse, x.dq)) < 1e-14);
  CHECK(error(dv, minus_product(inverse, x.dv)) < 1e-14);
  Routines::negative_product(Tree{}, inverse.data(), P.data());
  CHECK(error(P, minus_product(inverse, x.P)) < 1e-14);
}

TEST_CASE_TEMPLATE("products from the parts of the inverse agree with Eigen's", C, Case<Branches, Loops>,
                   Case<Branches, Unrolled>, Case<Legs, Unrolled>, Case<Limbs, Unrolled>,
                   Case<Blocks<double>, Unrolled>, Case<LongBlocks<double>, Unrolled>) {
  using Tree = typename C::Tree;
  using Routines = typename C::Routines;
  constexpr int n = Tree::nv;
  const Matrices<Tree> x;
  const MatrixXd inverse = inverse_of(x.M), base = MatrixXd::Random(3, 6);
  MatrixXd dq = with_garbage<Tree>(x.dq), dv = with_garbage<Tree>(x.dv), P = with_garbage<Tree>(x.P),
           same(n, n);
  constexpr detail::LimbBlocks blocks = detail::make_limb_blocks<Tree>();
  CHECK(blocks.exist ==
        (std::is_same_v<Tree, Legs> || std::is_same_v<Tree, Humanoid> || std::is_same_v<Tree, LongLimbs>));
  std::vector<double> numbers(static_cast<std::size_t>(detail::size_of_parts(blocks, n)));
  double* parts = numbers.data();
  Routines::inverse(Tree{}, x.M.data(), same.data(), parts);
  CHECK(error(same, inverse) < 1e-14);
  Routines::negative_product(Tree{}, same.data(), parts, P.data());
  CHECK(error(P, minus_product(inverse, x.P)) < 1e-14);
  Routines::aba_derivatives(Tree{}, same.data(), parts, dq.data(), dv.data());
  CHECK(error(dq, minus_product(inverse, x.dq)) < 1e-14);
  CHECK(error(dv, minus_product(inverse, x.dv)) < 1e-14);
  if constexpr (n > 8) {
    dq = with_garbage<Tree>(x.dq), dv = with_garbage<Tree>(x.dv);
    Routines::aba_derivatives_behind_base(Tree{}, same.data(), parts, base.data(), dq.data(), dv.data());
    CHECK(error(dq.rightCols(n - 6), minus_product(inverse, x.dq.rightCols(n - 6))) < 1e-14);
    CHECK(error(dv.rightCols(n - 3), minus_product(inverse, x.dv.rightCols(n - 3))) < 1e-14);
    CHECK(dv.block(0, 0, 3, 3) == base.rightCols(3));
  }
}

TEST_CASE_TEMPLATE("columns of a floating base are taken as they are known", C, Case<Legs, Loops>,
                   Case<Limbs, Loops>, Case<Legs, Unrolled>, Case<Limbs, Unrolled>,
                   Case<Blocks<double>, Unrolled>) {
  using Tree = typename C::Tree;
  const Matrices<Tree> x;
  const MatrixXd inverse = inverse_of(x.M), base = MatrixXd::Random(3, 6);
  MatrixXd dq = with_garbage<Tree>(x.dq), dv = with_garbage<Tree>(x.dv);
  MatrixXd expected_dq = minus_product(inverse, x.dq), expected_dv = minus_product(inverse, x.dv);
  expected_dq.leftCols(6).setZero();
  expected_dv.leftCols(3).setZero();
  expected_dq.block(0, 3, 3, 3) = base.leftCols(3);
  expected_dv.block(0, 0, 3, 3) = base.rightCols(3);
  C::Routines::aba_derivatives_behind_base(Tree{}, inverse.data(), base.data(), dq.data(), dv.data());
  CHECK(error(dq, expected_dq) < 1e-14);
  CHECK(error(dv, expected_dv) < 1e-14);
}

TEST_CASE_TEMPLATE("Hessians of forward dynamics agree with Eigen's", C, Case<Single, Loops>,
                   Case<Branches, Loops>, Case<Coupled, Loops>, Case<CoupledTurns, Loops>, Case<Fork, Loops>,
                   Case<Single, Unrolled>, Case<Branches, Unrolled>, Case<Coupled, Unrolled>,
                   Case<CoupledTurns, Unrolled>, Case<Legs, Unrolled>, Case<Limbs, Unrolled>,
                   Case<Fork, Unrolled>) {
  using Tree = typename C::Tree;
  using Routines = typename C::Routines;
  constexpr int n = Tree::nv;
  const Matrices<Tree> x;
  const MatrixXd H_tau = MatrixXd::Random(2 * n, 2 * n), inverse = inverse_of(x.M),
                 Q = x.P.transpose() * inverse;
  MatrixXd H(2 * n, 2 * n), expected = -H_tau;
  Routines::aba_vector_hessian(Tree{}, inverse.data(), x.dq.data(), x.dv.data(), x.P.data(), H_tau.data(),
                               H.data());
  expected.topLeftCorner(n, n) += Q * x.dq + (Q * x.dq).transpose();
  expected.topRightCorner(n, n) += Q * x.dv;
  expected.bottomLeftCorner(n, n) += (Q * x.dv).transpose();
  CHECK(error(H, expected) < 1e-14);
}

TEST_CASE_TEMPLATE("tensors of forward dynamics agree with Eigen's", C, Case<Single, Loops>,
                   Case<Branches, Loops>, Case<Coupled, Loops>, Case<CoupledTurns, Loops>,
                   Case<Single, Unrolled>, Case<Branches, Unrolled>, Case<Coupled, Unrolled>,
                   Case<CoupledTurns, Unrolled>, Case<Legs, Unrolled>, Case<Limbs, Unrolled>,
                   Case<Arms, Unrolled>) {
  using Tree = typename C::Tree;
  using Routines = typename C::Routines;
  constexpr int n = Tree::nv;
  Matrices<Tree> x;
  const MatrixXd inverse = inverse_of(x.M);
  const RandomTensors<Tree> tau(x.random);
  auto [dqdq, dvdv, dqdv, dM] = tau;
  std::vector<MatrixXd> Y;
  for (int j = 0; j < n; ++j)
    Y.push_back(minus_product(minus_product(inverse, slice(tau.dM, n, j)), inverse));
  Routines::solve_second_derivatives(Tree{}, inverse.data(), x.dq.data(), x.dv.data(), dqdq.data(),
                                     dvdv.data(), dqdv.data(), dM.data());
  for (int k = 0; k < n; ++k) {
    MatrixXd qq = minus_product(inverse, slice(tau.tau_qq, n, k)),
             qv = minus_product(inverse, slice(tau.tau_qv, n, k)), qtau(n, n);
    const MatrixXd vv = minus_product(inverse, slice(tau.tau_vv, n, k));
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

TEST_CASE_TEMPLATE("unrolled routines read no entries of tensors that the tree makes zero", Tree, Branches,
                   Legs, Limbs, Arms) {
  constexpr int n = Tree::nv;
  Matrices<Tree> x;
  const RandomTensors<Tree> tau(x.random);
  const MatrixXd inverse = inverse_of(x.M);
  const auto solved = [&](RandomTensors<Tree> T) {
    unrolled_inverse::solve_second_derivatives(Tree{}, inverse.data(), x.dq.data(), x.dv.data(),
                                               T.tau_qq.data(), T.tau_vv.data(), T.tau_qv.data(),
                                               T.dM.data());
    return T;
  };
  RandomTensors<Tree> unset = tau;
  for (std::size_t at = 0; at < tau.dM.size(); ++at) {
    const int i = static_cast<int>(at) % n, j = static_cast<int>(at) / n % n,
              k = static_cast<int>(at) / n / n;
    const bool zero = !related<Tree>(i, j) || !related<Tree>(j, k) || !related<Tree>(i, k);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (zero) unset.tau_qq[at] = unset.tau_vv[at] = unset.tau_qv[at] = nan;
    if (zero || !(above<Tree>(i, k) || above<Tree>(j, k))) unset.dM[at] = nan;
  }
  const RandomTensors<Tree> expected = solved(tau), found = solved(unset);
  CHECK(found.tau_qq == expected.tau_qq);
  CHECK(found.tau_vv == expected.tau_vv);
  CHECK(found.tau_qv == expected.tau_qv);
  CHECK(found.dM == expected.dM);
}

TEST_CASE_TEMPLATE("loops on a tree that is read give what they give on constants", Tree, Single, Branches,
                   Coupled, CoupledTurns, Limbs, Fork) {
  constexpr int n = Tree::nv;
  const Matrices<Tree> x;
  ir::AxisTable read;
  read.nv = n;
  read.coupled = Tree::coupled;
  for (int k = 0; k < Tree::num_axes; ++k) read.add(Tree::axes[k], 1.0);
  const auto results = [&](const auto& tree) {
    MatrixXd inverse(n, n), dq = with_garbage<Tree>(x.dq), dv = with_garbage<Tree>(x.dv), H(2 * n, 2 * n);
    const MatrixXd H_tau = MatrixXd::Ones(2 * n, 2 * n);
    vector_loops::minv(tree, x.M.data(), inverse.data());
    vector_loops::aba_derivatives(tree, inverse.data(), dq.data(), dv.data());
    vector_loops::aba_vector_hessian(tree, inverse.data(), x.dq.data(), x.dv.data(), x.P.data(), H_tau.data(),
                                     H.data());
    return std::array{inverse, dq, dv, H};
  };
  const auto found = results(read), expected = results(Tree{});
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(error(found[k], expected[k]) < 1e-15);
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
  const MatrixXd inverse = inverse_of(x.M), derivative = -inverse * x.dM * inverse;

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
  CHECK(error(minv<Branches, float, Unrolled>(x.M.cast<float>()).cast<double>(), inverse) < 1e-6);
  const Matrices<Blocks<float>> y;
  CHECK(error(minv<Blocks<float>, float, Unrolled>(y.M.cast<float>()).cast<double>(), inverse_of(y.M)) <
        1e-6);
  CHECK(error(minv<Branches, Complex, Unrolled>(stepped).imag() / step, derivative) < 1e-13);
}
