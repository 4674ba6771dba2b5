#pragma once

#include "model/limbs.hpp"

#include <functional>
#include <string>
#include <vector>

/// What groups of equal limbs are called, for readers.
namespace featherline::model {

/// The part of the limbs' joint names that tells them apart: "lf", "rf", "lh", "rh". The names of their first joints if
/// no such part is left.
std::vector<std::string> limb_names(const Tree& tree, const LimbGroup& group);

/// "lf, rf, lh, rh: 4 x 3 joints (3 revolute), on trunk". `shown` makes names safe for where the text is put.
std::string describe_limbs(const Tree& tree, const LimbGroup& group,
                           const std::function<std::string(const std::string&)>& shown);

}  // namespace featherline::model
