#pragma once

#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"

#include <featherline/batch.hpp>

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What `check` calls and how often, and what came out. It calls all forms of the functions that `generate` would emit
/// with the same options.
namespace featherline::cli {

// How far results may be off, and whether they are further off.
//
// An array as a whole: in double, its error (reference/expected.hpp) is at most `relative`. In float it is at most the
// largest rounding that is allowed for an entry, in the same measure.
//
// Each entry: |x_i - ref_i| is at most relative |ref_i| + rounding max(condition_i, terms_i). condition_i says how far
// entry i moves, per unit, when all numbers of state and robot move at random (reference/expected.hpp). terms_i is
// the size of the terms that the entry is made of (error_scales() of judge.cpp). So a large entry does not hide the
// error of a small one in another row, column or layer. An entry in which large terms cancel may have the rounding of
// these terms.
//
// If results solve an equation, its rows are judged in the same way (reference/expected.hpp).

/// How many roundings one perturbation of every number stands for. A number takes part in about a dozen operations: an
/// entry of a rotation takes part in those of velocity, acceleration, force and moment, with three products and their
/// sums each. These operations round independently, which gives 4 times one rounding. Among the 10^5 entries of a table
/// the worst is 4.5 standard deviations out, while the largest of eight perturbations is about 1.6 deviations. 4 * 4.5
/// / 1.6 = 11, rounded up to a power of two.
inline constexpr double rounding_factor = 16.0;

struct Precision {
  double relative;  ///< relative to the entry itself
  double rounding;  ///< relative to the condition of the entry
};
/// Double has digits to spare. Right code lost up to 14 times as much as rounding_factor allows (anymal_c, regrouped
/// inertias). Loops that multiply with M^-1 lost 3300 times as much (random trees). 1e-11 allows 5600 times as much.
/// Float has no digits to spare.
inline constexpr Precision of_double{reference::promised_error, 1e-11},
    of_float{0.0, rounding_factor * 0x1p-24};

inline constexpr int condition_samples = 16;  ///< eight of each of the two sizes

/// A place in the results, with the value found there and the value expected.
struct Entry {
  std::string array;
  std::size_t index = 0, array_size = 0;
  double found = 0.0, expected = 0.0;
};

/// Errors as shares of what is allowed. A share above 1, or NaN, is wrong.
struct Verdict {
  double relative = 0.0, allowed = 1.0;  ///< of an array as a whole
  double entries = 0.0;                  ///< the share of the worst entry
  std::optional<double> residual;        ///< the share of the worst row
  double worst_share = -1.0;             ///< the largest of these shares; `worst` is its place
  Entry worst;

  double whole() const { return relative > 0.0 ? relative / allowed : 0.0; }
  bool agrees() const { return worst_share <= 1.0; }
};

/// Judges the results of one function at one state. It can judge several forms, one after the other.
class Judge {
 public:
  /// Keeps references to all arguments except `precision`.
  Judge(const reference::OutputFunction& function, const model::Tree& tree, const reference::State& state,
        const Precision& precision);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  /// The outputs of the reference. They have the sizes of the emitted ones.
  const reference::Outputs& expected() const { return expected_; }
  Verdict judge(const reference::Outputs& emitted);

 private:
  void judge_whole(const reference::Outputs& compared, Verdict& verdict) const;
  void judge_each(const reference::Outputs& compared, Verdict& verdict);
  void judge_equation(const reference::Outputs& emitted, Verdict& verdict);

  const reference::OutputFunction& function_;
  const model::Tree& tree_;
  const reference::State& state_;
  Precision precision_;
  double allowance_ = 1.0;
  reference::Outputs expected_, compared_;
  std::vector<double> terms_;
  std::optional<reference::Condition> condition_, equation_condition_;
};

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

/// The source of the driver (compilers.hpp). It orders results by function, then by form, then by run of the
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
