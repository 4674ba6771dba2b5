#pragma once

#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// Which functions a robot can have. Each call returns those of `functions` that it can. A function that a group asks
/// for is left out with a warning; one that the user named is an error.
namespace featherline {

/// Without functions that have an array of more than 8 million entries (64 MB). Code for such arrays is too long, and
/// such a robot is often a mistake. Outputs count. The mass matrix counts, too, if the function inverts it. That none is
/// left is an error.
std::vector<std::string> drop_oversized(const std::vector<std::string>& functions, const Options& options,
                                        const model::Tree& tree, const std::string& file,
                                        Diagnostics& findings);

/// Without functions that invert M if M is singular in every configuration. Causes are a joint that moves no inertia, a
/// mimic with multiplier 0, and a point mass on its own axis. Such robots have inverse dynamics but no forward dynamics.
/// Messages name the joints and the links behind them. If no function inverts M, joints without inertia get the warning
/// of model::warn_massless. M is singular if a pivot, an entry of D in M = L^T D L, is at most `least_pivot` times the
/// terms that it is computed from.
std::vector<std::string> drop_functions_without_inverse(const std::vector<std::string>& functions,
                                                        const Options& options, const model::UserTree& tree,
                                                        double least_pivot, const std::string& file,
                                                        Diagnostics& findings);

/// Bounds of pivots. Measured with two wheels on one axis and a ring of inertia e between them: the error of aba is
/// 8e-17 / e, which passes 1e-10 at e = 8e-7.
inline constexpr double vanishing_pivot = 1e-12, least_verified_pivot = 2e-7;

/// Without functions that divide by the mass of the robot if it has none. Payloads that are inputs count for nothing,
/// because they may be zero.
std::vector<std::string> drop_functions_without_mass(const std::vector<std::string>& functions,
                                                     const Options& options, const model::UserTree& tree,
                                                     const std::string& file, Diagnostics& findings);

/// Without functions of constraints if the robot has none. Throws UsageError if the user named them or their group; of
/// other groups they are left out silently.
std::vector<std::string> drop_functions_without_constraints(const std::vector<std::string>& functions,
                                                            const Options& options,
                                                            const model::UserTree& tree);

/// Without functions that exist only unrolled and are too large for that: packed forms, and with the binding "batch"
/// also dense functions, because their batches compute the packed form.
std::vector<std::string> drop_unrolled_only(const std::vector<std::string>& functions, const Options& options,
                                            const model::Tree& tree, const std::string& file,
                                            Diagnostics& findings);

/// Without functions that depend on external forces, but cannot take them, if there are some.
std::vector<std::string> drop_functions_without_forces(const std::vector<std::string>& functions,
                                                       const Options& options, const model::UserTree& tree,
                                                       const std::string& file, Diagnostics& findings);

}  // namespace featherline
