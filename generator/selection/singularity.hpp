#pragma once

#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// Robots with a mass matrix that is singular in every configuration. Causes are a joint that moves no inertia, a
/// mimic with multiplier 0, and a point mass on its own axis. Such robots have inverse dynamics but no forward
/// dynamics.
namespace featherline {

/// Degrees of freedom whose pivot is below `least` times the terms that it is computed from, at all of a few fixed
/// configurations. The pivots are the entries of D in M = L^T D L, eliminated from the leaves. M comes from the
/// algorithm of mass_matrix run on numbers, so it includes armature and coupling.
std::vector<int> singular_degrees_of_freedom(const model::UserTree& tree, double least);

/// Removes functions that invert M if M is singular. A function that a group asks for is removed with a warning. A
/// function that the user named is an error. Both messages name the joints and the links behind them. If no function
/// inverts M, joints without inertia get the warning of model::warn_massless. If functions are verified, inertia that
/// is too small for double precision counts as none.
std::vector<std::string> drop_functions_without_inverse(const std::vector<std::string>& functions,
                                                        const Options& options, const model::UserTree& tree,
                                                        const std::string& file, Diagnostics& findings);

/// Removes functions that divide by the mass of the robot if it has none, in the same way. Payloads that are
/// inputs count for nothing, because they may be zero.
std::vector<std::string> drop_functions_without_mass(const std::vector<std::string>& functions,
                                                     const Options& options, const model::UserTree& tree,
                                                     const std::string& file, Diagnostics& findings);

}  // namespace featherline
