#pragma once

#include <arm6.hpp>
#include <loaded.hpp>
#include <quadruped.hpp>

#include "../../examples/relinearise.hpp"

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
  /// A step without torques, four feet on slopes of their own.
  static void contact_step(const X& x, S* v_next) {
    const S ground[24] = {S(0),    S(0.25), S(0.5),  S(1), S(0.5),  S(0),    S(0),     S(-0.25),
                          S(0.5),  S(1),    S(0.75), S(0), S(0),    S(0.25), S(0.25),  S(1),
                          S(0.25), S(0),    S(0),    S(0), S(0.25), S(1),    S(0.625), S(0)};
    const S tau[nv] = {};
    S q_next[nq], impulse[12], status[quadruped::num_status_entries];
    quadruped::contact_step(x.q, x.v, tau, S(1) / S(1024), ground, q_next, v_next, impulse, status);
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
  /// A step of the arm, without torques, into a slope.
  static void contact_step(const X& x, S* v_next) {
    const S ground[6] = {S(-0.03125), S(0.25), S(0.5), S(1), S(0.25), S(0)}, tau[nv] = {};
    S q_next[nq], impulse[3], status[arm6::num_status_entries];
    arm6::contact_step(x.q, x.v, tau, S(1) / S(64), ground, q_next, v_next, impulse, status);
  }
  static constexpr int linear_model = 6 * nv * nv;  // numbers in A and B
  static void relinearise(const X& x, S* both) {
    ::relinearise(x.q, x.v, x.a, S(1) / S(1024), both, both + 4 * nv * nv);
  }
};

/// arm6 with forces, gravity and a payload as inputs: numbers that are exact in float.
template <class S>
struct Loaded {
  static constexpr int nq = loaded::nq, nv = loaded::nv;
  static constexpr S fext[6 * loaded::num_external_forces] = {
      S(12.5), S(-8), S(30), S(1.25), S(-0.5), S(0.75), S(-4), S(6), S(-2.5), S(0.5), S(0.25), S(-1)};
  static constexpr S p[loaded::num_parameters] = {
      S(1.5),       S(-2),       S(-9.5),  // gravity of a tilted base
      S(1.25),      S(0.0625),   S(-0.03125),    S(0.125),    S(0.0625),
      S(0.0078125), S(0.046875), S(-0.00390625), S(0.015625), S(0.03125)};
  using X = State<S, nq, nv>;
  static void rnea(const X& x, S* tau) { loaded::rnea(x.q, x.v, x.a, fext, p, tau); }
  static void aba(const X& x, S* a) { loaded::aba(x.q, x.v, x.a, fext, p, a); }
  static void rnea_derivatives(const X& x, S* both) {
    loaded::rnea_derivatives(x.q, x.v, x.a, fext, p, both, both + nv * nv);
  }
  static void frame_jacobian(const X& x, S* J) {
    loaded::frame_jacobian(x.q, static_cast<loaded::Link>(loaded::num_links - 1), J);
  }
};
