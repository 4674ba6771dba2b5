#pragma once

#include "emit/emit.hpp"
#include "emit/program_printer.hpp"

/// What someone who reads emitted code has to know of the robot: which frames its numbers are in, which inertias, what
/// the names mean, and what a step along a coordinate is.
namespace featherline::emit {

/// The comment lines of NAME.hpp that say so.
std::string reading_guide(const Request& request);

/// By entry of v: "elbow", or "base.rx" for one direction of a joint that has several.
std::vector<std::string> coordinate_names(const model::Tree& tree);

/// Names for what a function stores, by the joints of its rows and columns; nothing where its outputs have other sizes.
EntryNames entry_names(const FunctionRequest& function, const model::Tree& tree);

}  // namespace featherline::emit
