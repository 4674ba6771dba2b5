#pragma once

#include "emit/file_plan.hpp"
#include "emit/signature.hpp"

#include <vector>

namespace featherline::emit {

/// The functions of one source as Python has them. A parameter called by one of its words, "lambda", is "lambda_". One
/// number is not an array. What has an entry for each link or frame has these first: p is num_frames x 3, and R, of which C++
/// has nine numbers each, num_frames x 3 x 3.
std::vector<Signature> python_signatures(const LoweredFunction& function, const model::Tree& tree);

/// Whether a shape of these signatures begins with such entries.
bool has_entries_first(const catalog::Shape& shape);

/// NAME.pyi: what a robot's Python module holds, for editors and type checkers.
std::string python_stub_file(const FileSource& source);

}  // namespace featherline::emit
