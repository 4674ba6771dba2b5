#pragma once

#include "catalog/functions.hpp"
#include "ir/kernel.hpp"
#include "lowered/lowered_function.hpp"
#include "model/tree.hpp"
#include "reference/expected.hpp"

#include <Eigen/Core>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Verification. Every kernel runs in the interpreter at random states before it is printed, and is compared with the
/// reference solver.
namespace featherline::verify {

/// What the reference solver expects of a function of a robot: by number of the state, and whether one or two are left.
/// It is the same for all forms of the function, and takes most of the time.
using KeptProbes = std::map<std::pair<int, int>, std::vector<Eigen::VectorXd>>;

/// The worst error (reference/expected.hpp) of a form over a few states with |v| <= 10 and |a| <= 50, and the entry that
/// has it. Vectors are judged entry by entry, other outputs by their products with random unit vectors,
/// forward dynamics also by the rows of the equation of motion. The form for batches is judged, too. The
/// error is infinite if a result is not finite. The reference solver runs on `user`. The states are the same in every
/// run. `kept` is filled, and serves further forms of the same function of the same robot.
reference::OutputError worst_error(const LoweredFunction& request, const model::UserTree& user,
                                   KeptProbes& kept);
reference::OutputError worst_error(const LoweredFunction& request, const model::UserTree& user);

/// The worst error of forward_kinematics or frame_jacobian (in all three reference frames) at a state. The walk of the
/// runtime (featherline/kinematics.hpp) reads the kernel's table and calls pose steps, which the interpreter runs. All
/// links are compared; for a very large robot only the outermost ones and a selection of the others.
reference::OutputError verify_kinematics(const ir::Kernel& kernel, const model::UserTree& user,
                                         const reference::State& state);

// Which numbers are compared. Vectors are compared entry by entry. Matrices, tensors and Hessians are first
// multiplied with random vectors: the reference solver computes such a product in one pass along one or two
// directions, but needs nv or nv^2 passes for all entries.

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
