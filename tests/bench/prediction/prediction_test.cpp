// The parameters in generator/cost/time.cpp against the measurements in times.txt. No time is measured here.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "accuracy.hpp"
#include "fit.hpp"
#include "measurements.hpp"

using namespace featherline;
using namespace featherline::bench;

namespace {

const std::vector<Measurement>& rows() {
  static const std::vector<Measurement> all = read_measurements("tests/bench/prediction/times.txt");
  return all;
}

std::vector<Measurement> of_machine(const std::string& machine) {
  std::vector<Measurement> found;
  for (const Measurement& row : rows()) {
    if (row.machine == machine) found.push_back(row);
  }
  return found;
}

}  // namespace

TEST_CASE("the measurements are of two machines, and of many robots and formulations") {
  std::set<std::string> machines, robots;
  for (const Measurement& row : rows()) {
    machines.insert(row.machine);
    robots.insert(row.robot);
    CHECK(row.ns > 0);
  }
  CHECK(machines.size() >= 2);
  CHECK(robots.size() >= 10);
  CHECK(rows().size() >= 300);
}

TEST_CASE("predicted times have the order of measured ones, and choose well") {
  for (const std::string machine : {"zen4", "sapphire_rapids"}) {
    CAPTURE(machine);
    const Accuracy accuracy = compare(of_machine(machine), cost::fitted_time);
    INFO(print_accuracy(accuracy));
    CHECK(accuracy.rank_correlation >= 0.95);
    CHECK(accuracy.share_of_good_choices() >= 0.95);
  }
}

TEST_CASE("the parameters are those that the fit gives") {
  const Fit fit = fit_times(rows(), cost::fitted_time);
  INFO(print_parameters(fit.parameters));
  for (const Measurement& row : rows()) {
    const double given = cost::predict_ns(row.work, cost::fitted_time);
    const double fitted = cost::predict_ns(row.work, fit.parameters);
    CHECK(std::abs(std::log(given / fitted)) < 0.03);
  }
}

TEST_CASE("a table is read as it is printed") {
  const std::vector<Measurement> some(rows().begin(), rows().begin() + 3);
  CHECK(print_measurements(some).find(some[1].formulation) != std::string::npos);
}
