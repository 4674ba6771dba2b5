#pragma once

#include "cli/check/judge.hpp"
#include "cli/check/plan.hpp"
#include "cli/commands.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
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

/// "tau[2] (elbow)", "M[5] (elbow, wrist)", "p[1] (link tool)": the entry and what it belongs to.
std::string entry_name(const Entry& entry, const CheckedFunction& function, const model::Tree& tree);

/// A line for each row, and below what the columns mean; whether every row agrees.
bool print_table(const std::vector<Row>& rows, const model::Tree& tree, std::ostream& out);

}  // namespace featherline::cli
