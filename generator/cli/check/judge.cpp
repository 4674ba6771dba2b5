#include "cli/check/check.hpp"

#include "reference/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
  const bool finite = std::ranges::all_of(e.errors, [](double error) { return std::isfinite(error); });
  // The first samples are needed for a fair figure. The others are drawn only if they can change the verdict.
  const auto is_clear = [&](double share) {
    const int samples = condition.samples();
    return !finite || share <= 0.1 || samples >= condition_samples || (samples >= 4 && share <= 1.0);
  };
  WorstEntry entry = worst();
  for (; !is_clear(entry.share); entry = worst()) condition.sample();
  return entry;
}

/// The numbers of all arrays, one array after the other.
std::vector<double> flat(const Outputs& outputs) {
  std::vector<double> numbers;
  for (const reference::OutputArray& array : outputs)
    numbers.insert(numbers.end(), array.values.begin(), array.values.end());
  return numbers;
}

/// The largest entry of each row, column and layer, over all arrays of a function.
using Slices = std::array<std::vector<double>, 3>;

/// Calls visit(entry, value, side, slice) for the row (side 0), the column and the layer of each entry, as far as its
/// array has them. Entries are counted over all arrays.
template <class Visit>
void each_slice(const Outputs& outputs, const std::vector<catalog::Argument>& declared,
                const model::Tree& tree, const Visit& visit) {
  const catalog::Sizes sizes = catalog::sizes_of(tree);
  std::size_t entry = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::vector<double>& values = outputs[k].values;
    for (std::size_t i = 0; i < values.size(); ++i, ++entry) {
      std::size_t rest = i, side = 0;
      for (const catalog::Dimension& dimension : declared[k].shape.sides()) {
        const auto extent = static_cast<std::size_t>(dimension.size(sizes));
        visit(entry, values[i], side++, rest % extent);
        rest /= extent;
      }
    }
  }
}

/// The layer and the column with the same number belong to the same coordinate: derivatives commute, and dM_dq has
/// columns of M. One of the two may be zero for all robots (a slide at the root moves no force). Then the other still
/// shows the size of the terms.
void join_columns_and_layers(Slices& largest) {
  auto& [rows, columns, layers] = largest;
  for (std::size_t k = 0; k < layers.size(); ++k) columns[k] = layers[k] = std::max(columns[k], layers[k]);
}

/// If a column holds nothing but rounding, it does not show the size of the terms that cancel in it. Then the row of
/// the same coordinate counts. Its terms have the same axis as a factor.
void fill_zeros(Slices& largest) {
  constexpr double rounding = 1e-11;
  const std::vector<double>& rows = largest[0];
  for (std::vector<double>* slices : {&largest[1], &largest[2]}) {
    for (std::size_t k = 0; k < std::min(slices->size(), rows.size()); ++k) {
      if ((*slices)[k] <= rounding * rows[k]) (*slices)[k] = rows[k];
    }
  }
}

/// Angular rows are unit axes. Linear rows are differences of positions. Each gets the size of the largest linear entry
/// of its link in any frame.
Eigen::MatrixXd jacobian_sizes(const Eigen::MatrixXd& J, const model::Tree& tree) {
  std::vector<double> largest(tree.links.size(), 0.0);
  const auto of_link = [&](Eigen::Index column) -> double& {
    return largest[static_cast<std::size_t>(column / tree.nv) % tree.links.size()];
  };
  for (Eigen::Index k = 0; k < J.cols(); ++k)
    of_link(k) = std::max(of_link(k), J.col(k).head<3>().cwiseAbs().maxCoeff());
  Eigen::MatrixXd sizes = Eigen::MatrixXd::Ones(6, J.cols());
  for (Eigen::Index k = 0; k < J.cols(); ++k) sizes.col(k).head<3>().setConstant(of_link(k));
  return sizes;
}

