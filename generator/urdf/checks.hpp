#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

namespace featherline::urdf {

/// Names, the tree of links, joints, and then values that are hardly meant (suspicious_values.hpp). What needs a sound
/// tree is left out where it is none.
void check(const Description& description, Diagnostics& diagnostics);

/// Where a part of the description stands in its file.
Location at(const Description& description, const Link& link, int line, const std::string& below = {});
Location at(const Description& description, const Joint& joint, int line, const std::string& below = {});

}  // namespace featherline::urdf
