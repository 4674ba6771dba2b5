#pragma once

#include "catalog/functions.hpp"
#include "ir/kernel.hpp"
#include "passes/schedule.hpp"
#include "passes/simplify.hpp"

#include <optional>
#include <string>
#include <vector>

/// What selection makes, verification judges, and emission prints.
namespace featherline {

/// The packed form of a function, from passes::pack().
struct PackedForm {
  ir::Kernel kernel;
  std::vector<std::vector<passes::PackedEntry>> maps;
  std::vector<int> dense_sizes;  ///< of the outputs that the maps spread to
};

/// Another formulation of a function, and its estimated stack.
struct Leaner {
  std::string formulation;
  int stack_bytes = 0;
};

/// A function, with the scheduled kernel of the chosen formulation. The packed form is a separate function. A
/// user may ask for both forms or for one.
struct LoweredFunction {
  const catalog::FunctionSpec* spec = nullptr;
  ir::Kernel kernel;
  /// passes::PackedKernel::maps, if `kernel` is packed. The function is then called "<algorithm>_packed".
  std::optional<std::vector<std::vector<passes::PackedEntry>>> packed_maps = {};
  std::vector<int> dense_sizes = {};  ///< of the outputs that packed_maps spread to
  /// What batches compute in place of the dense function: its packed form, which is spread when values leave the lanes,
  /// because moving an entry from the lanes costs as much as a hundred flops; or vectors by loops over equal limbs.
  std::optional<PackedForm> batch_form = {};
  /// What devices run (--cuda): one straight line. None if there is no such formulation.
  std::optional<passes::DeviceProgram> device_form = {};
  std::optional<double> error = {};  ///< found by verification; none where it was left out
  /// If the kernel needs more than cost::much_stack: the formulation to take where that is too much. None if no
  /// formulation needs less, or if the user demanded this one.
  std::optional<Leaner> leaner = {};
};

/// The forms of a function to print: dense, packed, or both, as planned.
using LoweredForms = std::vector<LoweredFunction>;

/// "rnea_derivatives", or "rnea_derivatives_packed" for the packed form.
inline std::string function_name(const LoweredFunction& function) {
  return function.packed_maps ? packed_name(*function.spec) : function.spec->name;
}

/// Whether its source also has the form without structural zeros, catalog::nonzeros_name().
inline bool has_nonzeros_form(const LoweredFunction& function) {
  return !function.packed_maps && function.kernel.has_nonzeros_form();
}

}  // namespace featherline