/// The sizes of the results of all links. Rotations have columns of unit length. All components of a position get the
/// size of its largest one, because components mix when the axes turn.
std::vector<double> sizes_of_links(const catalog::FunctionSpec& function, const model::Tree& tree,
                                   const Outputs& outputs) {
  std::vector<double> sizes;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const catalog::Shape& shape = function.outputs[k].shape;
    const std::vector<double>& values = outputs[k].values;
    const Eigen::Index rows = shape.sides().front().factor, size = static_cast<Eigen::Index>(values.size());
    const Eigen::Map<const Eigen::MatrixXd> x(values.data(), rows, size / rows);
    Eigen::MatrixXd of_array = Eigen::MatrixXd::Ones(rows, x.cols());
    if (shape == catalog::Shape{3}) of_array = x.cwiseAbs().colwise().maxCoeff().replicate(3, 1);
    if (shape == catalog::Shape{6, catalog::nv}) of_array = jacobian_sizes(x, tree);
    sizes.insert(sizes.end(), of_array.data(), of_array.data() + size);
  }
  return sizes;
}

/// Raises the sizes of solutions x of M x = b, one column of an array after the other.
void raise_to_solutions(const std::vector<catalog::Argument>& arrays, const model::Tree& tree,
                        const reference::State& state, const Outputs& solutions, std::vector<double>& sizes) {
  if (tree.nv == 0) return;
  reference::Solver<double> solver(tree);
  const Eigen::VectorXd root = solver.crba(state.q).diagonal().cwiseAbs().cwiseSqrt();
  const Eigen::VectorXd rows = (solver.minv(state.q) * root.asDiagonal()).rowwise().norm();
  Eigen::Index first = 0;
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    const std::vector<double>& values = solutions[k].values;
    const auto size = static_cast<Eigen::Index>(values.size());
    if (arrays[k].shape.sides().front() == catalog::nv) {  // a Hessian is a sum over solutions
      const Eigen::Map<const Eigen::MatrixXd> x(values.data(), tree.nv, size / tree.nv);
      Eigen::Map<Eigen::MatrixXd> of_x(sizes.data() + first, tree.nv, size / tree.nv);
      of_x = of_x.cwiseMax(rows * (root.asDiagonal() * x).colwise().norm());
    }
    first += size;
  }
}

/// How large the terms of each entry are. Entries are counted over all arrays of `compared`. If large terms cancel,
/// what is left may carry their rounding, even if the entry is zero for this robot or for all robots. The size of an
/// entry is the largest of these:
///
/// - The largest entry of its row, of its column or of its layer, whichever is least. So rows and columns of light
///   links stay small. If a column or layer is zero for all robots, another one of the same coordinate counts instead.
/// - If the function divides by M: the entries of M^-1 E x. E stands for the errors of factoring M. Its entries
///   E_kl have the size sqrt(M_kk M_ll) and random signs (Demmel 1989; Higham, Accuracy and Stability, theorem 10.5).
/// - What the reference says of terms that the results do not show (reference::OutputFunction::term_sizes).
///
/// `outputs` are the outputs of the reference. `compared` are the arrays that are compared in their place.
std::vector<double> error_scales(const catalog::FunctionSpec& function,
                                 const reference::OutputFunction& expected, const model::Tree& tree,
                                 const reference::State& state, const Outputs& outputs,
                                 const Outputs& compared) {
  if (function.takes_link) return sizes_of_links(function, tree, compared);
  const std::vector<catalog::Argument>& arrays = expected.compared_arrays(function.outputs);
  Slices largest;
  const auto add = [&](std::size_t, double value, std::size_t side, std::size_t slice) {
    if (largest[side].size() <= slice) largest[side].resize(slice + 1, 0.0);
    largest[side][slice] = std::max(largest[side][slice], std::abs(value));
  };
  each_slice(outputs, function.outputs, tree, add);
  each_slice(compared, arrays, tree, add);
  join_columns_and_layers(largest);
  fill_zeros(largest);
  std::vector<double> sizes(flat(compared).size(), infinity);
  each_slice(compared, arrays, tree, [&](std::size_t entry, double, std::size_t side, std::size_t slice) {
    sizes[entry] = std::min(sizes[entry], largest[side][slice]);
  });
  if (function.inverts_inertia) raise_to_solutions(arrays, tree, state, compared, sizes);
  if (!expected.term_sizes) return sizes;
  const std::vector<double> least = flat(expected.term_sizes(tree, state));
  std::transform(sizes.begin(), sizes.end(), least.begin(), sizes.begin(),
                 [](double size, double of_terms) { return std::max(size, of_terms); });
  return sizes;
}

}  // namespace

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
