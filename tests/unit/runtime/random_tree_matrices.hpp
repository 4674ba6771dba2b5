#pragma once

#include <featherline/detail/tree_relations.hpp>
#include <featherline/vector_loops.hpp>

#include <Eigen/Dense>

#include <random>
#include <vector>

/// Trees as loops and unrolled routines of the runtime read them, and random matrices and tensors with their zeros.
namespace featherline::test {

using Eigen::MatrixXd;

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

/// The same behind a joint of three axes, and another one behind a branch.
struct CoupledTurns {
  static constexpr int nv = 9, num_axes = 10;
  static constexpr bool coupled = true;
  static constexpr AxisInfo axes[] = {{0, -1, 0, 3}, {1, -1, 0, 3}, {2, -1, 0, 3}, {3, 0, 3, 1},
                                      {4, 3, 4, 1},  {5, 4, 5, 1},  {4, 3, 6, 1},  {6, 6, 7, 3},
                                      {7, 6, 7, 3},  {8, 6, 7, 3}};
};

template <int N, int (*parent)(int)>
struct AxisRows {
  AxisInfo rows[N] = {};
  constexpr AxisRows() {
    for (int k = 0; k < N; ++k) rows[k] = {k, parent(k), k, 1};
  }
  /// The first axes are one joint.
  constexpr explicit AxisRows(int base) : AxisRows() {
    for (int k = 0; k < base; ++k) rows[k] = {k, -1, 0, base};
  }
  constexpr const AxisInfo& operator[](int k) const { return rows[k]; }
};

constexpr int fork_parent(int k) { return k == 40 ? 9 : k - 1; }
/// Branches of 30 axes behind a trunk of 10: more coordinates than have a pattern at compile time, or unrolled
/// routines.
struct Fork {
  static constexpr int nv = 70, num_axes = 70;
  static constexpr bool coupled = false;
  static constexpr AxisRows<70, fork_parent> axes{};
};

constexpr int leg_parent(int k) { return k % 3 == 0 ? 0 : k - 1; }
/// A floating base with four legs of three axes.
struct Legs {
  static constexpr int nv = 18, num_axes = 18;
  static constexpr bool coupled = false;
  static constexpr AxisRows<18, leg_parent> axes{6};
};

constexpr int limb_parent(int k) { return k == 9 ? 0 : k == 20 || k == 29 ? 10 : k - 1; }
/// A floating base with a leg of three axes, a trunk of two with a spine of nine, and an arm of nine and one of two.
/// The long ones are cut into several segments.
struct Limbs {
  static constexpr int nv = 31, num_axes = 31;
  static constexpr bool coupled = false;
  static constexpr AxisRows<31, limb_parent> axes{6};
};

constexpr int humanoid_parent(int k) { return k == 12 ? 0 : k == 22 || k == 30 ? 14 : k - 1; }
/// A floating base with a leg of six axes, a torso of three with arms of seven and eight, and a head of three: blocks
/// whose trunk has nine coordinates, which are apart.
struct Humanoid {
  static constexpr int nv = 33, num_axes = 33;
  static constexpr bool coupled = false;
  static constexpr AxisRows<33, humanoid_parent> axes{6};
};

constexpr int long_limb_parent(int k) { return k == 12 || k == 20 ? 3 : k - 1; }
/// A trunk of four axes with limbs of eight, eight and four: in vectors of four numbers, the first one that holds
/// coordinates of the last limb begins behind the limb's block of eight.
struct LongLimbs {
  static constexpr int nv = 24, num_axes = 24;
  static constexpr bool coupled = false;
  static constexpr AxisRows<24, long_limb_parent> axes{};
};

constexpr int chain_aside_parent(int k) { return k == 15 ? -1 : k == 9 ? 2 : k - 1; }
/// A trunk of three axes with two limbs of six, and beside it a chain in the world.
struct ChainAside {
  static constexpr int nv = 17, num_axes = 17;
  static constexpr bool coupled = false;
  static constexpr AxisRows<nv, chain_aside_parent> axes{};
};

constexpr int arm_parent(int k) {
  return k == 0 || k == 1 || k == 10 ? -1 : k == 9 || k == 18 ? k - 2 : k - 1;
}
/// A head of one axis and two arms of seven with two fingers each, which all stand in the world: dense groups.
struct Arms {
  static constexpr int nv = 19, num_axes = 19;
  static constexpr bool coupled = false;
  static constexpr AxisRows<19, arm_parent> axes{};
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
  static const auto table = [] {  // tensors ask for it a hundred thousand times
    Eigen::Matrix<bool, Tree::nv, Tree::nv> on_one_path = decltype(on_one_path)::Constant(false);
    for (int p = 0; p < Tree::num_axes; ++p) {
      for (const int t : path<Tree>(p)) {
        const int x = Tree::axes[p].idx_v, y = Tree::axes[t].idx_v;
        on_one_path(x, y) = on_one_path(y, x) = true;
      }
    }
    return on_one_path;
  }();
  return table(j, k);
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

/// By coordinates: whether an axis of i is in a joint above that of an axis of j.
template <class Tree>
bool above(int i, int j) {
  for (int p = 0; p < Tree::num_axes; ++p) {
    for (const int t : path<Tree>(p)) {
      const bool other_joint = Tree::axes[t].first != Tree::axes[p].first;
      if (other_joint && Tree::axes[p].idx_v == j && Tree::axes[t].idx_v == i) return true;
    }
  }
  return false;
}

template <class Tree>
bool in_one_joint(int j, int k) {
  for (int p = 0; p < Tree::num_axes; ++p) {
    for (int t = 0; t < Tree::num_axes; ++t) {
      const bool both = Tree::axes[p].idx_v == j && Tree::axes[t].idx_v == k;
      if (both && Tree::axes[p].first == Tree::axes[t].first) return true;
    }
  }
  return false;
}

/// T(i, j, k) becomes T(i, k, j), except inside a joint if `turns`.
template <class Tree>
std::vector<double> symmetric(std::vector<double> T, bool turns) {
  constexpr int n = Tree::nv;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) {
      if (turns && in_one_joint<Tree>(j, k)) continue;
      for (int i = 0; i < n; ++i)
        T[static_cast<std::size_t>(i + n * (j + n * k))] = T[static_cast<std::size_t>(i + n * (k + n * j))];
    }
  }
  return T;
}

