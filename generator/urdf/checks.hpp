#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

namespace featherline::urdf {

/// Checks names, then the tree of links, then joints, and then values that are probably mistakes
/// (suspicious_values.hpp). Checks that need a sound tree are skipped if it is not sound.
void check(const Description& description, Diagnostics& diagnostics);

/// The place of a part of the description in its file.
Location at(const Description& description, const Link& link, int line, const std::string& below = {});
Location at(const Description& description, const Constraint& constraint, int line,
            const std::string& below = {});
Location at(const Description& description, const Joint& joint, int line, const std::string& below = {});

}  // namespace featherline::urdf
