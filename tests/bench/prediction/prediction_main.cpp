// Predicted times against measured ones.
//   prediction compare FILE...          tables, or files of `featherline tune`: how well the prediction agrees
//   prediction table MACHINE FILE...    prints such files as one table, under the name of the machine
//   prediction fit TABLE                fits the parameters and prints them for generator/cost/time.cpp, with the errors

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "accuracy.hpp"
#include "fit.hpp"
#include "measurements.hpp"

namespace featherline::bench {
namespace {

using Rows = std::vector<Measurement>;

Rows read_all(const std::vector<std::string>& files) {
  Rows rows;
  for (const std::string& file : files) {
    Rows more = read_measurements(file);
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return rows;
}

Rows of_machine(const Rows& rows, const std::string& machine) {
  Rows found;
  for (const Measurement& row : rows) {
    if (row.machine == machine) found.push_back(row);
  }
  return found;
}

void print_fit(const Rows& rows) {
  const Fit fit = fit_times(rows, cost::fitted_time);
  fmt::print("{}", print_parameters(fit.parameters));
  for (const auto& [machine, factor] : fit.machine_factors) {
    const Rows its = of_machine(rows, machine);
    fmt::print("\n{}: {} rows, all times {:.2f} times as long\n{}", machine, its.size(), factor,
               print_accuracy(compare(its, fit.parameters, factor)));
  }
}

int run(const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words.front();
  if (command == "compare" && words.size() > 1) {
    const Rows rows = read_all({words.begin() + 1, words.end()});
    fmt::print("{} formulations\n{}", rows.size(), print_accuracy(compare(rows, cost::fitted_time)));
  } else if (command == "table" && words.size() > 2) {
    Rows rows = read_all({words.begin() + 2, words.end()});
    for (Measurement& row : rows) row.machine = words[1];
    fmt::print("{}", print_measurements(rows));
  } else if (command == "fit" && words.size() == 2) {
    print_fit(read_all({words[1]}));
  } else {
    fmt::print(stderr, "usage: prediction compare FILE... | table MACHINE FILE... | fit TABLE\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace featherline::bench

int main(int argc, char** argv) {
  try {
    return featherline::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