/// dM/dq_j: zero unless both coordinates are on a path with j, and one of them is above its joint. Joints that share a
/// coordinate move against each other, unless they hang on the same joint.
template <class Tree>
MatrixXd random_inertia_derivative(int j, std::mt19937& random) {
  constexpr int n = Tree::nv;
  MatrixXd dM = random_symmetric<Tree>(random);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const bool moves = detail::fills_factor<Tree>() || above<Tree>(i, j) || above<Tree>(k, j);
      if (!moves || !related<Tree>(i, j) || !related<Tree>(k, j)) dM(i, k) = 0.0;
    }
  }
  return dM;
}

/// Tensors of inverse dynamics in the order of the routines.
template <class Tree>
struct RandomTensors {
  explicit RandomTensors(std::mt19937& random)
      : tau_qq(symmetric<Tree>(random_tensor<Tree>(random), true)),
        tau_vv(symmetric<Tree>(random_tensor<Tree>(random), false)),
        tau_qv(random_tensor<Tree>(random)) {
    for (int j = 0; j < Tree::nv; ++j) {
      const MatrixXd slice = random_inertia_derivative<Tree>(j, random);
      dM.insert(dM.end(), slice.data(), slice.data() + slice.size());
    }
  }
  std::vector<double> tau_qq, tau_vv, tau_qv, dM;
};

}  // namespace featherline::test
