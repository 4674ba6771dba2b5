// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <cmath>

/// Friction cones as rows of a quadratic program: A f <= 0 for the force or the impulse f of the ground on a point.
namespace featherline {

/// How many rows a cone of so many facets has: one for each, and one that does not let the ground pull.
constexpr int friction_cone_rows(int facets) { return facets + 1; }

/// The rows of one point.
///
///   facets     at least 3. The pyramid is inside of the cone |f_T| <= friction f_N: at its edges friction is that of the
///              cone. At its facets it is cos(pi / facets) times that: 0.71 for 4, 0.92 for 8
///   normal     3, from the ground to the robot, of any length but zero
///   friction   the coefficient, at least 0
///   A          friction_cone_rows(facets) x 3, column-major, in the axes of the normal. The last row is -normal
///
/// A normal of zero, and NaN, give NaN.
template <int facets, class S>
void put_friction_cone(const S* normal, const S& friction, S* A) {
  static_assert(facets >= 3, "a pyramid has three facets or more");
  using std::abs;
  using std::sqrt;
  constexpr int rows = friction_cone_rows(facets);
  constexpr double turn = 6.283185307179586476925286766559 / facets;
  const S inverse = S(1.0) / sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const S n[3] = {normal[0] * inverse, normal[1] * inverse, normal[2] * inverse};
  const int k = abs(n[2]) < S(0.7) ? 2 : 0, l = (k + 1) % 3, m = (k + 2) % 3;  // an axis away from the normal
  const S across = S(1.0) / sqrt(n[l] * n[l] + n[m] * n[m]);
  S t[3], u[3];
  t[k] = S(0.0);
  t[l] = -n[m] * across;
  t[m] = n[l] * across;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, h = (i + 2) % 3;
    u[i] = n[j] * t[h] - n[h] * t[j];
  }
  const S slope = friction * S(std::cos(turn / 2));
  for (int i = 0; i < 3; ++i) {
    for (int r = 0; r < facets; ++r)
      A[rows * i + r] = t[i] * S(std::cos(turn * r)) + u[i] * S(std::sin(turn * r)) - slope * n[i];
    A[rows * i + facets] = -n[i];
  }
}

/// The same for all points of `--contacts`, from the array `contact` of contact_step: gap, normal (3), friction and
/// restitution of each. `A` has the rows of one point after those of the other, 3 friction_cone_rows(facets) numbers
/// each.
template <int facets, class S>
void put_friction_cones(int num_points, const S* contact, S* A) {
  for (int k = 0; k < num_points; ++k)
    put_friction_cone<facets>(contact + 6 * k + 1, contact[6 * k + 4],
                              A + 3 * friction_cone_rows(facets) * k);
}

}  // namespace featherline
