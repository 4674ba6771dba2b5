#pragma once

#include "model/tree.hpp"
#include "support/json.hpp"

namespace featherline::emit {

/// "locked_joints": ... of the manifest: name, type, child and q of each. Nothing if there are none.
void add_locked_joints(const model::Tree& tree, Json& manifest);

}  // namespace featherline::emit
