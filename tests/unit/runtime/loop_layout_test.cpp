// What the generator says of tables that the compiler makes.
#include "ir/routines.hpp"

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
constexpr std::size_t size_of_pattern = sizeof(detail::TreePattern<Coordinates<N>, detail::ZerosOf::tree>);

}  // namespace

TEST_CASE("bytes of the table of zeros, and up to where the compiler makes it") {
  CHECK(ir::bytes_of_pattern(1) == size_of_pattern<1>);
  CHECK(ir::bytes_of_pattern(7) == size_of_pattern<7>);
  CHECK(ir::bytes_of_pattern(40) == size_of_pattern<40>);
  CHECK(ir::bytes_of_pattern(41) == 0);
}
