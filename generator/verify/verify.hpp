#pragma once

#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <vector>

/// Nothing is written that was not judged: every function, as it is about to be printed, runs in the interpreter at
/// random states and is compared with the reference solver.
namespace featherline::verify {

/// The promise to the user: max |x - ref| / max(1, max |ref|). Errors here are those of products with unit vectors in
/// random directions (probes.hpp) and, of forward dynamics, of the equation of motion row by row.
inline constexpr double largest_error = 1e-10;

/// The worst error over a few states with |v| <= 10, |a| <= 50, and the array or entry that has it, of a function in its
/// dense or packed form, with the form its batches compute; infinity where a result is not finite. `user`: the robot as the
/// reference solver takes it. The states are the same in every run.
reference::OutputError worst_error(const emit::FunctionRequest& request, const model::UserTree& user);

}  // namespace featherline::verify
