#pragma once

#include "emit/emit.hpp"

/// The guide for readers of emitted code: frames, inertias, and the meaning of names.
namespace featherline::emit {

/// The comment lines for the end of NAME.hpp.
std::string reading_guide(const Request& request);

}  // namespace featherline::emit
