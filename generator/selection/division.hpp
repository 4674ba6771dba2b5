#pragma once

#include "catalog/functions.hpp"
#include "selection/existing_functions.hpp"

#include <string>
#include <vector>

/// Functions that a robot has and does not have, and how the user is told.
namespace featherline {

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
