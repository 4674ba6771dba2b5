#pragma once

#include "emit/emit.hpp"

#include <string>
#include <vector>

/// NAME::batch: every function for many states at once, in the lanes of featherline/batch. One file for each
/// function and instruction set, so that they compile side by side and a program need not link what it leaves out.
namespace featherline::emit {

/// NAME_batch_FUNCTION.ipp (the kernel), .cpp (baseline and dispatch), _avx2.cpp and _avx512.cpp; the packed form
/// the kernel computes, unless it is emitted for its own sake.
std::vector<File> batch_files(const Request& request, const FunctionRequest& function);

/// Their names, in the same order.
std::vector<std::string> batch_file_names(const Request& request, const FunctionRequest& function);

/// Namespace batch of the header.
std::string batch_declarations(const Request& request);

}  // namespace featherline::emit
