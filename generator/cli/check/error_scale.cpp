#include "cli/check/judge.hpp"

#include "reference/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace featherline::cli {
namespace {

using reference::Outputs;

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

}  // namespace

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
  std::vector<double> sizes(flat(compared).size(), std::numeric_limits<double>::infinity());
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

}  // namespace featherline::cli
