#include "accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace featherline::bench {
namespace {

/// The place of each value in the sorted order, the same for equal values.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t k = begin; k < end; ++k) rank[order[k]] = 0.5 * static_cast<double>(begin + end - 1);
  }
  return rank;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - mean_a) * (b[k] - mean_b);
    aa += (a[k] - mean_a) * (a[k] - mean_a);
    bb += (b[k] - mean_b) * (b[k] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0.0;
}

void compare_choices(const std::vector<Measurement>& rows, const std::vector<double>& predicted,
                     const std::vector<double>& measured, Accuracy& accuracy) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < rows.size(); ++k)
    groups[rows[k].machine + " " + rows[k].robot + " " + rows[k].function].push_back(k);
  for (const auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    const std::size_t chosen =
        *std::min_element(group.begin(), group.end(),
                          [&](std::size_t a, std::size_t b) { return predicted[a] < predicted[b]; });
    const std::size_t best = *std::min_element(
        group.begin(), group.end(), [&](std::size_t a, std::size_t b) { return measured[a] < measured[b]; });
    ++accuracy.choices;
    const double ratio = measured[chosen] / measured[best];
    if (ratio <= 1.1)
      ++accuracy.good_choices;
    else
      accuracy.misses.push_back({ratio, measured[best], &rows[chosen], &rows[best]});
  }
  std::sort(accuracy.misses.begin(), accuracy.misses.end(),
            [](const auto& a, const auto& b) { return a.ratio > b.ratio; });
}

}  // namespace

template <class Parameters>
Accuracy compare(const std::vector<Measurement>& rows, const Parameters& parameters, double machine_factor) {
  Accuracy accuracy;
  std::vector<double> predictions, measurements;
  double squares = 0;
  for (const Measurement& row : rows) {
    predictions.push_back(machine_factor * predicted(row, parameters));
    measurements.push_back(measured(row, parameters));
    const double error = std::log(predictions.back() / measurements.back());
    squares += error * error;
    accuracy.lowest = std::min(accuracy.lowest, error);
    accuracy.highest = std::max(accuracy.highest, error);
  }
  accuracy.rms = rows.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(rows.size()));
  accuracy.rank_correlation = correlation(ranks(predictions), ranks(measurements));
  compare_choices(rows, predictions, measurements, accuracy);
  return accuracy;
}
template Accuracy compare(const std::vector<Measurement>&, const cost::TimeParameters&, double);
template Accuracy compare(const std::vector<Measurement>&, const cost::ColdParameters&, double);

std::string print_accuracy(const Accuracy& a) {
  const auto percent = [](double logarithm) { return 100.0 * (std::exp(logarithm) - 1.0); };
  std::string text = fmt::format(
      "rank correlation {:.4f}; predicted against measured: rms {:.0f} %, {:+.0f} % to {:+.0f} %\n",
      a.rank_correlation, percent(a.rms), percent(a.lowest), percent(a.highest));
  text += fmt::format("chosen formulation at most 10 % slower than the best: {} of {} ({:.1f} %)\n",
                      a.good_choices, a.choices, 100.0 * a.share_of_good_choices());
  for (const Accuracy::Miss& miss : a.misses) {
    text += fmt::format("  {} {}: {} takes {:.2f} times as long as {} ({:.4g} ns)\n", miss.chosen->robot,
                        miss.chosen->function, miss.chosen->formulation, miss.ratio, miss.best->formulation,
                        miss.best_ns);
  }
  return text;
}

}  // namespace featherline::bench
