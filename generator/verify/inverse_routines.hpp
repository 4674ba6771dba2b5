#pragma once

#include <featherline/dense_kernels.hpp>

/// Routines of M^-1, which loops and kernels have under the same names, as types: for templates that run both.
namespace featherline::verify {

// Namespaces cannot be template arguments.
#define FEATHERLINE_ROUTINE(space, name)    \
  template <class... Arguments>             \
  static void name(const Arguments&... x) { \
    space::name(x...);                      \
  }
#define FEATHERLINE_ROUTINES(space)                       \
  FEATHERLINE_ROUTINE(space, minv)                        \
  FEATHERLINE_ROUTINE(space, inverse)                     \
  FEATHERLINE_ROUTINE(space, solve)                       \
  FEATHERLINE_ROUTINE(space, negative_product)            \
  FEATHERLINE_ROUTINE(space, aba_derivatives)             \
  FEATHERLINE_ROUTINE(space, aba_derivatives_behind_base) \
  FEATHERLINE_ROUTINE(space, aba_vector_hessian)          \
  FEATHERLINE_ROUTINE(space, solve_second_derivatives)

struct Loops {
  FEATHERLINE_ROUTINES(vector_loops)
};

struct Kernels {
  FEATHERLINE_ROUTINES(dense_kernels)
};

#undef FEATHERLINE_ROUTINES
#undef FEATHERLINE_ROUTINE

}  // namespace featherline::verify
