// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline::detail {

/// What a joint allows in a step: speeds from `low` to `high`, which limits of its position give, and an impulse of friction
/// up to `most`, against the speed where that is not zero. A limit gives any impulse that holds its speed. So the pairs of
/// impulse and speed are a curve that falls: each line of impulse over speed that rises meets it once.
template <class S>
struct JointBounds {
  S low, high, most;

  static S between(const S& low, const S& x, const S& high) { return x < low ? low : x > high ? high : x; }

  /// Where the speed is d (impulse - y): the impulse, and the speed. It is `held` where the speed is known, and the impulse
  /// follows; else the impulse is known, that of friction.
  struct Met {
    S impulse, speed;
    bool held;
  };
  Met at(const S& d, const S& y) const {
    const S friction = between(-most, y, most), slip = d * (friction - y), speed = between(low, slip, high);
    if (speed == slip) return {friction, slip, friction == y && most > S(0.0)};
    return {y + speed / d, speed, true};
  }
};

}  // namespace featherline::detail
