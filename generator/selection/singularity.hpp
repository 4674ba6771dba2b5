#pragma once

#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// Robots whose mass matrix is singular whatever the configuration: a joint that moves nothing with inertia, a mimic
/// with multiplier 0, a point mass on its own axis. Their inverse dynamics exists, their forward dynamics does not.
namespace featherline {

/// Degrees of freedom whose pivot is below `least` times the terms it is made of, at every one of a few fixed
/// configurations. Pivots are those of M = L^T D L, eliminated from the leaves. M comes from the traced mass matrix, so armature and coupling count.
std::vector<int> singular_degrees_of_freedom(const model::UserTree& tree, double least);

/// The functions asked for that exist for this robot. Functions that invert M go when M is singular: with a warning where
/// a group brought them in, with an error where the user named them. Both name the joints and the links behind them. Where
/// nothing inverts M, joints without inertia get the warning of model::warn_massless. If functions are verified, too
/// little inertia for double precision counts as none.
std::vector<std::string> drop_functions_without_inverse(const Options& options, const model::UserTree& tree,
                                                        const std::string& file, Diagnostics& findings);

}  // namespace featherline
