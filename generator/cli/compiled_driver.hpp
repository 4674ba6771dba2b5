#pragma once

#include "cli/commands.hpp"
#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

/// How `check`, `tune` and `compare` run emitted code: compiled with a driver, a program that is called as
/// `driver STATES RESULTS`. It reads states from one file, as doubles, and writes results to the other. And how large
/// the functions are that the compiler makes of it.
namespace featherline::cli {

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
