// Steps in time beside the dynamics that they are made of, of one robot. scripts/bench --steps compiles it with
// -DFEATHERLINE_ROBOT=NAME -DFEATHERLINE_HEADER="NAME.hpp", with -DFEATHERLINE_SCALAR=float for that type, and with
// -DFEATHERLINE_BATCH_NATIVE where there are batches.
#include FEATHERLINE_HEADER

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

#ifndef FEATHERLINE_SCALAR
#define FEATHERLINE_SCALAR double
#endif

namespace robot = FEATHERLINE_ROBOT;
using robot::nq;
using robot::nv;

namespace {

using Scalar = FEATHERLINE_SCALAR;
constexpr int states = 16, steps = 100, lanes = 256, nodes = 50;
constexpr Scalar dt = Scalar(1e-4);  // short, so that hundreds of steps stay near the start

/// States and results, one after the other.
struct Data {
  std::vector<Scalar> q, v, tau, w, out[3];

  Data() : q(size(nq)), v(size(nv)), tau(size(nv) * steps), w(size(2 * nv)) {
    std::mt19937 random(1);
    std::uniform_real_distribution<Scalar> any(-1, 1);
    for (std::vector<Scalar>* x : {&v, &tau, &w}) {
      for (Scalar& entry : *x) entry = any(random);
    }
    const std::vector<Scalar> neutral(robot::neutral, robot::neutral + nq);
    for (std::size_t k = 0; k < lanes; ++k) robot::integrate(neutral.data(), &w[k * 2 * nv], &q[k * nq]);
    for (std::vector<Scalar>& x : out) x.resize(std::max(4 * size(nv) * nv, size(nq) * steps));
  }
  static std::size_t size(int count) {
    return static_cast<std::size_t>(lanes) * static_cast<std::size_t>(count);
  }
};

/// ns of a call, the best of many rounds over several states.
template <class F>
double time_of(int calls, const F& call) {
  double best = 1e30;
  for (int round = 0; round < 200; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) call(static_cast<std::size_t>(k));
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / calls);
  }
  return best;
}

void row(const char* name, double ns, const char* beside, double of_beside) {
  std::printf("| %s | %.1f | %.3f of %s |\n", name, ns, ns / of_beside, beside);
}

}  // namespace

int main() {
  Data x;
  Scalar *a = x.out[0].data(), *b = x.out[1].data(), *c = x.out[2].data();
  const auto q = [&](std::size_t k) { return &x.q[k * nq]; };
  const auto v = [&](std::size_t k) { return &x.v[k * nv]; };
  const auto tau = [&](std::size_t k) { return &x.tau[k * nv]; };
  const auto w = [&](std::size_t k) { return &x.w[k * 2 * nv]; };
  const double aba = time_of(states, [&](auto k) { robot::aba(q(k), v(k), tau(k), a); });
  const double derivatives =
      time_of(states, [&](auto k) { robot::aba_derivatives(q(k), v(k), tau(k), a, b, c); });
  const double vjp = time_of(states, [&](auto k) { robot::aba_vjp(q(k), v(k), tau(k), w(k), a, b, c); });
  std::printf("| function | ns | |\n| --- | --- | --- |\n| aba | %.1f | |\n", aba);
  row("step", time_of(states, [&](auto k) { robot::step(q(k), v(k), tau(k), dt, a, b); }), "aba", aba);
  row("rollout, a step",
      time_of(1, [&](auto) { robot::rollout(q(0), v(0), tau(0), dt, steps, a, b); }) / steps, "aba", aba);
  std::printf("| aba_derivatives | %.1f | |\n", derivatives);
  row("step_derivatives",
      time_of(states, [&](auto k) { robot::step_derivatives(q(k), v(k), tau(k), dt, a, b); }),
      "aba_derivatives", derivatives);
  std::printf("| aba_vjp | %.1f | |\n", vjp);
  row("step_vjp", time_of(states, [&](auto k) { robot::step_vjp(q(k), v(k), tau(k), dt, w(k), a, b, c); }),
      "aba_vjp", vjp);
  // What a solver asks for in an iteration: A and B along a horizon.
  const double horizon = time_of(1, [&](auto) {
    for (std::size_t k = 0; k < nodes; ++k) robot::step_derivatives(q(k), v(k), tau(k), dt, a, b);
  });
  std::printf("| step_derivatives of %d nodes | %.0f | |\n", nodes, horizon);
#ifdef FEATHERLINE_BATCH_NATIVE
  const double many = time_of(1, [&](auto) { robot::batch::aba(lanes, q(0), v(0), tau(0), a); }) / lanes;
  std::printf("| batch::aba, a state | %.1f | |\n", many);
  std::vector<Scalar> dts(lanes, dt);
  row("batch::step_derivatives of the nodes",
      time_of(1, [&](auto) { robot::batch::step_derivatives(nodes, q(0), v(0), tau(0), dts.data(), a, b); }),
      "step_derivatives of them", horizon);
  row("batch::rollout, a step",
      time_of(1, [&](auto) { robot::batch::rollout(lanes, q(0), v(0), tau(0), dts.data(), steps, a, b); }) /
          (lanes * steps),
      "batch::aba", many);
#endif
  return 0;
}
