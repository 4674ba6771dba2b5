#pragma once

#include "ir/kernel.hpp"

/// Operations as authors of papers count them: products and sums of the formulas, before zeros, ones and common
/// subexpressions are folded.
namespace featherline::ir {

/// Negations count as nothing. An operation on lanes counts as one.
struct Operations {
  long multiplications = 0, divisions = 0;
  long additions = 0;  ///< and subtractions

  long total() const { return multiplications + divisions + additions; }
  Operations& operator+=(const Operations& y);
  friend Operations operator-(const Operations& x, const Operations& y);
  bool operator==(const Operations&) const = default;
};

/// All operations on Scalars in this thread up to now, numbers among the operands or not. The difference of two reads
/// is what an algorithm performed between them.
Operations& source_operations();

/// The operations that a kernel's stores need, without those of its calls.
Operations count_operations(const Kernel& kernel);

}  // namespace featherline::ir
