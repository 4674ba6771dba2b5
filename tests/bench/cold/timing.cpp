#include "cold/timing.hpp"

#include <algorithm>
#include <chrono>

namespace featherline::bench {

namespace {

constexpr int slower = 40;  ///< one call in so many forgets everything, which takes so many times as long
constexpr int rarely = 4;   ///< one call in so many is timed in the less important ways
constexpr int warm_up = 8;  ///< calls before a warm one
constexpr int loops = 200;  ///< of each side
constexpr double loop_ns = 20e3;  ///< at least
constexpr double wait_ns = 20e3;  ///< between preparing and calling, as for the sensors

FEATHERLINE_TIMING_CODE void nothing(void*, const void*) {}

}  // namespace

void call_emitted(void* address, const void* arguments) {
  using P = const void*;
  const auto& a = *static_cast<const EmittedCalls::Arguments*>(arguments);
  reinterpret_cast<void (*)(P, P, P, P, P, P, P, P, P, P, P, P)>(address)(
      a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

Timing::Timing(Eviction& eviction, int calls)
    : eviction_{eviction}, calls_{calls}, ns_of_a_tick_{ns_of_a_tick()} {
  Side empty;
  empty.calls.push_back({nothing, nullptr, nullptr});
  std::vector<double> times;
  for (int i = 0; i < calls_; ++i) times.push_back(warm(empty, 0));
  std::nth_element(times.begin(), times.begin() + calls_ / 2, times.end());
  empty_call_ = times[static_cast<std::size_t>(calls_) / 2];
}

double Timing::time(const DirectCall& call) const {
  // First nothing is called in the same way: what surrounds the call is in the caches then.
  const bool emitted = call.function == call_emitted;
  const DirectCall empty = {emitted ? call_emitted : nothing, reinterpret_cast<void*>(nothing), call.input};
  std::uint64_t start = 0, end = 0;
  for (const DirectCall& c : {empty, call}) {
    const DirectCall now = c;
    start = ticks();
    now.function(now.workspace, now.input);
    end = ticks();
  }
  return static_cast<double>(end - start) * ns_of_a_tick_ - empty_call_;
}

double Timing::cold(const Side& side, std::size_t state, Forgotten forgotten) {
  eviction_.evict(side.memory, forgotten);
  return time(side.calls[state]);
}

void Timing::wait_for_sensors(const Side& side, std::size_t state) const {
  const std::uint64_t start = ticks();
  while (static_cast<double>(ticks() - start) * ns_of_a_tick_ < wait_ns) {}
  if (side.write_inputs.empty()) return;
  const DirectCall& write = side.write_inputs[state];
  write.function(write.workspace, write.input);
}

double Timing::prepared(const Side& side, std::size_t state, Forgotten forgotten) {
  eviction_.evict(side.memory, forgotten);
  const DirectCall& prepare = side.prepare[state];
  prepare.function(prepare.workspace, prepare.input);
  wait_for_sensors(side, state);
  return time(side.calls[state]);
}

double Timing::called(const Side& side, std::size_t state, Forgotten forgotten) {
  eviction_.evict(side.memory, forgotten);
  // At the same state where nobody writes the inputs anew: they are in the caches then, too.
  const DirectCall& other = side.calls[(state + (side.write_inputs.empty() ? 0 : 1)) % side.calls.size()];
  other.function(other.workspace, other.input);
  wait_for_sensors(side, state);
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

void Timing::measure_cold(Side& side, std::size_t state, Forgotten forgotten, bool in_all_ways) {
  Side::Cold& times = forgotten == Forgotten::lines ? side.without_lines : side.without_all;
  times.plain.push_back(cold(side, state, forgotten));
  if (in_all_ways) times.called.push_back(called(side, state, forgotten));
  if (side.prepare.empty()) return;
  times.prepared.push_back(prepared(side, state, forgotten));
  if (in_all_ways) times.at_once.push_back(at_once(side, state, forgotten));
}

namespace {

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

/// Of two libraries of ours the one that is faster out of cold caches goes on.
void keep_the_faster(std::vector<Side>& sides) {
  if (sides.size() < 2 || sides[0].name != sides[1].name) return;
  const bool first = median(sides[0].without_lines.plain) < median(sides[1].without_lines.plain);
  sides.erase(sides.begin() + (first ? 1 : 0));
}

}  // namespace

void Timing::measure_single_calls(std::vector<Side>& sides) {
  for (int i = 0; i < calls_; ++i) {
    if (i == calls_ / 10 + 1) keep_the_faster(sides);
    const std::size_t state = static_cast<std::size_t>(i) % sides[0].calls.size();
    for (Side& side : sides) {
      measure_cold(side, state, Forgotten::lines, i % rarely == 0);
      if (i % slower == 0) measure_cold(side, state, Forgotten::everything, true);
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
