#pragma once

#include "cost/estimate.hpp"
#include "lowered/lowered_function.hpp"
#include "model/tree.hpp"
#include "options.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// Prints kernels: turns them into the text of the emitted files. It does no mathematics and does not touch the file
/// system.
namespace featherline::emit {

/// Everything that the emitted text depends on. Equal requests give equal bytes.
struct Request {
  std::string name;        ///< as asked for; becomes namespace and file stem by emitted_name()
  Options options;         ///< scalars, bindings, target of the estimates
  std::string flags;       ///< the options in effect, for the banner and the manifest
  std::string model_file;  ///< base name of the input, no folder
  std::string model_sha256;
  const model::UserTree* tree = nullptr;  ///< the user's: names, limits, links, masses
  /// What the kernels were traced on. Same coordinates, same links in the same order; it may have more
  /// bodies (joints split in two), and link placements refer to its body frames.
  const model::CanonicalTree* tracing_tree = nullptr;
  /// What kernels in lanes were traced on; nullptr if no formulation in lanes was a candidate.
  const model::FoldedTree* folded_tree = nullptr;
  std::vector<LoweredFunction> functions;  ///< in the order of the catalogue
};

struct File {
  std::string relative_name;  ///< a plain file name, e.g. "arm_rnea.cpp"
  std::string content;
};

/// One of several kernels by element that compute a function on a device (function_files.hpp).
struct DeviceLaunch {
  std::string function;                      ///< whose kernel it is
  std::vector<std::string> inputs, outputs;  ///< arrays of the function that is computed
};

/// Facts about an emitted function, for the report, the banner and the manifest. Figures are for the target of the
/// request.
struct FunctionFacts : cost::Figures {
  std::string name, formulation;
  std::string nonzeros;          ///< the name of the form without structural zeros; empty if there is none
  std::optional<double> error;   ///< found by verification
  std::optional<Leaner> leaner;  ///< as LoweredFunction::leaner
  std::optional<int> rank;       ///< of a base regressor: the number of base parameters
  std::vector<std::string> chosen_inputs;       ///< of the inputs that the user chose, those that it has
  std::optional<cost::PlainCalls> plain_calls;  ///< of its batch; none without one
  std::vector<std::string> files;               ///< that hold its definition and instantiations
  std::string device_formulation;               ///< of what devices run; empty: they do not run it
  /// Its figures there, by scalar.
  std::vector<std::pair<std::string, cost::DeviceFigures>> on_device;
  /// The scalars in which several kernels compute it by element.
  std::map<std::string, std::vector<DeviceLaunch>> in_turn;
};

/// All files, one behind the other, each under its name: what --dump-after prints.
std::string dump(const std::vector<File>& files);

struct Output {
  std::vector<File> files;
  std::vector<FunctionFacts> facts;  ///< one entry per requested function, in order
  int image_bytes = 0;               ///< estimate of all functions with what they share
};

/// The files of function_files.hpp. Throws InternalError when the request contradicts itself.
Output emit(const Request& request);

FunctionFacts facts(const Request& request, const LoweredFunction& function);

/// When the batch of the function calls it for one state after the other.
cost::PlainCalls plain_calls(const LoweredFunction& function);

/// Estimated bytes of code and constants of all functions in one image, without the C library. It differs from the
/// sum over the functions: tables and the walk to a link count once, and so does sincos on Cortex-M, which no
/// function includes.
int image_bytes(const Request& request, const std::vector<FunctionFacts>& facts);

}  // namespace featherline::emit
