// Paper 004, Table 2 and figure 3: three robots simulated, and their accelerations by every formulation, compared with
// those of the reference solver and with velocities differentiated as the paper does. Prints JSON.
//   simulations ROBOTS SECONDS
#include "reference/expected.hpp"
#include "simulations/methods.hpp"
#include "simulations/simulation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

namespace {

using namespace featherline;
using namespace featherline::bench;
using catalog::State;
using Json = nlohmann::ordered_json;

/// As a simulator or an encoder gives them.
constexpr double velocity_digit = 1e-3;
/// Of the filter before velocities are differentiated [Hz].
constexpr double cutoff = 30.0;
/// The formulations run at every tenth sample.
constexpr std::size_t stride = 10;

/// One waveform for each coordinate.
using Waveforms = std::vector<Waveform>;

Waveforms by_coordinate(const std::vector<State>& samples, Eigen::VectorXd State::*values) {
  Waveforms waveforms(static_cast<std::size_t>((samples.front().*values).size()));
  for (const State& x : samples) {
    for (std::size_t k = 0; k < waveforms.size(); ++k)
      waveforms[k].push_back((x.*values)[static_cast<Eigen::Index>(k)]);
  }
  return waveforms;
}

Waveform thinned(const Waveform& x, std::size_t count) {
  Waveform y;
  for (std::size_t k = 0; k < count; ++k) y.push_back(x[k * stride]);
  return y;
}

/// What paper 004, section 5.1 does with the velocities of its simulator.
Waveforms measured(const std::vector<State>& samples) {
  Waveforms accelerations;
  for (Waveform v : by_coordinate(samples, &State::v)) {
    for (double& x : v) x = std::round(x / velocity_digit) * velocity_digit;
    accelerations.push_back(forward_differences(low_passed(v, cutoff, step), step));
  }
  return accelerations;
}

Json statistics(const std::vector<double>& x) {
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  double squares = 0.0;
  for (const double value : x) squares += (value - mean) * (value - mean);
  return {{"min", *std::min_element(x.begin(), x.end())},
          {"mean", mean},
          {"std", std::sqrt(squares / static_cast<double>(x.size()))},
          {"max", *std::max_element(x.begin(), x.end())}};
}

/// Whether the coordinate moves: a constraint holds some at rest.
bool moves(const Waveform& x) {
  return std::any_of(x.begin(), x.end(), [](double value) { return std::abs(value) > 1e-6; });
}

/// To a digit that a picture cannot show, to keep files small.
Waveform rounded(Waveform x) {
  for (double& value : x) value = std::round(value * 1e3) / 1e3;
  return x;
}

struct Comparison {
  Waveforms reference, measured;

  Json of(const Method& method, const std::vector<State>& samples) const {
    Waveforms found(reference.size());
    double worst = 0.0;
    for (std::size_t t = 0; t < reference.front().size(); ++t) {
      const State& x = samples[t * stride];
      const Eigen::VectorXd a = method.accelerations(x);
      worst = std::max(worst, reference::array_error(a, x.a).relative);
      for (std::size_t k = 0; k < found.size(); ++k) found[k].push_back(a[static_cast<Eigen::Index>(k)]);
    }
    std::vector<double> to_reference, to_measured;
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!moves(reference[k])) continue;
      to_reference.push_back(multiple_correlation({found[k], reference[k]}));
      to_measured.push_back(multiple_correlation({found[k], measured[k]}));
    }
    return {{"method", method.name},
            {"error", worst},
            {"reference", statistics(to_reference)},
            {"measured", statistics(to_measured)}};
  }

  /// The coordinates whose two waveforms are least alike, in the middle, and most alike.
  Json typical_waveforms() const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < reference.size(); ++k) {
      if (moves(reference[k])) order.emplace_back(multiple_correlation({reference[k], measured[k]}), k);
    }
    std::sort(order.begin(), order.end());
    Json json = Json::array();
    for (const auto& [correlation, k] : {order.front(), order[order.size() / 2], order.back()})
      json.push_back({{"coordinate", k},
                      {"correlation", correlation},
                      {"reference", rounded(reference[k])},
                      {"measured", rounded(measured[k])}});
    return json;
  }
};

Json compare_methods(const SimulatedRobot& robot, double seconds) {
  const std::vector<State> samples = simulate(robot, seconds);
  Comparison comparison{by_coordinate(samples, &State::a), measured(samples)};
  const std::size_t count = (samples.size() - 3) / stride + 1;
  for (Waveform& x : comparison.reference) x = thinned(x, count);
  for (Waveform& x : comparison.measured) x = thinned(x, count);
  Json json{{"robot", robot.name}, {"step", step * stride}, {"methods", Json::array()}};
  for (const Method& method : acceleration_methods(robot.tree, robot.row)) {
    std::cerr << robot.name << ": " << method.name << "\n";
    json["methods"].push_back(comparison.of(method, samples));
  }
  json["waveforms"] = comparison.typical_waveforms();
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: simulations ROBOTS SECONDS\n";
    return 2;
  }
  Json json = Json::array();
  for (const SimulatedRobot& robot : simulated_robots(argv[1]))
    json.push_back(compare_methods(robot, std::stod(argv[2])));
  std::cout << json.dump() << "\n";
}
