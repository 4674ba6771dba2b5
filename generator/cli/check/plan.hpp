#pragma once

#include "catalog/functions.hpp"
#include "cli/command_line.hpp"
#include "model/tree.hpp"
#include "reference/expected.hpp"

#include <featherline/batch.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// What `check` calls and how often: what `generate` would emit with the same options, in all its forms.
namespace featherline::cli {

/// One way to call a function: a row of the table.
struct Form {
  enum class Kind { plain, c, batch };
  Kind kind = Kind::plain;
  std::string scalar = "double";
  InstructionSet set = InstructionSet::baseline;  ///< of batches

  /// "", " (C, float)", " (batch, avx2)"
  std::string label() const;
  /// Batches run twice: states one after the other, and structures of arrays.
  int runs() const { return kind == Kind::batch ? 2 : 1; }
};

/// A function under test.
struct CheckedFunction {
  std::string name;     ///< as emitted
  bool packed = false;  ///< its outputs are spread into dense arrays before they are compared
  const catalog::FunctionSpec* spec = nullptr;
  const reference::OutputFunction* reference = nullptr;
  int states = 0;       ///< how many it is compared at
  int batch_count = 0;  ///< states in one call of a batch, the first ones again where they run out
  std::vector<Form> forms = {};
  std::size_t repeats = 1;              ///< calls at one state: for every link, and every frame
  std::vector<std::size_t> sizes = {};  ///< of the dense output arrays of one call

  /// Numbers of one state. Each output array holds those of all calls, one after the other.
  std::size_t total_size() const;
  int calls(const Form& form) const { return form.kind == Form::Kind::batch ? batch_count : states; }
};

/// `names`: of the functions, as emitted.
std::vector<CheckedFunction> plan_check(const CommandLine& line, const std::vector<std::string>& names,
                                        const model::Tree& tree);

/// As many random states as the most thorough function needs.
std::vector<reference::State> make_states(const model::Tree& tree,
                                          const std::vector<CheckedFunction>& functions, std::uint32_t seed);

}  // namespace featherline::cli
