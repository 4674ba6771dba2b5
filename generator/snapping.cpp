#include "snapping.hpp"

#include "expr/interpreter.hpp"
#include "sample_state.hpp"

#include <algorithm>
#include <cmath>

namespace featherline {
namespace {

using Arrays = std::vector<std::vector<double>>;

/// Operations spent on the comparison of one function: a fraction of a second.
constexpr int operation_budget = 2'000'000;

double deviation(const std::vector<double>& x, const std::vector<double>& reference) {
  double largest = 1.0, difference = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(reference[i]));
    difference = std::max(difference, std::abs(x[i] - reference[i]));
  }
  return difference / largest;
}

}  // namespace

bool agree(const expr::Function& snapped, const expr::Function& exact, const model::Tree& tree) {
  const int nodes = static_cast<int>(snapped.graph.size() + exact.graph.size());
  const int states = std::clamp(operation_budget / std::max(nodes, 1), 4, 300);
  const double allowed = exact.name == "coriolis_matrix" ? allowed_coriolis_deviation : allowed_deviation;
  for (int k = 0; k < states; ++k) {
    const Arrays inputs = sample_inputs(exact, tree, k);
    const Arrays x = expr::evaluate(snapped, inputs), reference = expr::evaluate(exact, inputs);
    for (std::size_t p = 0; p < x.size(); ++p) {
      if (!(deviation(x[p], reference[p]) <= allowed)) return false;
    }
  }
  return true;
}

}  // namespace featherline
