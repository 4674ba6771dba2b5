// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/axis_operators.hpp>

namespace featherline {

/// Where a degree of freedom stands in the tree. Axes of one joint follow each other, parents come before children.
struct AxisInfo {
  int idx_v;         ///< its coordinate
  int parent;        ///< any axis of the next joint towards the root, -1 at the root
  int first, count;  ///< the axes of its joint
};

}  // namespace featherline

/// The axes above one another, side by side, for the loops' packs.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Rows of `motion`: angular and linear halves, x y z.
enum MotionRow { row_S = 0, row_Pd = 6, row_Pdd = 12, row_rate = 18, num_motion = 24 };
/// Motion of all axes from the root to one joint, side by side.
template <class Tree, class S>
class AncestorPanel {
 public:
  static constexpr int width = PackOf<S>::width;
  static constexpr int stride = padded<S>(Tree::max_path);

  AncestorPanel(const Tree& tree, const S* motion) : tree_(tree), motion_(motion) {
    for (int k = 0; k < num_motion * stride; ++k) data_[k] = S(0);
  }

  /// Of the joint `axis` belongs to, and all above. What the joint before had in common stays where it is.
  void gather(int axis) {
    const int old_size = size_;
    size_ = 0;
    for (int k = axis; k >= 0; k = tree_.axes[k].parent) size_ += tree_.axes[k].count;
    int end = size_;
    for (int k = axis; k >= 0; k = tree_.axes[k].parent) {
      const AxisInfo& joint = tree_.axes[k];
      if (end <= old_size && axes_[end - 1] == joint.first + joint.count - 1) return;
      end -= joint.count;
      for (int c = 0; c < joint.count; ++c) copy(joint.first + c, end + c);
    }
  }

  int size() const { return size_; }
  int axis(int position) const { return axes_[position]; }
  int coordinate(int position) const { return coordinates_[position]; }

  Triple<Pack<S>> triple(int row, int position) const {
    const S* x = data_ + row * stride + position;
    return {load_pack(x), load_pack(x + stride), load_pack(x + 2 * stride)};
  }
  Screw<Pack<S>> screw(int row, int position) const {
    return {triple(row, position), triple(row + 3, position)};
  }
  Screw<S> screw_of(int row, int position) const {
    const S* x = data_ + row * stride + position;
    return {{x[0], x[stride], x[2 * stride]}, {x[3 * stride], x[4 * stride], x[5 * stride]}};
  }

 private:
  void copy(int axis, int position) {
    axes_[position] = axis;
    coordinates_[position] = tree_.axes[axis].idx_v;
    for (int row = 0; row < num_motion; ++row)
      data_[row * stride + position] = motion_[row * tree_.num_axes + axis];
  }

  const Tree& tree_;
  const S* motion_;
  int size_ = 0;
  int axes_[Tree::max_path], coordinates_[Tree::max_path];
  S data_[num_motion * stride];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
