// Times of steps with contacts: random states near the neutral position, falling, all points on a plane with friction
// 0.6. A warm start has the impulses of the step that a hundredth less of the torques would give.
#include "contact_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace featherline::bench {
namespace {

constexpr int num_states = 400, repetitions = 30, calls = 4;

struct States {
  std::vector<double> q, v, tau, contact, start;
};

States random_states(const ContactRobot& robot) {
  std::mt19937 random(1);
  const auto uniform = [&](double most) { return std::uniform_real_distribution<>(-most, most)(random); };
  States s;
  for (int k = 0; k < num_states; ++k) {
    std::vector<double> q;
    for (int i = 0; i < robot.nq; ++i) q.push_back(uniform(0.5));
    if (robot.nq > robot.nv) {
      q[6] = 1.0;
      for (int i = 3; i < 6; ++i) q[static_cast<std::size_t>(i)] *= 0.2;
      const double size = std::hypot(std::hypot(q[3], q[4]), std::hypot(q[5], q[6]));
      for (int i = 3; i < 7; ++i) q[static_cast<std::size_t>(i)] /= size;
    }
    s.q.insert(s.q.end(), q.begin(), q.end());
    for (int i = 0; i < robot.nv; ++i) {
      s.v.push_back(uniform(0.3) - (i == 2 ? 0.2 : 0.0));
      s.tau.push_back(uniform(5.0));
    }
    for (int p = 0; p < robot.num_points; ++p)
      s.contact.insert(s.contact.end(), {0.0, 0.0, 0.0, 1.0, 0.6, 0.0});
  }
  s.start.resize(static_cast<std::size_t>(num_states * 3 * robot.num_points));
  return s;
}

/// Nanoseconds of a call by state, the best of many, in ascending order.
template <class Call>
std::vector<double> times(const Call& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> all;
  for (int k = 0; k < num_states; ++k) {
    double best = 1e30;
    for (int r = 0; r < repetitions; ++r) {
      const auto begin = Clock::now();
      for (int i = 0; i < calls; ++i) call(k);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() / calls);
    }
    all.push_back(1e9 * best);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void measure(const ContactRobot& robot) {
  States s = random_states(robot);
  const int n = robot.nv, N = robot.num_points;
  std::vector<double> q(static_cast<std::size_t>(robot.nq)), v(static_cast<std::size_t>(n)),
      impulse(static_cast<std::size_t>(3 * N)), status(static_cast<std::size_t>(4 + N)),
      A(static_cast<std::size_t>(4 * n * n)), B(static_cast<std::size_t>(2 * n * n));
  End end{q.data(), v.data(), impulse.data(), status.data(), A.data(), B.data()};
  const auto step = [&](int k) {
    return Step{
        &s.q[static_cast<std::size_t>(k * robot.nq)],    &s.v[static_cast<std::size_t>(k * n)],
        &s.tau[static_cast<std::size_t>(k * n)],         1e-3,
        &s.contact[static_cast<std::size_t>(k * 6 * N)], &s.start[static_cast<std::size_t>(k * 3 * N)]};
  };
  int solved = 0;
  for (int k = 0; k < num_states; ++k) {
    for (int i = 0; i < n; ++i) s.tau[static_cast<std::size_t>(k * n + i)] *= 0.99;
    robot.cold(step(k), end);
    solved += status[2] == 0.0 ? 1 : 0;
    std::copy(impulse.begin(), impulse.end(), s.start.begin() + k * 3 * N);
    for (int i = 0; i < n; ++i) s.tau[static_cast<std::size_t>(k * n + i)] /= 0.99;
  }
  fmt::print("{} ({} points, {} of {} states solved)\n", robot.name, N, solved, num_states);
  for (const auto& [name, function] : {std::pair("step", robot.free_step),
                                       {"contact_step, cold", robot.cold},
                                       {"contact_step_warm", robot.warm},
                                       {"contact_step_derivatives", robot.derivatives}}) {
    const std::vector<double> all = times([&, call = function](int k) { call(step(k), end); });
    fmt::print("  {:25} median {:7.0f}  99% {:7.0f}  most {:7.0f} ns\n", name, all[num_states / 2],
               all[num_states * 99 / 100], all.back());
  }
}

}  // namespace
}  // namespace featherline::bench

int main() {
  for (const featherline::bench::ContactRobot& robot : featherline::bench::contact_robots())
    featherline::bench::measure(robot);
}
