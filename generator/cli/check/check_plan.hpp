#pragma once

#include "catalog/functions.hpp"
#include "cli/check/judge.hpp"
#include "cli/commands.hpp"
#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"

#include <featherline/batch.hpp>

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <set>
#include <string>
#include <vector>

/// What `check` calls and how often, and what came out. It calls all forms of the functions that `generate` would emit
/// with the same options.
namespace featherline::cli {

/// One way to call a function: a row of the table.
struct Form {
  enum class Kind { plain, c, batch };
  Kind kind = Kind::plain;
  std::string scalar = "double";
  InstructionSet set = InstructionSet::baseline;  ///< for batches
  /// The form without structural zeros. The driver clears the outputs once and then calls it at all states.
  bool nonzeros = false;

  /// The text behind the function's name: "", " (C, float)", " (nonzeros)" or " (batch, avx2)".
  std::string label() const;
  /// Batches run twice: once with states one after the other, and once with structures of arrays.
  int runs() const { return kind == Kind::batch ? 2 : 1; }
};

/// A function under test.
struct CheckedFunction {
  std::string name;     ///< as emitted
  bool packed = false;  ///< its outputs are spread into dense arrays before they are compared
  const catalog::FunctionSpec* spec = nullptr;
  const reference::OutputFunction* reference = nullptr;
  int states = 0;       ///< at how many states it is compared
  int batch_count = 0;  ///< states in one call of a batch; beyond `states` the first ones come again
  std::vector<Form> forms = {};
  std::size_t repeats = 1;              ///< calls at one state: one for every link and every frame
  std::vector<std::size_t> sizes = {};  ///< sizes of the dense output arrays of one call

  /// How many numbers the results of one state have. Each output array holds the numbers of all calls, one after the
  /// other.
  std::size_t total_size() const;
  int calls(const Form& form) const { return form.kind == Form::Kind::batch ? batch_count : states; }
  /// How many numbers all runs of a form write.
  std::size_t num_results(const Form& form) const {
    return total_size() * static_cast<std::size_t>(form.runs() * calls(form));
  }
};

/// `facts` are those of the functions that are emitted.
std::vector<CheckedFunction> plan_check(const CommandLine& line,
                                        const std::vector<emit::FunctionFacts>& facts,
                                        const model::Tree& tree);

/// The source of the driver (compiled_driver.hpp). It orders results by function, then by form, then by run of the
/// form, then by state.
std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions);

/// Sources that include those of several functions, which are not compiled themselves: of a small function a compiler
/// reads mostly what its source includes.
struct JoinedSources {
  std::vector<emit::File> files;
  std::set<std::string> included;
};
JoinedSources join_sources(const Emission& emission);

/// The worst results of one form of a function over all states.
struct Row {
  const CheckedFunction* function = nullptr;
  const Form* form = nullptr;
  std::size_t first = 0;  ///< where its results begin in the driver's file
  /// The worst of each share, wherever it is. `relative` and `allowed` are those of the state with the largest whole().
  Verdict verdict = {};
  int state = 0;  ///< the state of Verdict::worst

  void add(const Verdict& more, int at_state);
  bool agrees() const { return verdict.agrees(); }
};

/// Judges all results in the driver's file.
std::vector<Row> compare_results(const Robot& robot, const std::vector<CheckedFunction>& functions,
                                 const std::vector<reference::State>& states,
                                 const std::filesystem::path& results, Progress& progress);

/// The entry and what it belongs to: "tau[2] (elbow)", "M[5] (elbow, wrist)", "p[1] (link tool)".
std::string entry_name(const Entry& entry, const CheckedFunction& function, const model::Tree& tree);

/// Prints a line for each row, and below them what the columns mean. Returns whether every row agrees.
bool print_table(const std::vector<Row>& rows, const model::Tree& tree, std::ostream& out);

/// Text about the rows that disagree: what is wrong, what the user can try, and how to repeat the fault.
std::string advice(const std::vector<Row>& rows, const CommandLine& line, const Robot& robot,
                   const Emission& emission);

}  // namespace featherline::cli
