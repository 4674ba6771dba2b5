#pragma once

#include "emit/emit.hpp"

/// What someone who reads emitted code has to know of the robot: which frames its numbers are in, which inertias, what
/// the names mean, and what a step along a coordinate is.
namespace featherline::emit {

/// The comment lines of NAME.hpp that say so.
std::string reading_guide(const Request& request);

}  // namespace featherline::emit
