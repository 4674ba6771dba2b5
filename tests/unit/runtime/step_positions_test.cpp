// A and B of a step where the rows of v' stand there already, against those from the derivatives of the acceleration,
// which the reference solver judges.
#include "unit/runtime/random_tree_matrices.hpp"

#include <featherline/step_derivatives.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace featherline;
using namespace featherline::test;

namespace {

/// A base, joints that add, and behind them a ball and a free joint.
struct ManyMoves {
  static constexpr int nv = 18, num_axes = 18;
  static constexpr AxisInfo axes[] = {
      {0, -1, 0, 6},   {1, -1, 0, 6},   {2, -1, 0, 6},   {3, -1, 0, 6},   {4, -1, 0, 6},   {5, -1, 0, 6},
      {6, 0, 6, 1},    {7, 6, 7, 3},    {8, 6, 7, 3},    {9, 6, 7, 3},    {10, 0, 10, 1},  {11, 10, 11, 6},
      {12, 10, 11, 6}, {13, 10, 11, 6}, {14, 10, 11, 6}, {15, 10, 11, 6}, {16, 10, 11, 6}, {17, 11, 17, 1}};
};
/// A ball in the world.
struct BallFirst {
  static constexpr int nv = 5, num_axes = 5;
  static constexpr AxisInfo axes[] = {
      {0, -1, 0, 3}, {1, -1, 0, 3}, {2, -1, 0, 3}, {3, 0, 3, 1}, {4, 3, 4, 1}};
};
struct Chain {
  static constexpr int nv = 7, num_axes = 7;
  static constexpr AxisInfo axes[] = {{0, -1, 0, 1}, {1, 0, 1, 1}, {2, 1, 2, 1}, {3, 2, 3, 1},
                                      {4, 3, 4, 1},  {5, 4, 5, 1}, {6, 5, 6, 1}};
};

/// Numbers in all places that are read; NaN elsewhere.
template <class Tree, class S>
struct Steps {
  static constexpr int n = Tree::nv;
  std::vector<S> moves, da_dq, da_dv, da_dtau, A, B;

  explicit Steps(bool behind_base)
      : moves(detail::size_of_moves(Tree{})), A(4 * n * n, nan), B(2 * n * n, nan) {
    std::mt19937 random(3);
    const auto any = [&] { return S(std::uniform_real_distribution<>(-1.0, 1.0)(random)); };
    for (std::vector<S>* x : {&da_dq, &da_dv, &da_dtau}) {
      x->resize(n * n);
      for (S& e : *x) e = any();
    }
    for (S& e : moves) e = any();
    const S dt = S(0.3);
    moves[0] = moves[2] = dt, moves[1] = dt * dt;
    int block = detail::Moves::first;
    for (int p = 0; p < n; p += Tree::axes[p].count) {
      const int count = Tree::axes[p].count, height = detail::Moves::height(count);
      if (count == 1) continue;
      // Of a free joint, angles do not depend on where it is.
      for (int k = 0; k < 2 * count && count == 6; ++k) {
        for (int r = 3; r < height && k % count < 3; ++r) moves[block + height * k + r] = S(0);
      }
      for (int k = 0; k < count && behind_base && p == 0; ++k) {
        for (int r = 0; r < height; ++r) moves[block + height * k + r] = nan;  // these columns are known
      }
      block += detail::Moves::size(count);
    }
  }
  /// The rows of v' from `begin` on, before the 1 by v.
  void put_rows_of_v(const std::vector<S>& da, int begin, S* X) const {
    for (int j = begin; j < n; ++j) {
      for (int r = 0; r < n; ++r) X[2 * n * j + n + r] = moves[0] * da[n * j + r];
    }
  }
  static constexpr S nan = std::numeric_limits<S>::quiet_NaN();
};

template <class S>
bool same(const std::vector<S>& x, const std::vector<S>& y) {
  bool all = true;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool both_unwritten = std::isnan(x[k]) && std::isnan(y[k]);
    all = all && (both_unwritten || std::abs(x[k] - y[k]) < 20 * std::numeric_limits<S>::epsilon());
  }
  return all;
}

template <class Tree, class S>
void check(bool behind_base) {
  Steps<Tree, S> from_da(behind_base), in_place(behind_base);
  const int n = Tree::nv;
  const Tree tree;
  const auto run = [&](auto& x, auto f, auto... arguments) {
    f(tree, x.moves.data(), arguments..., x.A.data(), x.B.data());
  };
  namespace steps = featherline::step_derivatives;
  const S *da_dq = from_da.da_dq.data(), *da_dv = from_da.da_dv.data(), *da_dtau = from_da.da_dtau.data();
  run(from_da, behind_base ? steps::semi_implicit_behind_base<Tree, S> : steps::semi_implicit<Tree, S>, da_dq,
      da_dv, da_dtau);
  in_place.put_rows_of_v(in_place.da_dq, behind_base ? 6 : 0, in_place.A.data());
  in_place.put_rows_of_v(in_place.da_dv, behind_base ? 3 : 0, in_place.A.data() + 2 * n * n);
  in_place.put_rows_of_v(in_place.da_dtau, 0, in_place.B.data());
  run(in_place, behind_base ? steps::positions_behind_base<Tree, S> : steps::positions<Tree, S>);
  CHECK(same(from_da.A, in_place.A));
  CHECK(same(from_da.B, in_place.B));
}

}  // namespace

TEST_CASE_TEMPLATE("rows of positions in place equal those from the derivatives of the acceleration", S,
                   double, float) {
  check<ManyMoves, S>(true);
  check<ManyMoves, S>(false);
  check<BallFirst, S>(false);
  check<Chain, S>(false);
  check<Branches, S>(false);  // the two coordinates of a cylindrical joint add
}
