#pragma once

#include "algorithms/lanes/limb_inverse.hpp"
#include "algorithms/routines/routine_calls.hpp"

/// Columns of derivatives in limb lanes by calls.
namespace featherline::algorithms {

/// Columns of M^-1 A that belong to limbs, each by a call of one internal function. Unrolled, every column has its own
/// copy of the same solution: a fifth of the code of hyq's aba_derivatives.
class LimbColumns {
 public:
  /// Of outputs with so many rows.
  LimbColumns(Context& context, const LimbInverse& inverse, int rows)
      : c_(context), inverse_(inverse), rows_(rows), calls_(context, solver_numbers(inverse)) {}

  /// Adds the columns of limbs of M^-1 A to the output, where `begin` is the first entry of all columns. Lane k of a
  /// column of A belongs to limb k.
  void add(const std::string& output, const SquareMatrix& A, int begin = 0);
  /// Calls the functions for all columns. All outputs that have columns must be written by write() afterwards.
  void run();
  /// Writes an output whose columns of limbs were added. `entries` are those of other columns; what is not left out is
  /// zero.
  void write(const std::string& output, const std::vector<StoredEntry>& entries,
             const std::set<int>& left_out = {}) {
    calls_.write(output, entries, left_out);
  }

 private:
  /// How far the columns of the limbs are from the first of them, in the output.
  using Distances = std::vector<int>;
  /// Solves for the columns of a group.
  struct Function {
    std::shared_ptr<ir::Kernel> kernel;
    std::vector<int> places;  ///< what it writes: entries that are not zero
    int number = 0;
  };
  std::vector<int> coordinates_of_b(int group) const;
  void make(int group, const Distances& distances, Function& function);

  Context& c_;
  const LimbInverse& inverse_;
  int rows_;
  ColumnCalls calls_;
  std::map<std::pair<int, Distances>, Function> functions_;
};

}  // namespace featherline::algorithms
