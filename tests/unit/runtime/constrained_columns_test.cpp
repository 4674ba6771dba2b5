// The columns of derivatives under constraints, of forward and of inverse dynamics, in registers and in loops, against
// Eigen's solution of the equations.
#include "ir/heap_room.hpp"
#include "ir/robot_tables.hpp"
#include "unit/runtime/random_tree_matrices.hpp"

#include <featherline/constrained_derivatives.hpp>
#include <featherline/constrained_inverse.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace featherline;
using namespace featherline::test;
using Eigen::MatrixXd;

namespace {

/// By row: the last coordinate on the way to its link.
template <class TreeType, bool is_behind_base, int... last>
struct Case {
  using Tree = TreeType;
  using Ends = detail::LastCoordinates<last...>;
  static constexpr int m = Ends::count;
  static constexpr bool behind_base = is_behind_base;

  static bool depends(int row, int k) { return k <= Ends::list[row] && related<Tree>(Ends::list[row], k); }
  /// Zeros where rows do not depend on a coordinate.
  static void clear_rows(MatrixXd& rows) {
    for (int r = 0; r < m; ++r) {
      for (int k = 0; k < Tree::nv; ++k) rows(r, k) *= depends(r, k) ? 1.0 : 0.0;
    }
  }
  static bool any_depends(int k) {
    bool any = false;
    for (int r = 0; r < m; ++r) any = any || depends(r, k);
    return any;
  }
};

/// Random equations, with the zeros of the tree, and their solution.
template <class C>
struct Equations {
  using Tree = typename C::Tree;
  static constexpr int n = Tree::nv, m = C::m;

  MatrixXd M, minus_J, k_q, k_v, force, base, turned, world, Minv, b_q, b_v, factor = MatrixXd::Zero(m, m);
  MatrixXd da_q, da_v, da_tau, dl_q, dl_v, dl_tau;

  Equations() {
    std::mt19937 random(5);
    const auto some = [&](int height, int width) {
      return MatrixXd::NullaryExpr(height, width,
                                   [&] { return std::uniform_real_distribution<>(-1.0, 1.0)(random); })
          .eval();
    };
    M = random_symmetric<Tree>(random) + n * MatrixXd::Identity(n, n);
    Minv = M.inverse();
    minus_J = some(m, n);
    for (int k = 1; k < n; k += 3) minus_J.col(k).setZero();
    k_q = some(m, n), k_v = some(m, n), turned = some(m, 3), world = some(m, m), base = some(3, 6);
    k_q.rightCols(n / 2).setZero();
    for (MatrixXd* rows_of : {&minus_J, &k_q, &k_v}) C::clear_rows(*rows_of);
    force = random_matrix<Tree>(random), b_q = random_matrix<Tree>(random), b_v = random_matrix<Tree>(random);
    for (int k = 0; k < n; ++k) force.col(k) *= C::any_depends(k) ? 1.0 : 0.0;
    if (C::behind_base) k_q.leftCols(3).setZero();
    const MatrixXd J = -minus_J, D = J * Minv * J.transpose();
    factorise(D);
    MatrixXd right_q = b_q - force, right_v = b_v;
    if (C::behind_base) right_q.leftCols(6).setZero(), right_v.leftCols(3).setZero();
    const MatrixXd P = Minv * J.transpose();
    const auto solve = [&](const MatrixXd& b, const MatrixXd& k, MatrixXd& da, MatrixXd& dl) {
      const MatrixXd lambda = D.inverse() * (P.transpose() * b - k);
      da = -Minv * b + P * lambda;
      dl = world * lambda;
    };
    solve(right_q, k_q, da_q, dl_q);
    solve(right_v, k_v, da_v, dl_v);
    solve(-MatrixXd::Identity(n, n), MatrixXd::Zero(m, n), da_tau, dl_tau);
    if (!C::behind_base) return;
    da_q.block(0, 3, 3, 3) += base.leftCols(3);
    da_v.topLeftCorner(3, 3) += base.rightCols(3);
    dl_q.middleCols(3, 3) += turned;
  }
  /// D = L E L^T.
  void factorise(MatrixXd D) {
    for (int k = 0; k < m; ++k) {
      factor(k, k) = 1.0 / D(k, k);
      for (int r = k + 1; r < m; ++r) factor(r, k) = D(r, k) / D(k, k);
      for (int r = k + 1; r < m; ++r) {
        for (int s = k + 1; s < m; ++s) D(r, s) -= factor(r, k) * D(k, s);
      }
    }
  }
};

template <class C, class S>
struct Results {
  static constexpr int n = C::Tree::nv, m = C::m;
  using Matrix = Eigen::Matrix<S, -1, -1>;
  Matrix q, v, tau, lq = Matrix::Zero(m, n), lv = Matrix::Zero(m, n), ltau = Matrix::Zero(m, n);

