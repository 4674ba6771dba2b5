#pragma once

#include "emit/emit.hpp"
#include "support/observer.hpp"

#include <vector>

/// clang, which makes PTX of kernels without the CUDA toolkit, for `generate --cuda ptx`. It is $FEATHERLINE_CLANG,
/// else clang++, else the newest clang++-N from 20 to 14.
namespace featherline::cli {

/// Adds the kernels of NAME_cuda.cu to NAME.ptx: one module, for compute capability 8.0 and newer. Does nothing if
/// there is no such file. So many compilers run at the same time as `jobs` says. Throws EnvironmentError if there is no
/// clang, or with its messages.
void compile_kernels(std::vector<emit::File>& files, int jobs, const Observer& observer);

}  // namespace featherline::cli
