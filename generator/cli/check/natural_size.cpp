#include "cli/check/natural_size.hpp"

#include "reference/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace featherline::cli {
namespace {

using reference::OutputArray;
using reference::Outputs;

/// Row, column and layer of an entry; -1 where the array has none.
using Place = std::array<std::ptrdiff_t, 3>;

/// Numbers along each side of an array.
std::size_t extent_of(const OutputArray& array, std::size_t nv) { return array.name == "H" ? 2 * nv : nv; }

Place place_of(std::size_t index, std::size_t size, std::size_t extent) {
  Place place{-1, -1, -1};
  for (std::ptrdiff_t& side : place) {
    side = static_cast<std::ptrdiff_t>(index % extent);
    index /= extent;
    size /= extent;
    if (size < 2) break;
  }
  return place;
}

/// Largest entries of the rows, columns and layers of all arrays of a function taken together.
class Slices {
 public:
  explicit Slices(std::size_t nv) : nv_(nv) {}

  void add(const OutputArray& array) {
    const std::size_t extent = extent_of(array, nv_), size = array.values.size();
    for (auto& side : largest_) side.resize(std::max(side.size(), extent), 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      const Place place = place_of(i, size, extent);
      for (std::size_t side = 0; side < 3 && place[side] >= 0; ++side) {
        double& largest = largest_[side][static_cast<std::size_t>(place[side])];
        largest = std::max(largest, std::abs(array.values[i]));
      }
    }
  }

  void append_sizes(const OutputArray& array, std::vector<double>& sizes) const {
    const std::size_t extent = extent_of(array, nv_), size = array.values.size();
    for (std::size_t i = 0; i < size; ++i) {
      const Place place = place_of(i, size, extent);
      double least = largest_[0][static_cast<std::size_t>(place[0])];
      for (std::size_t side = 1; side < 3 && place[side] >= 0; ++side)
        least = std::min(least, largest_[side][static_cast<std::size_t>(place[side])]);
      sizes.push_back(least);
    }
  }

 private:
  std::size_t nv_;
  std::array<std::vector<double>, 3> largest_;
};

/// Rotations have columns of unit length; a position's components mix when the axes turn.
std::vector<double> pose_sizes(const Outputs& poses) {
  std::vector<double> sizes(poses[0].values.size(), 1.0);
  const std::vector<double>& p = poses[1].values;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t link = i / 3 * 3;
    sizes.push_back(std::max({std::abs(p[link]), std::abs(p[link + 1]), std::abs(p[link + 2])}));
  }
  return sizes;
}

/// Angular rows are unit axes. Linear ones are differences of positions: as large as a link's are in any frame.
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

bool divides_by_inertia(const std::string& function) {
  return function.rfind("aba", 0) == 0 || function == "aza" || function.rfind("minv", 0) == 0;
}

/// Raises the sizes of solutions of M x = b, column by column of each array.
void raise_to_solutions(const model::Tree& tree, const reference::State& state, const Outputs& solutions,
                        std::vector<double>& sizes) {
  if (tree.nv == 0) return;
  reference::Solver<double> solver(tree);
  const Eigen::VectorXd root = solver.crba(state.q).diagonal().cwiseAbs().cwiseSqrt();
  const Eigen::VectorXd rows = (solver.minv(state.q) * root.asDiagonal()).rowwise().norm();
  Eigen::Index first = 0;
  for (const OutputArray& array : solutions) {
    const auto size = static_cast<Eigen::Index>(array.values.size());
    if (array.name != "H") {  // a sum over solutions
      const Eigen::Map<const Eigen::MatrixXd> x(array.values.data(), tree.nv, size / tree.nv);
      Eigen::Map<Eigen::MatrixXd> of_x(sizes.data() + first, tree.nv, size / tree.nv);
      of_x = of_x.cwiseMax(rows * (root.asDiagonal() * x).colwise().norm());
    }
    first += size;
  }
}

/// Raises the sizes of what is compared of a Coriolis matrix.
void raise_to_coriolis_terms(const reference::OutputFunction& function, const model::Tree& tree,
                             const reference::State& state, std::vector<double>& sizes) {
  const Eigen::MatrixXd M = reference::Solver<double>(tree).crba(state.q).cwiseAbs() * state.v.norm();
  const Eigen::MatrixXd rows = M.rowwise().maxCoeff().replicate(1, tree.nv);
  const Eigen::MatrixXd C = rows.cwiseMin(rows.transpose());
  reference::State magnitudes = state;
  magnitudes.v = state.v.cwiseAbs();
  std::size_t i = 0;
  for (const OutputArray& array : function.compared(magnitudes, {{"C", {C.data(), C.data() + C.size()}}})) {
    for (const double size : array.values) {
      sizes[i] = std::max(sizes[i], size);
      ++i;
    }
  }
}

}  // namespace

std::vector<double> natural_sizes(const reference::OutputFunction& function, const model::Tree& tree,
                                  const reference::State& state, const Outputs& outputs,
                                  const Outputs& compared) {
  const auto nv = static_cast<std::size_t>(tree.nv);
  if (function.name == "forward_kinematics") return pose_sizes(compared);
  if (function.name == "frame_jacobian")
    return jacobian_sizes(compared.front().values, 6 * nv, tree.links.size());
  Slices slices(nv);
  for (const Outputs* arrays : {&outputs, &compared}) {
    for (const OutputArray& array : *arrays) slices.add(array);
  }
  std::vector<double> sizes;
  for (const OutputArray& array : compared) slices.append_sizes(array, sizes);
  if (divides_by_inertia(function.name)) raise_to_solutions(tree, state, compared, sizes);
  if (function.name == "coriolis_matrix") raise_to_coriolis_terms(function, tree, state, sizes);
  return sizes;
}

}  // namespace featherline::cli
