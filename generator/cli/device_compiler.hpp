#pragma once

#include "pipeline.hpp"
#include "support/observer.hpp"

/// clang, which makes PTX of kernels without the CUDA toolkit, for `generate --cuda ptx`. It is $FEATHERLINE_CLANG,
/// else clang++, else the newest clang++-N from 20 to 14. $FEATHERLINE_PTXAS, if there is one, then says in how many
/// registers the kernels fit: it takes as long as clang, so nobody waits for it unasked.
namespace featherline::cli {

/// Adds the kernels of NAME_cuda.cu to NAME.ptx: one module, for compute capability 8.0 and newer, and what ptxas says
/// to facts and manifest. Does nothing if there is no such file. So many compilers run at the same time as the options'
/// jobs say. Throws EnvironmentError if there is no clang, or with the messages of either.
void compile_kernels(Emission& emission, const Options& options, const Observer& observer);

}  // namespace featherline::cli
