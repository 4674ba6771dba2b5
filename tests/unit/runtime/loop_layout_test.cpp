// What generator and runtime each say of the loops' arrays is the same.
#include "algorithms/dynamics/floating_base.hpp"
#include "algorithms/routines/loops.hpp"

#include <featherline/dense_kernels.hpp>
#include <featherline/vector_loops.hpp>

#include <doctest/doctest.h>

using namespace featherline;

namespace {

template <int N>
struct Coordinates {
  static constexpr int nv = N, num_axes = 1;
  static constexpr bool coupled = false;
  static constexpr AxisInfo axes[] = {{0, -1, 0, 1}};
};

template <int N>
int bytes_of_pattern() {
  model::UserTree tree;
  tree.nv = N;
  return algorithms::bytes_of_pattern(tree);
}

}  // namespace

TEST_CASE("rows of motion and entries of operators") {
  CHECK(algorithms::motion_rows == detail::num_motion);
  CHECK(algorithms::operator_entries == detail::num_operators);
}

TEST_CASE("bytes of the table of zeros, and up to where the compiler makes it") {
  CHECK(algorithms::max_constant_pattern == detail::max_constant_pattern);
  CHECK(bytes_of_pattern<1>() == sizeof(detail::TreePattern<Coordinates<1>>));
  CHECK(bytes_of_pattern<7>() == sizeof(detail::TreePattern<Coordinates<7>>));
  CHECK(bytes_of_pattern<40>() == sizeof(detail::TreePattern<Coordinates<40>>));
  CHECK(bytes_of_pattern<41>() == 0);
}

TEST_CASE("which robots have kernels, and up to where M^-1 is unrolled") {
  CHECK(algorithms::max_kernel_coordinates == dense_kernels::most_coordinates);
  CHECK(algorithms::max_kernel_pairs == dense_kernels::most_related_pairs);
  CHECK(algorithms::max_unrolled_alone == dense_kernels::max_unrolled_alone);
  CHECK(algorithms::max_unrolled_in_parts == dense_kernels::max_unrolled_in_parts);
}

TEST_CASE("columns of a floating base that need no product") {
  using Base = algorithms::FloatingBase;
  CHECK(Base::columns_q == detail::known_columns_dq);
  CHECK(Base::columns_v == detail::known_columns_dv);
}
