// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/spatial.hpp>

/// First-order IDSVA (paper 000): the motion of a degree of freedom, and the forces that its changes add to those of
/// its subtree. I, B and F are the inertia, 2 B and the force of that subtree. Straight-line code and panels share
/// this file.
namespace featherline::algebra {
inline namespace FEATHERLINE_REGISTERS {

/// A column of the motion subspace and its rates: S, Psi-dot, Psi-double-dot, and Psi-dot + S-dot.
template <class T>
struct AxisMotion {
  Motion<T> S, Pd, Pdd, rate;
};

/// t2 of the papers, per unit of velocity: 2 B S + I (Psi-dot + S-dot).
template <class T>
Force<T> force_of_speed(const Inertia<T>& I, const Coriolis<T>& B, const Motion<T>& S,
                        const Motion<T>& rate) {
  return B.times(S) + I * rate;
}

/// t3 of the papers, per unit of the coordinate: 2 B Psi-dot + I Psi-double-dot + S x* F.
template <class T>
Force<T> force_of_step(const Inertia<T>& I, const Coriolis<T>& B, const Force<T>& F, const Motion<T>& S,
                       const Motion<T>& Pd, const Motion<T>& Pdd) {
  return B.times(Pd) + I * Pdd + cross_dual(S, F);
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::algebra
