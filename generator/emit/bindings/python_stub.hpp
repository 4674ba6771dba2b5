#pragma once

#include "emit/plan.hpp"
#include "emit/signature.hpp"

#include <vector>

namespace featherline::emit {

/// The functions of one source as Python has them: a parameter called by one of its words, "lambda", is "lambda_".
std::vector<Signature> python_signatures(const FunctionRequest& function);

/// NAME.pyi: what a robot's Python module holds, for editors and type checkers.
std::string python_stub_file(const FileSource& source);

}  // namespace featherline::emit
