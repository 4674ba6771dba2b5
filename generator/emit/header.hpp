#pragma once

#include "emit/emit.hpp"

#include <string>
#include <vector>

namespace featherline::emit {

/// The whole content of NAME.hpp.
std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts);

// The guide for readers of emitted code: frames, inertias, and the meaning of names.

/// The comment lines for the end of NAME.hpp.
std::string reading_guide(const Request& request);

}  // namespace featherline::emit
