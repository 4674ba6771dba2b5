#pragma once

#include "algorithms/lanes/limb_inverse.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

/// Columns of M^-1 A that belong to limbs, each by a call of one internal function. Unrolled, every column has its own
/// copy of the same solution: a fifth of the code of hyq's aba_derivatives.
namespace featherline::algorithms {

class LimbColumns {
 public:
  /// Writes the numbers of `inverse` to the local array "solver".
  LimbColumns(Context& context, const LimbInverse& inverse);

  /// Adds the columns M^-1 b of the output, one for each limb of a group: `coordinate` is theirs in the folded tree, and
  /// lane k of b belongs to limb k.
  void add(const std::string& output, int coordinate, Coordinates b);
  /// Adds the columns -M^-1 A of limbs.
  void add_negative_product(const std::string& output, const SquareMatrix& A);
  /// Adds the columns M^-1 of limbs.
  void add_inverse(const std::string& output);
  /// Calls the function for all columns. All outputs that have columns must be written by write() afterwards.
  void run();
  /// Writes an output whose columns of limbs were added. `entries` are those of other columns; the rest is zero.
  void write(const std::string& output, const std::vector<StoredEntry>& entries);

 private:
  struct Column {
    std::string output;
    int coordinate, group;
    Coordinates b;
  };
  /// The function that solves for columns of a group.
  struct Body {
    std::shared_ptr<ir::Kernel> kernel;
    std::vector<int> rows;  ///< that are not zero
    int number = 0;
  };
  /// How far the columns of the limbs are from the first of them, in the output.
  using Distances = std::vector<int>;

  template <class F>
  void each_limb_coordinate(const F& f) const;
  int first_column(int coordinate) const;
  Distances distances(int coordinate) const;
  const Body& body_of(const Column& column);
  Body make_body(int group, const Distances& distances) const;
  std::vector<int> coordinates_of_b(int group) const;

  Context& c_;
  const LimbInverse& inverse_;
  int solver_size_ = 0;
  std::vector<Column> columns_;
  std::map<std::pair<int, Distances>, Body> bodies_;
  std::map<std::string, std::set<int>> written_;  ///< by output: entries
};

}  // namespace featherline::algorithms
