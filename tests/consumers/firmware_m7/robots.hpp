#pragma once

#include <arm6.hpp>
#include <quadruped.hpp>

/// What the image runs and the host computes: the same list for both.

inline constexpr int num_states = 4;

/// Inputs of every function at one state; aba takes its torques from a.
template <class S, int nq, int nv>
struct State {
  S q[nq], v[nv], a[nv];
};

template <class S>
struct Quadruped {
  static constexpr int nq = quadruped::nq, nv = quadruped::nv;
  using X = State<S, nq, nv>;
  static void rnea(const X& x, S* tau) { quadruped::rnea(x.q, x.v, x.a, tau); }
  static void aba(const X& x, S* a) { quadruped::aba(x.q, x.v, x.a, a); }
  static void rnea_derivatives(const X& x, S* both) {
    quadruped::rnea_derivatives(x.q, x.v, x.a, both, both + nv * nv);
  }
  static void frame_jacobian(const X& x, S* J) {
    quadruped::frame_jacobian(x.q, static_cast<quadruped::Link>(quadruped::num_links - 1), J);
  }
};

template <class S>
struct Arm6 {
  static constexpr int nq = arm6::nq, nv = arm6::nv;
  using X = State<S, nq, nv>;
  static void rnea(const X& x, S* tau) { arm6::rnea(x.q, x.v, x.a, tau); }
  static void aba(const X& x, S* a) { arm6::aba(x.q, x.v, x.a, a); }
  static void rnea_derivatives(const X& x, S* both) {
    arm6::rnea_derivatives(x.q, x.v, x.a, both, both + nv * nv);
  }
  static void frame_jacobian(const X& x, S* J) {
    arm6::frame_jacobian(x.q, static_cast<arm6::Link>(arm6::num_links - 1), J);
  }
};
