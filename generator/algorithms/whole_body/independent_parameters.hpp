#pragma once

#include "model/tree.hpp"

#include <memory>

namespace featherline::algorithms {

/// The base parameters of a robot. The grouping relations of Gautier and Khalil (model::group_parameters) come first.
/// Gravity along an axis, parallel axes near a fixed base and coupled joints hide more parameters. These are found by
/// the regressor itself, at random states: a column that is a combination of columns before it is left out, and the
/// map says of which.
std::shared_ptr<const model::BaseParameters> find_base_parameters(const model::UserTree& tree);

}  // namespace featherline::algorithms
