#pragma once

#include "catalog/functions.hpp"
#include "ir/kernel.hpp"
#include "options.hpp"

#include <limits>
#include <optional>

namespace featherline {

/// A formulation as simplified, and as it would be emitted.
struct Traced {
  const catalog::Formulation* formulation;
  ir::Kernel graph;
  std::optional<ir::Kernel> program;    ///< only where the choice needs it
  double predicted_cost = 0;            ///< of Options::goal()
  int code_bytes = 0, stack_bytes = 0;  ///< only where the choice needs them
};

/// ns of the routines that a kernel calls.
double calls_ns(const ir::Kernel& kernel);

/// Keeps the best of several formulations, and says which ones need not be looked at. Of equals it keeps the first.
class Best {
 public:
  explicit Best(const Options& options) : options_(options) {}

  /// Whether a formulation of so many flops can be better, as far as that is known before it is traced.
  bool admits(double unrolled_flops) const;
  /// Whether a kernel can be better, once its flops have shrunk to `share`.
  bool admits(const ir::Kernel& kernel, double share = 1.0) const;
  void add(const Traced& candidate);
  const std::optional<Traced>& kept() const { return kept_; }

 private:
  bool is_better(const Traced& a, const Traced& b) const;
  /// Whether --max-code allows it.
  bool fits(const Traced& traced) const;

  const Options& options_;
  std::optional<Traced> kept_;
  double fewest_flops_ = std::numeric_limits<double>::infinity();  ///< of code without calls
};

}  // namespace featherline
