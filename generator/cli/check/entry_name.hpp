#pragma once

#include "cli/check/judge.hpp"
#include "cli/check/plan.hpp"
#include "model/tree.hpp"

#include <string>

namespace featherline::cli {

/// "tau[2] (elbow)", "M[5] (elbow, wrist)", "p[1] (link tool)": the entry and what it belongs to.
std::string entry_name(const Entry& entry, const CheckedFunction& function, const model::Tree& tree);

}  // namespace featherline::cli
