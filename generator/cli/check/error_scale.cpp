#include "cli/check/judge.hpp"

#include "reference/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace featherline::cli {
namespace {

using reference::OutputArray;
using reference::Outputs;

/// Row, column and layer of an entry; -1 where the array has none.
using Place = std::array<std::ptrdiff_t, 3>;

using Extents = std::vector<std::size_t>;

Extents extents_of(const catalog::Shape& shape, const model::Tree& tree) {
  Extents extents;
  for (const catalog::Dimension& side : shape.sides())
    extents.push_back(static_cast<std::size_t>(side.size(catalog::sizes_of(tree))));
  return extents;
}

Place place_of(std::size_t index, const Extents& extents) {
  Place place{-1, -1, -1};
  for (std::size_t side = 0; side < extents.size(); ++side) {
    place[side] = static_cast<std::ptrdiff_t>(index % extents[side]);
    index /= extents[side];
  }
  return place;
}

/// The largest entry of each row, column and layer, over all arrays of a function.
class Slices {
 public:
  void add(const OutputArray& array, const Extents& extents) {
    for (std::size_t side = 0; side < extents.size(); ++side)
      largest_[side].resize(std::max(largest_[side].size(), extents[side]), 0.0);
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const Place place = place_of(i, extents);
      for (std::size_t side = 0; side < extents.size(); ++side) {
        double& largest = largest_[side][static_cast<std::size_t>(place[side])];
        largest = std::max(largest, std::abs(array.values[i]));
      }
    }
  }

  /// The layer and the column with the same number belong to the same coordinate: derivatives commute, and dM_dq has
  /// columns of M. One of the two may be zero for all robots (a slide at the root moves no force). Then the other still
  /// shows the size of the terms.
  void join_columns_and_layers() {
    for (std::size_t k = 0; k < largest_[2].size(); ++k)
      largest_[1][k] = largest_[2][k] = std::max(largest_[1][k], largest_[2][k]);
  }

  /// If a column holds nothing but rounding, it does not show the size of the terms that cancel in it. Then the row of
  /// the same coordinate counts. Its terms have the same axis as a factor.
  void fill_zeros() {
    constexpr double rounding = 1e-11;
    for (std::size_t side = 1; side < largest_.size(); ++side) {
      for (std::size_t k = 0; k < std::min(largest_[side].size(), largest_[0].size()); ++k) {
        if (largest_[side][k] <= rounding * largest_[0][k]) largest_[side][k] = largest_[0][k];
      }
    }
  }

  void append_sizes(const OutputArray& array, const Extents& extents, std::vector<double>& sizes) const {
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const Place place = place_of(i, extents);
      double least = largest_[0][static_cast<std::size_t>(place[0])];
      for (std::size_t side = 1; side < extents.size(); ++side)
        least = std::min(least, largest_[side][static_cast<std::size_t>(place[side])]);
      sizes.push_back(least);
    }
  }

 private:
  std::array<std::vector<double>, 3> largest_;
};

/// All components of a position get the size of its largest one, because components mix when the axes turn.
std::vector<double> position_sizes(const std::vector<double>& p) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t link = i / 3 * 3;
    sizes.push_back(std::max({std::abs(p[link]), std::abs(p[link + 1]), std::abs(p[link + 2])}));
  }
  return sizes;
}

/// Angular rows are unit axes. Linear rows are differences of positions. Each gets the size of the largest linear entry
/// of its link in any frame.
std::vector<double> jacobian_sizes(const std::vector<double>& J, std::size_t block, std::size_t links) {
  std::vector<double> largest(links, 0.0), sizes(J.size(), 1.0);
  const auto is_linear = [](std::size_t i) { return i % 6 < 3; };
  for (std::size_t i = 0; i < J.size(); ++i) {
    double& of_link = largest[i / block % links];
    if (is_linear(i)) of_link = std::max(of_link, std::abs(J[i]));
  }
  for (std::size_t i = 0; i < J.size(); ++i) {
    if (is_linear(i)) sizes[i] = largest[i / block % links];
  }
  return sizes;
}

/// The sizes of the results of all links. Rotations have columns of unit length. The others are positions and
/// Jacobians.
std::vector<double> sizes_of_links(const catalog::FunctionSpec& function, const model::Tree& tree,
                                   const Outputs& outputs) {
  std::vector<double> sizes;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const catalog::Shape& shape = function.outputs[k].shape;
    const std::vector<double>& values = outputs[k].values;
    std::vector<double> of_array(values.size(), 1.0);
    if (shape == catalog::Shape{3}) of_array = position_sizes(values);
    if (shape == catalog::Shape{6, catalog::nv})
      of_array = jacobian_sizes(values, 6 * static_cast<std::size_t>(tree.nv), tree.links.size());
    sizes.insert(sizes.end(), of_array.begin(), of_array.end());
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
    const OutputArray& array = solutions[k];
    const auto size = static_cast<Eigen::Index>(array.values.size());
    if (arrays[k].shape.sides().front() == catalog::nv) {  // a Hessian is a sum over solutions
      const Eigen::Map<const Eigen::MatrixXd> x(array.values.data(), tree.nv, size / tree.nv);
      Eigen::Map<Eigen::MatrixXd> of_x(sizes.data() + first, tree.nv, size / tree.nv);
      of_x = of_x.cwiseMax(rows * (root.asDiagonal() * x).colwise().norm());
    }
    first += size;
  }
}

void raise_to(const Outputs& least, std::vector<double>& sizes) {
  std::size_t i = 0;
  for (const OutputArray& array : least) {
    for (const double size : array.values) {
      sizes[i] = std::max(sizes[i], size);
      ++i;
    }
  }
}

}  // namespace

std::vector<double> error_scales(const catalog::FunctionSpec& function,
                                 const reference::OutputFunction& expected, const model::Tree& tree,
                                 const reference::State& state, const Outputs& outputs,
                                 const Outputs& compared) {
  if (function.takes_link) return sizes_of_links(function, tree, compared);
  const std::vector<catalog::Argument>& arrays = expected.compared_arrays(function.outputs);
  Slices slices;
  const auto add = [&](const Outputs& values, const std::vector<catalog::Argument>& declared) {
    for (std::size_t k = 0; k < values.size(); ++k)
      slices.add(values[k], extents_of(declared[k].shape, tree));
  };
  add(outputs, function.outputs);
  add(compared, arrays);
  slices.join_columns_and_layers();
  slices.fill_zeros();
  std::vector<double> sizes;
  for (std::size_t k = 0; k < compared.size(); ++k)
    slices.append_sizes(compared[k], extents_of(arrays[k].shape, tree), sizes);
  if (function.inverts_inertia) raise_to_solutions(arrays, tree, state, compared, sizes);
  if (expected.term_sizes) raise_to(expected.term_sizes(tree, state), sizes);
  return sizes;
}

}  // namespace featherline::cli
