#include "simulations/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace featherline::bench {

double multiple_correlation(const std::vector<Waveform>& waveforms) {
  const double W = static_cast<double>(waveforms.size());
  const double T = static_cast<double>(waveforms.front().size());
  Waveform mean_at(waveforms.front().size(), 0.0);
  double mean = 0.0;
  for (const Waveform& x : waveforms) {
    for (std::size_t t = 0; t < x.size(); ++t) {
      mean_at[t] += x[t] / W;
      mean += x[t] / (W * T);
    }
  }
  double apart = 0.0, total = 0.0;
  for (const Waveform& x : waveforms) {
    for (std::size_t t = 0; t < x.size(); ++t) {
      apart += std::pow(x[t] - mean_at[t], 2);
      total += std::pow(x[t] - mean, 2);
    }
  }
  if (total == 0.0) return 1.0;
  return std::sqrt(std::max(0.0, 1.0 - apart / (T * (W - 1.0)) / (total / (W * T - 1.0))));
}

Waveform low_passed(const Waveform& x, double cutoff, double step) {
  const double w = std::tan(std::numbers::pi * cutoff * step);
  const double gain = w * w / (1.0 + std::numbers::sqrt2 * w + w * w);
  const double a1 = 2.0 * (w * w - 1.0) / (1.0 + std::numbers::sqrt2 * w + w * w);
  const double a2 = (1.0 - std::numbers::sqrt2 * w + w * w) / (1.0 + std::numbers::sqrt2 * w + w * w);
  Waveform y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto input = [&](std::size_t back) { return k < back ? x.front() : x[k - back]; };
    const auto output = [&](std::size_t back) { return k < back ? x.front() : y[k - back]; };
    y[k] = gain * (input(0) + 2.0 * input(1) + input(2)) - a1 * output(1) - a2 * output(2);
  }
  return y;
}

Waveform forward_differences(const Waveform& x, double step) {
  Waveform rate;
  for (std::size_t k = 0; k + 2 < x.size(); ++k)
    rate.push_back((-3.0 * x[k] + 4.0 * x[k + 1] - x[k + 2]) / (2.0 * step));
  return rate;
}

}  // namespace featherline::bench
