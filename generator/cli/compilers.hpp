#pragma once

#include "cli/commands.hpp"
#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "support/observer.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Compilers that a run starts: for `check` the one of the machine that the generator runs on, $CXX (which may carry
/// flags, as in make), or c++ if $CXX is not set.
namespace featherline::cli {

/// Whether $CXX makes code for a processor other than this one. If so, it only compiles objects (compile_object()), and
/// c++ compiles the programs that are run.
bool is_cross_compiler();
/// $CXX with its flags, or c++.
std::string chosen_compiler();

/// The folder that holds featherline/version.hpp. It is ../include beside an installed executable. In a build tree the
/// file featherline_headers beside the executable names it. Throws EnvironmentError if neither is there.
std::filesystem::path runtime_headers();

/// $CXX, or c++ if $CXX is not set or makes code for another processor.
inline std::string host_compiler() { return is_cross_compiler() ? "c++" : chosen_compiler(); }

/// What host_compiler() says of itself: "g++ (Debian 12.2.0-14) 12.2.0".
std::string compiler_version();

/// Compiles the sources as C++17 with these flags, several at a time, and links them into `executable`. The object of
/// a source is beside it, with ".o" behind its name. Throws EnvironmentError with the compiler's messages.
void compile(const std::vector<std::filesystem::path>& sources,
             const std::vector<std::filesystem::path>& include_folders,
             const std::filesystem::path& executable, const std::string& flags);

/// Compiles one C++17 source into `object`, with $CXX and further flags. Throws as compile() does.
void compile_object(const std::filesystem::path& source,
                    const std::vector<std::filesystem::path>& include_folders, const std::string& flags,
                    const std::filesystem::path& object);

/// Names and bytes of the functions and tables in an object file, from the nm that belongs to $CXX. Throws
/// EnvironmentError if there is none.
std::map<std::string, int> object_symbols(const std::filesystem::path& object);

// clang, which makes PTX of kernels without the CUDA toolkit, for `generate --cuda ptx`. It is $FEATHERLINE_CLANG,
// else clang++, else the newest clang++-N from 20 to 14. $FEATHERLINE_PTXAS, if there is one, then says in how many
// registers the kernels fit: it takes as long as clang, so nobody waits for it unasked.

/// Adds the kernels of NAME_cuda.cu to NAME.ptx: one module, for compute capability 8.0 and newer, and what ptxas says
/// to facts and manifest. Does nothing if there is no such file. So many compilers run at the same time as the options'
/// jobs say. Throws EnvironmentError if there is no clang, or with the messages of either.
void compile_kernels(Emission& emission, const Options& options, const Observer& observer);

/// What a driver declares of the inputs: their sizes, and the struct `Inputs` that says where each begins.
std::string input_types(const model::Tree& tree);

/// The arguments of a call in a driver, such as "x.q, x.v, y + 0, link, frame". `output` gives the text for the k-th
/// output.
std::string call_arguments(const catalog::FunctionSpec& function, const model::Tree& tree,
                           const std::function<std::string(std::size_t)>& output, const std::string& link,
                           const std::string& frame, bool is_batch = false);

std::vector<reference::State> random_states(const model::UserTree& tree, std::uint32_t seed, int count);

/// Writes emitted files into a folder. Returns those that are compiled.
std::vector<std::filesystem::path> write_emitted(const std::vector<emit::File>& files,
                                                 const std::filesystem::path& folder);

/// Writes the emitted files and the source of the driver into the folder, compiles them with the host compiler and
/// these flags, and runs the driver. Sources that others include are not compiled. Returns the file of its results.
/// Throws EnvironmentError if the compiler fails.
std::filesystem::path run_driver(const std::filesystem::path& folder, const std::vector<emit::File>& files,
                                 const std::string& driver, const std::string& flags,
                                 const std::vector<reference::State>& states, Progress& progress,
                                 const std::set<std::string>& included = {});

/// What $CXX makes of one emitted function with -O2, in bytes.
struct MeasuredSize {
  int code = 0;   ///< on microcontrollers without sincos, which an image has once
  int stack = 0;  ///< the deepest chain of calls
  std::map<std::string, int> symbols = {};
};

/// Compiles the source of the function, which is in `folder`. Throws EnvironmentError if the compiler or nm fails.
MeasuredSize measure_size(const Emission& emission, const std::string& function,
                          const std::filesystem::path& folder);

/// A table of the estimates for `target` and the measurements of all functions, side by side. The measurements are also
/// added to the manifest in the folder.
std::string measure_sizes(const Emission& emission, const std::filesystem::path& folder,
                          const std::string& target);

}  // namespace featherline::cli
