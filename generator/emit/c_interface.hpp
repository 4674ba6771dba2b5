#pragma once

#include "emit/emit.hpp"

#include <string>

/// The C interface of `--c-api`: NAME.h and NAME_c.cpp.
namespace featherline::emit {

std::string c_header_file(const Request& request);
std::string c_source_file(const Request& request);

}  // namespace featherline::emit
