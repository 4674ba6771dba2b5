#pragma once

#include "catalog/functions.hpp"
#include "robot.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

/// Which functions a robot can have. Each call returns those of the functions asked for that it can. A function that a
/// group asks for is left out with a warning; one that the user named is an error.
namespace featherline {

/// Throws InputError where there are errors.
std::vector<std::string> existing_functions(const Robot& robot, const Options& options,
                                            Diagnostics& findings);

/// Who asks for functions, and where what is wrong with them is said.
struct Asked {
  const Options& options;
  const model::UserTree& tree;
  const std::string& file;
  Diagnostics& findings;
};

/// Without functions that have an array of more than 8 million entries (64 MB). Code for such arrays is too long, and
/// such a robot is often a mistake. Outputs count. The mass matrix counts, too, if the function inverts it. That none
/// is left is an error.
std::vector<std::string> drop_oversized(const std::vector<std::string>& functions, const Asked& asked);

/// Without functions that divide by the mass of the robot if it has none. Payloads that are inputs count for nothing,
/// because they may be zero.
std::vector<std::string> drop_functions_without_mass(const std::vector<std::string>& functions,
                                                     const Asked& asked);

/// Without functions that exist only unrolled and are too large for that: packed forms, and with the binding "batch"
/// also dense functions, because their batches compute the packed form.
std::vector<std::string> drop_unrolled_only(const std::vector<std::string>& functions, const Asked& asked);

/// For each degree of freedom, whether its pivot, an entry of D in M = L^T D L, is at most `least` times the terms that
/// it is computed from. A negative pivot does not vanish. It can come from inertias that --allow accepts.
std::vector<bool> vanishing_pivots(Eigen::MatrixXd M, double least);

/// Bounds of pivots. Measured with two wheels on one axis and a ring of inertia e between them: the error of aba is
/// 8e-17 / e, which passes 1e-10 at e = 8e-7.
inline constexpr double vanishing_pivot = 1e-12, least_verified_pivot = 2e-7;

// Whether what the user chose matters to the functions asked for: choice_checks.cpp.

/// The name of the emission: that of --name, or of the robot. Tells the user where it cannot name a namespace. Throws
/// UsageError for a C header that would hide the system's header for everybody who has its folder in the include path.
std::string choose_name(const Robot& robot, const Options& options, Diagnostics& findings);

/// Notes that the target has nothing that --optimise-for latency could be for.
void tell_goal(const Robot& robot, const Options& options, Diagnostics& findings);

/// Throws UsageError for frames, contacts and inputs that the user chose and no function depends on. `dropped`:
/// functions that depend on external forces, but cannot take them.
void refuse_unused_choices(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                           const Asked& asked);

/// Throws UsageError for a gain KP that nothing has a position for. Warns of constraints of the file that no function
/// knows, and if rows of constraints depend on each other at a random state, with all of them active: forces in such
/// rows are not determined.
void check_constraints(const std::vector<std::string>& functions, const Asked& asked);

// Functions that a robot has and does not have, and how the user is told.

using Names = std::vector<std::string>;

/// The functions asked for. The robot cannot have `dropped`, which are part of a group, and `refused`, which the user
/// named.
struct Division {
  Names kept, dropped, refused;

  bool loses_some() const { return !dropped.empty() || !refused.empty(); }
};

template <class Exists>
Division divide(const Names& functions, const Options& options, const Exists& exists) {
  Division division;
  for (const std::string& name : functions)
    (exists(*catalog::find(name)) ? division.kept
     : options.is_named(name)     ? division.refused
                                  : division.dropped)
        .push_back(name);
  return division;
}

/// Why functions do not exist. Their names stand between `reason` and what becomes of them.
struct Absence {
  Finding finding;
  std::string reason, remedy;
  const model::Joint* joint = nullptr;  ///< if it is the cause
  const char* left_out = " left out";
  const char* refused = " cannot be emitted";
};

/// Tells the user what is left out and refused. Returns what is kept.
Names report(const Division& division, const Absence& absence, const Asked& asked);

/// Without functions that invert M if M is singular in every configuration. Causes are a joint that moves no inertia, a
/// mimic with multiplier 0, and a point mass on its own axis. Such robots have inverse dynamics but no forward
/// dynamics. Messages name the joints and the links behind them. If no function inverts M, joints without inertia get
/// the warning of model::warn_massless.
Names drop_functions_without_inverse(const Names& functions, const Asked& asked);

}  // namespace featherline
