#pragma once

#include "emit/emit.hpp"

#include <string>

/// The C interface of `--c-api`: NAME.h, NAME_c.cpp with sizes and names, and the C functions at the end of the file
/// of their template, so that one function more is one file more to compile.
namespace featherline::emit {

std::string c_header_file(const Request& request);
std::string c_source_file(const Request& request);

/// Of the source of one function: further include lines, and the C functions. Both begin with a blank line.
std::string c_includes(const Request& request, const FunctionRequest& function);
std::string c_functions(const Request& request, const FunctionRequest& function);

}  // namespace featherline::emit
