#pragma once

#include "description/description.hpp"
#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <optional>

namespace featherline {

/// What a robot's file says, and the moving bodies it amounts to.
struct Robot {
  description::Description description;
  model::UserTree tree;                    ///< as the user knows it, with angles as they are written
  std::optional<model::UserTree> snapped;  ///< with exact quarter turns, where that makes a difference
};

/// Throws InputError where there are errors among `findings`.
Robot build_robot(description::Description description, const Options& options, Diagnostics& findings);

}  // namespace featherline
