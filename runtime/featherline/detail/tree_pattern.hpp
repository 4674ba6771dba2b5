// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/ancestor_panel.hpp>

/// Where the matrices of a branching tree have zeros, for vector_loops.hpp.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Ascending indices of coordinates.
struct Indices {
  const short* list;
  int count;

  int operator[](int m) const { return list[m]; }
};

template <class Tree>
class TreePattern {
 public:
  static constexpr int n = Tree::nv;

  constexpr TreePattern() {
    bool on_a_path[n][n] = {};
    for (int p = 0; p < Tree::num_axes; ++p) {
      for (int t = p; t >= 0; t = Tree::axes[t].parent) mark(on_a_path, p, Tree::axes[t]);
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) {
        if (on_a_path[k][i]) related_[k].add(i);
        if (i < k && (on_a_path[k][i] || Tree::coupled)) before_[k].add(i);
      }
    }
  }

  /// The coordinates on one path with k, itself included. Where j and k are on no common path, M(j, k),
  /// d tau_j / d q_k and T(., j, k) are zero.
  Indices related(int k) const { return {related_[k].list, related_[k].count}; }
  /// The coordinates before k where row k of L in M = L^T D L may differ from zero. Branches keep their zeros
  /// (Featherstone, RBDA section 6.5); where joints share coordinates L is taken to be full.
  Indices before(int k) const { return {before_[k].list, before_[k].count}; }

 private:
  struct List {
    short list[n] = {};
    int count = 0;

    constexpr void add(int i) { list[count++] = static_cast<short>(i); }
  };

  static constexpr void mark(bool (&on_a_path)[n][n], int p, const AxisInfo& joint) {
    for (int c = 0; c < joint.count; ++c) {
      const int j = Tree::axes[p].idx_v, k = Tree::axes[joint.first + c].idx_v;
      on_a_path[j][k] = on_a_path[k][j] = true;
    }
  }

  List related_[n] = {}, before_[n] = {};
};

/// Coordinates up to which the compiler makes the pattern; the generator counts its bytes (bytes_of_pattern()).
inline constexpr int max_constant_pattern = 40;

/// Made by the compiler for robots of usual size: for 38 coordinates finding the pattern takes 2 us, half as long as
/// M^-1. Beyond that it is made in each call, n^2 beside the n^3 of the inverse and the products: for 64 coordinates
/// g++ 12 would take 7 s to compile it, and compilers limit constant expressions.
template <class Tree>
inline constexpr TreePattern<Tree> constant_pattern{};
template <class Tree>
decltype(auto) tree_pattern() {
  if constexpr (Tree::nv <= max_constant_pattern) {
    return (constant_pattern<Tree>);
  } else {
    return TreePattern<Tree>();
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
