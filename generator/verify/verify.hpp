#pragma once

#include "lowered/lowered_function.hpp"
#include "model/tree.hpp"
#include "reference/expected.hpp"

#include <map>
#include <utility>
#include <vector>

/// Verification. Every kernel runs in the interpreter at random states before it is printed, and is compared with the
/// reference solver.
namespace featherline::verify {

/// What the reference solver expects of a function of a robot: by number of the state, and whether one or two are left.
/// It is the same for all forms of the function, and takes most of the time.
using KeptProbes = std::map<std::pair<int, int>, std::vector<Eigen::VectorXd>>;

/// The worst error (reference/error.hpp) of a form over a few states with |v| <= 10 and |a| <= 50, and the entry that
/// has it. Vectors are judged entry by entry, other outputs by their products with random unit vectors (probes.hpp),
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

}  // namespace featherline::verify
