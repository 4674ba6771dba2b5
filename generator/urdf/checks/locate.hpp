#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

/// Locations of the parts of a description, for the checks.
namespace featherline::urdf {

inline Location at(const Description& description, const Link& link, int line,
                   const std::string& below = {}) {
  return {description.file, line, "robot/link " + quoted(link.name) + below};
}

inline Location at(const Description& description, const Joint& joint, int line,
                   const std::string& below = {}) {
  return {description.file, line, "robot/joint " + quoted(joint.name) + below};
}

}  // namespace featherline::urdf
