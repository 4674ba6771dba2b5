#pragma once

#include "emit/emit.hpp"

#include <map>
#include <string>
#include <vector>

namespace featherline::emit {

/// How the numbers of all outputs lie in the lanes of a packed form: its numbers, then a zero, then the opposites
/// of some.
class SpreadRows {
 public:
  /// `dense_sizes` are those of the outputs of the dense function.
  SpreadRows(const FunctionRequest& packed, const std::vector<int>& dense_sizes);

  int count() const { return num_packed_ + 1 + static_cast<int>(negatives_.size()); }
  /// The table spread[] and row(), members of a kernel.
  std::string table() const;
  /// Statements that fill the rows behind the packed ones.
  std::string further_rows() const;

 private:
  int negative(int row);

  int num_packed_ = 0;
  std::vector<int> rows_;
  std::map<int, int> negatives_;  ///< packed row -> row of its opposite
};

}  // namespace featherline::emit
