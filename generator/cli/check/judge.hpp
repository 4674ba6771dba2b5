#pragma once

#include "model/tree.hpp"
#include "reference/conditioning.hpp"
#include "reference/expected.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// What results may be off by, and whether they are.
///
/// As a whole: max |x - ref| / max(1, max |ref|) of an array is at most `relative` in double; in float the rounding of
/// the worst entry.
///
/// Entry by entry: |x_i - ref_i| is at most relative |ref_i| + rounding max(condition_i, terms_i). Here
/// condition_i is how far entry i moves, per unit, when all numbers of state and robot move at random
/// (reference/conditioning.hpp), and terms_i is the size of the terms it is made of (natural_size.hpp). A large entry
/// hides no small one of another row, column or layer, and cancellation counts as what it is.
///
/// Where results solve an equation, its rows are judged in the same way (reference/outputs.hpp).
namespace featherline::cli {

/// One perturbation of every number stands for one rounding. A number takes part in about a dozen operations (a
/// rotation's entry in those of velocity, acceleration, force and moment, three products and their sums each), which
/// round independently: 4 times one rounding. Among the 10^5 entries of a table the worst is 4.5 deviations out, where
/// the largest of eight perturbations is some 1.6 deviations: 4 * 4.5 / 1.6 = 11, taken as a power of two.
inline constexpr double rounding_factor = 16.0;

struct Precision {
  double relative;  ///< of the entry itself
  double rounding;  ///< of its condition
};
/// Double has digits to spare. Honest code lost up to 14 times as much as rounding_factor allows (anymal_c, regrouped
/// inertias), and 3300 times where loops multiply with M^-1 (random trees); 1e-11 is 5600 times. Float has none to
/// spare.
inline constexpr Precision of_double{1e-10, 1e-11}, of_float{0.0, rounding_factor * 0x1p-24};

inline constexpr int condition_samples = 16;  ///< eight of either size

/// A place in the results, and what stands there.
struct Entry {
  std::string array;
  std::size_t index = 0, array_size = 0;
  double found = 0.0, expected = 0.0;
};

/// Errors as shares of what is allowed: above 1, or NaN, is wrong.
struct Verdict {
  double relative = 0.0, allowed = 1.0;  ///< as a whole
  double entries = 0.0;                  ///< share, the worst entry's
  std::optional<double> residual;        ///< share, the worst row's
  double worst_share = -1.0;             ///< of all these, and where that is
  Entry worst;

  double whole() const { return relative > 0.0 ? relative / allowed : 0.0; }
  bool agrees() const { return worst_share <= 1.0; }
};

/// Errors of the entries of a result, and what they are judged by.
struct Errors {
  std::vector<double> errors;
  std::vector<double> sizes;  ///< what `relative` is relative to
  std::vector<double> terms;  ///< what rounding is relative to, at least
};

struct WorstEntry {
  double share = 0.0;
  std::size_t index = 0;
};

/// The entry with the largest share of what is allowed. Draws samples of the condition as long as an entry needs them.
WorstEntry judge_entries(const Errors& errors, const Precision& precision, reference::Condition& condition);

/// Judges the results of one function at one state, of several forms one after the other.
class Judge {
 public:
  /// Keeps references to all but `precision`.
  Judge(const reference::OutputFunction& function, const model::Tree& tree, const reference::State& state,
        const Precision& precision);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  /// The reference's outputs, whose sizes are those of the emitted ones.
  const reference::Outputs& expected() const { return expected_; }
  Verdict judge(const reference::Outputs& emitted);

 private:
  void judge_whole(const reference::Outputs& compared, Verdict& verdict) const;
  void judge_each(const reference::Outputs& compared, Verdict& verdict);
  void judge_equation(const reference::Outputs& emitted, Verdict& verdict);
  double allowed_rounding(std::size_t entry) const;

  const reference::OutputFunction& function_;
  const model::Tree& tree_;
  const reference::State& state_;
  Precision precision_;
  reference::Outputs expected_, compared_;
  std::vector<double> terms_;
  std::optional<reference::Condition> condition_, equation_condition_;
};

}  // namespace featherline::cli