  template <class Solve>
  Results(const Equations<C>& e, const Solve& solve)
      : q(e.b_q.template cast<S>()),
        v(e.b_v.template cast<S>()),
        tau(Matrix::Constant(n, n, std::numeric_limits<S>::quiet_NaN())) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {  // nobody may read these
        if (!related<typename C::Tree>(i, j)) q(i, j) = v(i, j) = std::numeric_limits<S>::quiet_NaN();
      }
    }
    if (C::behind_base) q.leftCols(3).setZero();
    const Matrix rows = e.minus_J.transpose().template cast<S>(),
                 factor = e.factor.transpose().template cast<S>(), world = e.world.template cast<S>(),
                 force = e.force.template cast<S>(), k_q = e.k_q.template cast<S>(),
                 k_v = e.k_v.template cast<S>(), turned = e.turned.template cast<S>(),
                 base = e.base.template cast<S>();
    const detail::ConstrainedInputs<S> in{rows.data(), factor.data(), world.data(),  force.data(),
                                          k_q.data(),  k_v.data(),    turned.data(), base.data()};
    const Matrix M = e.M.template cast<S>();
    solve(M.data(), in,
          detail::ConstrainedOutputs<S>{q.data(), v.data(), tau.data(), lq.data(), lv.data(), ltau.data()});
  }
  double error(const Equations<C>& e) const {
    double worst = 0.0;
    const auto compare = [&](const Matrix& x, const MatrixXd& expected) {
      const MatrixXd difference = x.template cast<double>() - expected;
      worst = difference.allFinite() ? std::max(worst, difference.cwiseAbs().maxCoeff() /
                                                           std::max(1.0, expected.cwiseAbs().maxCoeff()))
                                     : std::numeric_limits<double>::infinity();
    };
    compare(q, e.da_q), compare(v, e.da_v), compare(tau, e.da_tau);
    compare(lq, e.dl_q), compare(lv, e.dl_v), compare(ltau, e.dl_tau);
    return worst;
  }
};

}  // namespace

TEST_CASE_TEMPLATE("Columns under constraints solve their equations", C, Case<Branches, false, 7, 2, 6>,
                   Case<Legs, true, 8, 8, 8, 11, 11, 11, 14, 14, 14, 17, 17, 17>,
                   Case<Humanoid, true, 11, 11, 11, 11, 11, 11, 21, 29, 21, 13, 8, 31>,
                   Case<LongLimbs, false, 11, 19, 11, 11, 11, 19, 19, 19, 23, 23, 23, 23, 3, 2>,
                   Case<ChainAside, false, 8, 8, 8, 14, 1>, Case<ChainAside, false, 16, 8>,
                   Case<Limbs, false, 8, 19, 28, 30, 10>, Case<Fork, false, 39, 69>, Case<Single, false, 0>) {
  using Tree = typename C::Tree;
  const Equations<C> equations;
  const auto in_loops = [](const auto* M, const auto& in, const auto& to) {
    using S = std::decay_t<decltype(*in.rows)>;
    const Tree tree;
    vector_loops::inverse(tree, M, to.da_dtau);
    detail::ConstrainedLoops<C::m, Tree, S>(tree, C::m).run(in, to, C::behind_base);
  };
  const auto in_registers = [](const auto* M, const auto& in, const auto& to) {
    using S = std::decay_t<decltype(*in.rows)>;
    constrained_derivatives::solve<typename C::Ends, C::behind_base, Tree, S>(Tree{}, M, in, to);
  };
  CHECK(Results<C, double>(equations, in_loops).error(equations) < 1e-11);
  CHECK(Results<C, double>(equations, in_registers).error(equations) < 1e-11);
  CHECK(Results<C, float>(equations, in_registers).error(equations) < 1e-3);
}

