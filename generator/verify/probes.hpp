#pragma once

#include "catalog/functions.hpp"
#include "ir/kernel.hpp"
#include "reference/expected.hpp"

#include <Eigen/Core>

#include <random>
#include <string>
#include <vector>

/// Which numbers are compared. Vectors are compared entry by entry. Matrices, tensors and Hessians are first
/// multiplied with random vectors: the reference solver computes such a product in one pass along one or two
/// directions, but needs nv or nv^2 passes for all entries.
namespace featherline::verify {

using reference::Directions;

/// The inputs of a traced function at a state, by the names of its parameters. Throws InternalError for a name that is
/// not the name of an input.
std::vector<std::vector<double>> inputs_of(const ir::Kernel& function, const catalog::State& state);

/// Unit vectors with no entry near zero, so that every entry of an output affects a product.
Directions random_directions(int nv, std::mt19937& random);

/// One array to compare, and the size that its errors are relative to.
struct Probe {
  std::string output;  ///< the name of the array that it was made of
  Eigen::VectorXd values;
  double scale = 1.0;  ///< its largest entry, as emitted: the product shows less of an error
};

/// Makes the probes from the outputs of `function`. The outputs are dense and laid out as emitted. If a reference::View
/// is compared in place of the outputs, the probes are made from the view. The probes are:
///   A x of a matrix, nv x nv
///   sum over j, k of T(:, j, k) x_j y_k of a tensor
///   x^T H_qq y, x^T H_qv y, x^T H_vq y, x^T H_vv y of a Hessian, 2 nv x 2 nv
///   anything else as it is
std::vector<Probe> probe(const catalog::FunctionSpec& function, const reference::State& state,
                         const Directions& directions, const reference::Outputs& outputs);

/// What probe() gives for a function that is right, in the same order, by the reference solver. Throws InternalError
/// where the reference does not have the function.
std::vector<Eigen::VectorXd> expected_probes(const catalog::FunctionSpec& function, const model::Tree& tree,
                                             const reference::State& state, const Directions& directions);

}  // namespace featherline::verify
