#pragma once

#include "arrays/arguments.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Which functions hold the derivatives of others: for optimisers, which ask for a function and get its derivatives.
namespace featherline::catalog {

/// The derivative of an output by an input, in an array of another function. It may be a function of the binding, which
/// begins with "@" and needs the functions `of_binding`; its arrays are in the order of their blocks.
struct DerivativeBlock {
  std::string_view output, input, function, array;
};

/// Inputs of the other functions are those of the function with the same names. The rest are zero, but for `w`, the
/// weights of its output, or what `renamed` says.
struct Companions {
  std::string_view function;
  std::vector<DerivativeBlock> blocks;  ///< by all inputs that no user chose, but for `active`
  std::string_view product = {};        ///< weights times all blocks
  std::string_view hessian = {};        ///< of the weighted output by (q, v)
  std::string_view mixed = {};          ///< the derivative by q of its derivative by the third input
  std::string_view renamed = {};        ///< the input that another function calls w
  /// Of functions of the binding: what they call.
  std::vector<std::string_view> of_binding = {};
  /// By the chosen parameters: a function that is used where it is asked for, and its array.
  std::string_view by_parameters = {}, parameters_array = {};
};

const std::vector<Companions>& all_companions();

/// Of the function; nullptr if no function holds its derivatives.
const Companions* companions_of(std::string_view function);

/// The names with those of the functions that hold first derivatives of them behind.
std::vector<std::string> with_companions(std::vector<std::string> names);

/// Whether they hold for the robot: springs are part of rnea_derivatives, but not of gravity.
bool have_companions(const Companions& companions, const model::Tree& tree);

}  // namespace featherline::catalog
