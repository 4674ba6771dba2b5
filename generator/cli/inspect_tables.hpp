#pragma once

#include "model/tree.hpp"

#include <string>

namespace featherline::cli {

/// The tables of `inspect`: coordinates, bodies, and what the user chose. Each begins with an empty line and a title.
std::string tables_text(const model::Tree& tree);

}  // namespace featherline::cli
