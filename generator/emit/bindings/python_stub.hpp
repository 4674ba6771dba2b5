#pragma once

#include "emit/plan.hpp"

namespace featherline::emit {

/// NAME.pyi: what a robot's Python module holds, for editors and type checkers.
std::string python_stub_file(const FileSource& source);

}  // namespace featherline::emit
