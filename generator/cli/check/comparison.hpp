#pragma once

#include "cli/check/judge.hpp"
#include "cli/check/plan.hpp"
#include "cli/report.hpp"
#include "pipeline.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace featherline::cli {

/// The worst that one form of a function did, over all states.
struct Row {
  const CheckedFunction* function = nullptr;
  const Form* form = nullptr;
  double relative = 0.0, allowed = 1.0;  ///< of the state that is nearest to what is allowed
  double whole = 0.0, entries = 0.0;     ///< shares, as in Verdict
  std::optional<double> residual;
  double worst_share = -1.0;
  Entry worst;
  int state = 0;  ///< of `worst`

  void add(const Verdict& verdict, int state);
  bool agrees() const { return worst_share <= 1.0; }
};

/// Judges all results in the driver's file.
std::vector<Row> compare_results(const Robot& robot, const std::vector<CheckedFunction>& functions,
                                 const std::vector<reference::State>& states,
                                 const std::filesystem::path& results, Progress& progress);

}  // namespace featherline::cli
