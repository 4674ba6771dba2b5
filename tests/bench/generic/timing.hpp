#pragma once

#include "generic/spatial.hpp"

#include <time.h>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace featherline::bench::generic {

/// Positions, velocities, and accelerations or torques; all of one length, for trees without floating joints.
struct Sample {
  VectorXd q, v, u;
};

inline std::vector<Sample> random_samples(int n, int count, double max_speed, double max_u) {
  std::mt19937 random{1};
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  const auto vector = [&](double bound) {
    return VectorXd{VectorXd::NullaryExpr(n, [&] { return bound * uniform(random); })};
  };
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    const VectorXd q = vector(3.0), v = vector(max_speed), u = vector(max_u);
    samples.push_back({q, v, u});
  }
  return samples;
}

/// Something to time: `call(k)` computes state k of `num_states`.
struct Timed {
  std::string name;
  std::size_t num_states;
  std::function<void(std::size_t)> call;
};

/// Of CPU time: other programs' share of the processor does not count.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double seconds_of(const Timed& timed, int calls) {
  const double start = cpu_seconds();
  for (int c = 0; c < calls; ++c) timed.call(static_cast<std::size_t>(c) % timed.num_states);
  return cpu_seconds() - start;
}

/// Microseconds of a call of each, the best of many samples of about 1 ms (one call, where that takes longer): what
/// disturbs a sample only makes it longer. They are sampled in turn, so that all see the same machine.
inline std::vector<double> best_times(const std::vector<Timed>& timed, double seconds_each) {
  constexpr double sample = 1e-3;
  std::vector<int> calls;
  for (const Timed& t : timed) {
    const double once = std::min(seconds_of(t, 1), seconds_of(t, 1));
    calls.push_back(std::max(1, static_cast<int>(sample / once)));
  }
  std::vector<double> best(timed.size(), std::numeric_limits<double>::infinity()), spent(timed.size(), 0.0);
  for (bool all_done = false; !all_done;) {
    all_done = true;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      if (spent[i] >= seconds_each) continue;
      all_done = false;
      const double seconds = seconds_of(timed[i], calls[i]);
      spent[i] += seconds;
      best[i] = std::min(best[i], 1e6 * seconds / calls[i]);
    }
  }
  return best;
}

/// Times all of `timed` and prints them as further entries of a JSON object, "name/of": microseconds.
inline void print_times(const std::vector<Timed>& timed, const std::string& of, double seconds_each) {
  const std::vector<double> best = best_times(timed, seconds_each);
  static const char* separator = "{";
  for (std::size_t i = 0; i < timed.size(); ++i) {
    std::printf("%s\n\"%s/%s\": %.4g", separator, timed[i].name.c_str(), of.c_str(), best[i]);
    separator = ",";
  }
  std::fflush(stdout);
}
inline void end_times() { std::printf("\n}\n"); }

/// The words of a list with commas.
inline std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in{list};
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

}  // namespace featherline::bench::generic
