#pragma once

#include "cli/check/check_plan.hpp"
#include "cli/check/judge.hpp"
#include "cli/commands.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace featherline::cli {

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
