#include "cli/check/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace featherline::cli {
namespace {

using reference::Condition;
using reference::Outputs;

constexpr double infinity = std::numeric_limits<double>::infinity();

double share_of(double error, double allowed) {
  if (!std::isfinite(error)) return infinity;
  return error <= 0.0 ? 0.0 : error / allowed;
}

void count(double share, const Entry& entry, Verdict& verdict) {
  if (share <= verdict.worst_share) return;
  verdict.worst_share = share;
  verdict.worst = entry;
}

/// Errors of the entries of a result, and the sizes that they are judged by.
struct Errors {
  std::vector<double> errors;
  std::vector<double> sizes;  ///< Precision::relative is relative to these
  std::vector<double> terms;  ///< Precision::rounding is relative to these, or to a larger condition
};

struct WorstEntry {
  double share = 0.0;
  std::size_t index = 0;
};

/// The entry with the largest share of what is allowed. Draws samples of the condition until the verdict is clear.
WorstEntry judge_entries(const Errors& e, const Precision& precision, Condition& condition) {
  const auto worst = [&] {
    WorstEntry entry;
    for (std::size_t i = 0; i < e.errors.size(); ++i) {
      const double allowed =
          precision.relative * e.sizes[i] + precision.rounding * std::max(condition[i], e.terms[i]);
      const double share = share_of(std::abs(e.errors[i]), allowed);
      if (share > entry.share) entry = {share, i};
    }
    return entry;
  };
  const bool finite =
      std::all_of(e.errors.begin(), e.errors.end(), [](double error) { return std::isfinite(error); });
  // The first samples are needed for a fair figure. The others are drawn only if they can change the verdict.
  const auto is_clear = [&](double share) {
    const int samples = condition.samples();
    return !finite || share <= 0.1 || samples >= condition_samples || (samples >= 4 && share <= 1.0);
  };
  WorstEntry entry = worst();
  for (; !is_clear(entry.share); entry = worst()) condition.sample();
  return entry;
}

}  // namespace

std::vector<double> flat(const Outputs& outputs) {
  std::vector<double> numbers;
  for (const reference::OutputArray& array : outputs)
    numbers.insert(numbers.end(), array.values.begin(), array.values.end());
  return numbers;
}

Judge::Judge(const reference::OutputFunction& function, const model::Tree& tree,
             const reference::State& state, const Precision& precision)
    : function_(function),
      tree_(tree),
      state_(state),
      precision_(precision),
      expected_(function.compute(tree, state)),
      compared_(function.compared(state, expected_)),
      terms_(error_scales(catalog::with_chosen_parts(*catalog::find(function.name), tree), function, tree,
                          state, expected_, compared_)) {
  const auto& more = precision.relative == 0.0 ? function.amplification : function.allowance;
  if (more) allowance_ = more(tree, state);
  condition_.emplace(tree, state, flat(compared_), [&f = function_](const auto& t, const auto& x) {
    return flat(f.compared(x, f.compute(t, x)));
  });
  if (!function_.residual || tree.nv == 0) return;
  const auto equation = [this](const model::Tree& t, const reference::State& x) {
    return function_.residual(t, x, expected_).values;
  };
  equation_condition_.emplace(tree, state, equation(tree, state), equation);
}

Verdict Judge::judge(const Outputs& emitted) {
  // In float only rounding is allowed. So all samples are drawn, because the table shows what is allowed.
  for (std::optional<Condition>* condition : {&condition_, &equation_condition_}) {
    while (*condition && precision_.relative == 0.0 && (*condition)->samples() < condition_samples)
      (*condition)->sample();
  }
  const Outputs compared = function_.compared(state_, emitted);
  Verdict verdict;
  judge_whole(compared, verdict);
  judge_each(compared, verdict);
  if (equation_condition_) judge_equation(emitted, verdict);
  return verdict;
}

void Judge::judge_whole(const Outputs& compared, Verdict& verdict) const {
  std::size_t first = 0;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    const std::vector<double>&found = compared[k].values, &expected = compared_[k].values;
    const double scale = reference::error_scale(expected);
    double allowed = precision_.relative * allowance_;
    for (std::size_t i = 0; precision_.relative == 0.0 && i < found.size(); ++i) {
      const double rounding = precision_.rounding * std::max((*condition_)[first + i], terms_[first + i]);
      allowed = std::max(allowed, allowance_ * rounding / scale);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double relative = reference::relative_error(found[i], expected[i], scale);
      const double share = share_of(relative, allowed);
      if (share <= verdict.worst_share) continue;
      verdict.relative = relative;
      verdict.allowed = allowed;
      count(share, {compared[k].name, i, found.size(), found[i], expected[i]}, verdict);
    }
    first += found.size();
  }
}

void Judge::judge_each(const Outputs& compared, Verdict& verdict) {
  const std::vector<double> expected = flat(compared_), found = flat(compared);
  if (expected.empty()) return;  // no joint moves
  Errors e{found, expected, terms_};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    e.errors[i] -= expected[i];
    e.sizes[i] = std::abs(expected[i]);
  }
  const WorstEntry worst = judge_entries(e, precision_, *condition_);
  verdict.entries = worst.share / allowance_;
  std::size_t k = 0, index = worst.index;
  while (index >= compared[k].values.size()) index -= compared[k++].values.size();
  count(verdict.entries,
        {compared[k].name, index, compared[k].values.size(), found[worst.index], expected[worst.index]},
        verdict);
}

void Judge::judge_equation(const Outputs& emitted, Verdict& verdict) {
  const reference::Residual left = function_.residual(tree_, state_, emitted);
  const WorstEntry worst =
      judge_entries({left.values, left.sizes, left.factored}, precision_, *equation_condition_);
  verdict.residual = worst.share;
  count(worst.share, {left.name, worst.index, left.values.size(), left.values[worst.index], 0.0}, verdict);
}

}  // namespace featherline::cli
