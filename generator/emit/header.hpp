#pragma once

#include "emit/emit.hpp"

#include <string>
#include <vector>

namespace featherline::emit {

/// The whole content of NAME.hpp.
std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts);

}  // namespace featherline::emit
