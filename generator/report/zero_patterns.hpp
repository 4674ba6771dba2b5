#pragma once

#include "lowered/lowered_function.hpp"
#include "selection/function_plan.hpp"

#include <string>
#include <vector>

/// Structural zeros: the entries of a matrix that are zero in every state of the robot.
namespace featherline::report {

/// An output of nv rows and columns.
struct Matrix {
  std::string function, output, meaning;
  int size = 0;  ///< nv
  std::vector<bool>
      nonzero;  ///< column by column: all entries but the structural zeros; empty if nobody knows them

  bool at(int row, int column) const { return nonzero[static_cast<std::size_t>(row + size * column)]; }
  bool is_known() const { return !nonzero.empty(); }
  int num_nonzeros() const;
};

/// Functions that loops of the runtime compute store their outputs without knowing the zeros. For these the packed form
/// is planned, too, unless it takes long. Returns the names of the packed forms that the user did not ask for.
std::vector<std::string> plan_matrices(Plan& plan, const model::UserTree& tree, const Options& options);

/// The matrices of all functions. The zeros are those of the dense or of the packed form, of the one that knows more.
/// Removes the functions `added`.
std::vector<Matrix> take_matrices(std::vector<LoweredFunction>& functions,
                                  const std::vector<std::string>& added, const model::UserTree& tree);

}  // namespace featherline::report
