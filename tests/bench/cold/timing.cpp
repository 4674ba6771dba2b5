#include "cold/timing.hpp"

#include <algorithm>
#include <chrono>

namespace featherline::bench {

namespace {

constexpr int slower = 40;  ///< one call in so many forgets everything, which takes so many times as long
constexpr int warm_up = 8;  ///< calls before a warm one
constexpr int loops = 200;  ///< of each side
constexpr double loop_ns = 20e3;  ///< at least
constexpr double wait_ns = 20e3;  ///< between preparing and calling, as for the sensors

}  // namespace

Timing::Timing(Eviction& eviction, int calls)
    : eviction_{eviction}, calls_{calls}, ns_of_a_tick_{ns_of_a_tick()} {
  Side nothing;
  nothing.calls.push_back({[](void*, const void*) {}, nullptr, nullptr});
  std::vector<double> times;
  for (int i = 0; i < calls_; ++i) times.push_back(warm(nothing, 0));
  std::nth_element(times.begin(), times.begin() + calls_ / 2, times.end());
  empty_call_ = times[static_cast<std::size_t>(calls_) / 2];
}

double Timing::time(const DirectCall& call) const {
  const auto [function, workspace, input] = call;
  const std::uint64_t start = ticks();
  function(workspace, input);
  const std::uint64_t end = ticks();
  return static_cast<double>(end - start) * ns_of_a_tick_ - empty_call_;
}

double Timing::cold(const Side& side, std::size_t state, Forgotten forgotten) {
  eviction_.evict(side.memory, forgotten);
  return time(side.calls[state]);
}

double Timing::prepared(const Side& side, std::size_t state, Forgotten forgotten) {
  eviction_.evict(side.memory, forgotten);
  const DirectCall& prepare = side.prepare[state];
  prepare.function(prepare.workspace, prepare.input);
  const std::uint64_t start = ticks();
  while (static_cast<double>(ticks() - start) * ns_of_a_tick_ < wait_ns) {}
  return time(side.calls[state]);
}

double Timing::at_once(const Side& side, std::size_t state, Forgotten forgotten) {
  eviction_.evict(side.memory, forgotten);
  return time(side.prepare[state]) + time(side.calls[state]);
}

double Timing::warm(const Side& side, std::size_t state) {
  for (int i = 0; i < warm_up; ++i) time(side.calls[state]);
  return time(side.calls[state]);
}

void Timing::measure_cold(Side& side, std::size_t state, Forgotten forgotten) {
  Side::Cold& times = forgotten == Forgotten::lines ? side.without_lines : side.without_all;
  times.plain.push_back(cold(side, state, forgotten));
  if (side.prepare.empty()) return;
  times.prepared.push_back(prepared(side, state, forgotten));
  times.at_once.push_back(at_once(side, state, forgotten));
}

void Timing::measure_single_calls(std::vector<Side>& sides) {
  for (int i = 0; i < calls_; ++i) {
    const std::size_t state = static_cast<std::size_t>(i) % sides[0].calls.size();
    for (Side& side : sides) {
      measure_cold(side, state, Forgotten::lines);
      if (i % slower == 0) measure_cold(side, state, Forgotten::everything);
      side.warm.push_back(warm(side, state));
    }
  }
}

namespace {

/// Nanoseconds a call.
double loop(const Side& side, int repetitions) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repetitions; ++i) {
    for (const DirectCall& call : side.calls) call.function(call.workspace, call.input);
  }
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
  return passed.count() / (repetitions * static_cast<double>(side.calls.size()));
}

}  // namespace

void Timing::measure_loops(std::vector<Side>& sides) {
  std::vector<int> repetitions;
  for (Side& side : sides) {
    side.in_a_loop = loop(side, 1);
    repetitions.push_back(
        1 + static_cast<int>(loop_ns / (side.in_a_loop * static_cast<double>(side.calls.size()))));
  }
  for (int i = 0; i < loops; ++i) {
    for (std::size_t k = 0; k < sides.size(); ++k)
      sides[k].in_a_loop = std::min(sides[k].in_a_loop, loop(sides[k], repetitions[k]));
  }
}

}  // namespace featherline::bench
