#pragma once

#include "algorithms/context.hpp"

#include <utility>
#include <vector>

/// Rates in time by forward mode on symbols (Griewank and Walther, Evaluating Derivatives, 2nd edition, section 3.1), for what
/// has no recursion of its own.
namespace featherline::algorithms {

/// An array of inputs and the rates of its entries.
using Changing = std::pair<Coordinates, Coordinates>;

/// The rates of values of the inputs that change. All other inputs stand still.
Coordinates rates(const Coordinates& values, const std::vector<Changing>& inputs);

}  // namespace featherline::algorithms
