#pragma once

#include "catalog/functions.hpp"
#include "emit/function_files.hpp"

#include <map>
#include <string>
#include <vector>

/// The exported functions of a robot, and which entries of their derivatives may be other than zero.
namespace featherline::emit {

using Arguments = std::vector<catalog::Argument>;

/// Which entries of a matrix may be other than zero, column by column.
struct Pattern {
  int rows = 0, columns = 0;
  std::vector<bool> nonzero = {};

  static Pattern of(int rows, int columns, bool nonzero);
  bool at(int r, int c) const;
  void set(int r, int c);
  Pattern transposed() const;
  /// The rows and columns from these on.
  Pattern block(int row, int column, int num_rows, int num_columns) const;
  /// Compressed columns, as CasADi reads them.
  std::string numbers() const;
};

class CasadiPatterns {
 public:
  explicit CasadiPatterns(const Request& request);

  static bool is_exported(const LoweredFunction& function) {
    return !function.packed_maps && !function.spec->takes_link && !function.spec->repeats;
  }
  const std::map<std::string, const LoweredFunction*>& functions() const { return functions_; }
  bool has(std::string_view function) const { return functions_.contains(std::string(function)); }
  Arguments inputs(const std::string& function) const;
  const Arguments& outputs(const std::string& function) const;

  const model::Tree& tree() const { return tree_; }
  const catalog::Sizes& sizes() const { return sizes_; }
  /// Whether derivatives by positions have nv columns, not nq.
  bool tangent() const { return tangent_; }

  int size(const catalog::Argument& a) const { return static_cast<int>(a.shape.size(sizes_)); }
  static bool is_position(const catalog::Argument& a) { return a.quantity == catalog::Quantity::position; }
  /// Of derivatives by it, before coordinates take the place of steps; then of those that callers see.
  int num_steps(const catalog::Argument& a) const { return is_position(a) ? tree_.nv : size(a); }
  int num_columns(const catalog::Argument& a) const {
    return is_position(a) && !tangent_ ? tree_.nq : num_steps(a);
  }
  /// Which output of its function holds the block.
  int array_in(const catalog::DerivativeBlock& block) const;

  Pattern whole(const catalog::Argument& a) const;
  /// Of a change of the input, or of what weights make of it.
  Pattern change(const catalog::Argument& a) const;
  Pattern output(const std::string& function, std::size_t k) const;
  Pattern stored(const std::string& function, std::size_t output, int rows, int columns) const;
  Pattern block(const catalog::DerivativeBlock& block, int rows, int columns) const;
  /// Of derivatives by the input, as callers see them.
  Pattern seen(const catalog::Argument& input, const Pattern& steps) const {
    return is_position(input) && !tangent_ ? by_coordinates(steps) : steps;
  }
  /// The entries of quaternions by each other: quaternions are not straight.
  void fill_blocks_of_quaternions(Pattern& by_positions) const;

 private:
  Pattern by_coordinates(const Pattern& steps) const;
  Pattern of_step(const catalog::DerivativeBlock& block) const;
  Pattern of_frames(int height, int rows, int columns) const;

  const model::Tree& tree_;
  catalog::Sizes sizes_;
  bool tangent_;
  std::map<std::string, const LoweredFunction*> functions_;
};

}  // namespace featherline::emit
