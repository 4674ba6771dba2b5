#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"
#include "reference/conditioning.hpp"
#include "reference/error.hpp"
#include "reference/expected.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// How far results may be off, and whether they are further off.
///
/// An array as a whole: in double, its error (reference/error.hpp) is at most `relative`. In float it is at most the
/// largest rounding that is allowed for an entry, in the same measure.
///
/// Each entry: |x_i - ref_i| is at most relative |ref_i| + rounding max(condition_i, terms_i). condition_i says how far
/// entry i moves, per unit, when all numbers of state and robot move at random (reference/conditioning.hpp). terms_i is
/// the size of the terms that the entry is made of (error_scales() of judge.cpp). So a large entry does not hide the
/// error of a small one in another row, column or layer. An entry in which large terms cancel may have the rounding of
/// these terms.
///
/// If results solve an equation, its rows are judged in the same way (reference/outputs.hpp).
namespace featherline::cli {

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

}  // namespace featherline::cli
