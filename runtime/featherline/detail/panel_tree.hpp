// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// The tables that emitted code declares for featherline/panels.hpp.
///
/// Each degree of freedom has a slot. A joint's slots follow each other. A subtree's slots follow those of the joint
/// that carries it. So the rows of a matrix that belong to a subtree are one range of slots. They are a few ranges
/// where the coordinates are in another order. A floating base at the root has no slots, because its motion is known.
/// Behind all slots comes one place for each child of the world. Such a child is the root of a subtree.
///
/// A table is a struct with these static members:
///
///   nv                  number of coordinates
///   num_slots, num_bodies, num_roots                  how many there are
///   max_places          num_slots + num_roots, the size of arrays
///   floating            there is one root, the floating base with the coordinates 0 to 5
///   single_axes         no joint has several axes
///   turns_only          all axes turn, none slides
///   placements_vary     some bodies have other joints than turning ones
///   bodies[]            PanelBody, parents before children, near bodies before far ones
///   placements<Real>[]  by body 12 numbers: the columns of its rotation in its parent, and its origin, at angle 0
///   parents[]           by slot: the slot before it on the path from the root, or the place of the root
///   coordinates[]       by slot: its coordinate, which coupled joints share
///   joints[]            by slot: the first slot of its joint
///   directions[]        by slot: 0, 1 or 2 for an axis along x, y or z of the body
///   turns<Real>[], slides<Real>[]     by slot: how far the axis turns and slides the body at unit rate of
///                       its coordinate
///   inertias<Real>[][]  10 rows, by slot: m, h, J of the body behind the joint at its last slot, otherwise zero
///   segments[]          PanelSegment, ordered by slots
///   ranges[]            PanelRange, the lists that segments refer to
///   all_begin, all_end  the ranges of all slots
namespace featherline {

/// A body behind a joint.
struct PanelBody {
  int parent;       ///< the last slot of the parent's joint, or the place of the root
  int first, last;  ///< the slots of its joint
  int placement;    ///< its number among the bodies whose placement varies, otherwise -1
};

/// Slots whose coordinates follow each other, too.
struct PanelRange {
  int first, count;
  int row;  ///< the coordinate of the first slot
};

/// Joints behind each other without a branch.
struct PanelSegment {
  int first, count;
  int row;  ///< the coordinate of the first slot
  int above_begin,
      above_end;  ///< the ranges of all slots on the path to the root, those of the segment left out
  int below_begin,
      below_end;  ///< the ranges of all slots of the subtree; the first one begins with the segment
};

}  // namespace featherline
