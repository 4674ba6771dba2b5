#pragma once

#include "emit/emit.hpp"
#include "lowered/lowered_function.hpp"
#include "robot.hpp"
#include "selection/function_plan.hpp"
#include "support/diagnostic.hpp"
#include "support/observer.hpp"

#include <string>
#include <vector>

/// The page of `featherline inspect --format=html`: one file for a browser, which needs no other file and no network.
/// The same robot and options give the same bytes.
namespace featherline::report {

/// An output of nv rows and columns, and its structural zeros: the entries that are zero in every state of the robot.
struct Matrix {
  std::string function, output, meaning;
  int size = 0;  ///< nv
  std::vector<bool>
      nonzero;  ///< column by column: all entries but the structural zeros; empty if nobody knows them

  bool at(int row, int column) const { return nonzero[static_cast<std::size_t>(row + size * column)]; }
  bool is_known() const { return !nonzero.empty(); }
  int num_nonzeros() const;
};

/// What the page is about.
struct Report {
  const Robot* robot = nullptr;
  Diagnostics findings;
  std::vector<emit::FunctionFacts> functions;  ///< as the report of `generate` has them
  std::vector<Matrix> matrices;
  int image_bytes = 0;       ///< estimate of all functions with what they share
  cost::Target target = {};  ///< of the estimates
  int flash_wait_states = 0;
  std::string flags;       ///< the options in effect
  std::string trajectory;  ///< that the drawing plays (trajectory_json()), or nothing
};

/// Lowers the functions of the plan as `generate` does. Throws InputError if a function disagrees with the reference
/// solver.
Report make_report(const Robot& robot, Plan plan, const Options& options, const Observer& observer);

/// The whole page.
std::string page(const Report& report);

}  // namespace featherline::report