namespace {

/// Rows of constraints, and coordinates without motors.
template <class TreeType, int rows, int... free>
struct Held {
  using Tree = TreeType;
  static constexpr int n = Tree::nv, m = rows, f = sizeof...(free);
  static constexpr int coordinates[] = {free...};

  template <class S, class Arrays>
  static void in_registers(const Arrays& x, Arrays& y) {
    constrained_inverse::columns<m, free...>(Tree{}, x[0].data(), x[1].data(), x[2].data(), x[3].data(),
                                             x[4].data(), x[5].data(), x[6].data(), y[0].data(), y[1].data(),
                                             y[2].data(), y[3].data(), y[4].data(), y[5].data());
  }
  template <class S, class Arrays>
  static void in_loops(const Arrays& x, Arrays& y) {
    std::vector<S> reach(static_cast<std::size_t>(n * f));
    detail::held_loops<S>(
        m, n, f, coordinates,
        {x[0].data(), x[1].data(), x[2].data(), x[3].data(), {x[4].data(), x[5].data(), x[6].data()}},
        {{y[0].data(), y[1].data(), y[2].data()}, {y[3].data(), y[4].data(), y[5].data()}}, reach.data());
  }
};

/// The worst difference from Eigen's products: dlambda = L (b_f + r) + s, dtau = b - J^T dlambda.
template <class C, class S>
double error_of_held(bool in_registers) {
  using Matrix = Eigen::Matrix<S, -1, -1>;
  std::mt19937 random(7);
  const auto some = [&](int height, int width) -> Matrix {
    return Matrix::NullaryExpr(
        height, width, [&] { return static_cast<S>(std::uniform_real_distribution<>(-1.0, 1.0)(random)); });
  };
  std::vector<Matrix> x{some(C::n, C::m), some(C::m, C::f), some(C::f, C::n), some(C::m, C::n)};
  for (int by = 0; by < 3; ++by) x.push_back(some(C::n, C::n));
  x[3].leftCols(C::n / 2).setZero();  // columns that no row moves
  std::vector<Matrix> y(3, Matrix::Constant(C::n, C::n, std::numeric_limits<S>::quiet_NaN()));
  y.resize(6, Matrix::Constant(C::m, C::n, std::numeric_limits<S>::quiet_NaN()));
  in_registers ? C::template in_registers<S>(x, y) : C::template in_loops<S>(x, y);
  double worst = 0.0;
  for (int by = 0; by < 3; ++by) {
    const MatrixXd b = x[static_cast<std::size_t>(4 + by)].template cast<double>();
    MatrixXd sums(C::f, C::n), dlambda = MatrixXd::Zero(C::m, C::n);
    for (int u = 0; u < C::f; ++u) sums.row(u) = b.row(C::coordinates[u]);
    if (by == 0) sums += x[2].template cast<double>(), dlambda = x[3].template cast<double>();
    dlambda -= x[1].template cast<double>() * sums;
    const MatrixXd dtau = b - x[0].template cast<double>() * dlambda;
    for (const auto& [found, expected] : {std::pair(y[static_cast<std::size_t>(by)], dtau),
                                          std::pair(y[static_cast<std::size_t>(3 + by)], dlambda)}) {
      const MatrixXd difference = found.template cast<double>() - expected;
      if (!difference.allFinite()) return std::numeric_limits<double>::infinity();
      worst =
          std::max(worst, difference.cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff()));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE_TEMPLATE("Columns of inverse dynamics under constraints", C, Held<Branches, 3, 0, 1, 5>,
                   Held<Legs, 12, 0, 1, 2, 3, 4, 5>, Held<Limbs, 5, 2>, Held<Fork, 2, 0, 39>,
                   Held<Single, 1, 0>) {
  CHECK(error_of_held<C, double>(false) < 1e-12);
  CHECK(error_of_held<C, double>(true) < 1e-12);
  CHECK(error_of_held<C, float>(true) < 1e-4);
}
