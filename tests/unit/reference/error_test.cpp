// The measure of error that the README promises.
#include "reference/error.hpp"

#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace featherline;
using reference::array_error;
using Numbers = std::vector<double>;

TEST_CASE("errors are relative to the largest magnitude of the reference, and to no less than 1") {
  CHECK(array_error(Numbers{-1e3, 0.5}, Numbers{-1e3, 0.0}).relative == doctest::Approx(5e-4));
  CHECK(array_error(Numbers{1e3, 0.5}, Numbers{0.0, 0.5}).relative ==
        doctest::Approx(1e3));  // not to what was found
  CHECK(array_error(Numbers{0.25}, Numbers{0.5}).relative == doctest::Approx(0.25));
  CHECK(array_error(Numbers{0.25}, Numbers{0.5}, 1e-3).relative == doctest::Approx(0.5));
  CHECK(array_error(Numbers{}, Numbers{}).relative == 0.0);
  CHECK(array_error(Numbers{1.0, 2.0, 3.5}, Numbers{1.0, 2.1, 3.0}).entry == 2);
}

TEST_CASE("what is not a number is an infinite error, on either side") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(array_error(Numbers{1.0, bad}, Numbers{1.0, 2.0}).relative == infinity);
    CHECK(array_error(Numbers{1.0, 2.0}, Numbers{1.0, bad}).relative == infinity);
    CHECK(array_error(Numbers{bad, 2.0}, Numbers{bad, 2.0}).entry == 0);
  }
}

TEST_CASE("the tests' measure of matrices is the same one") {
  const Eigen::Matrix2d x{{1.0, 2.0}, {3.0, 7.0}}, reference{{1.0, 2.0}, {3.0, 8.0}};
  CHECK(test::relative_error(x, reference) == 0.125);
  CHECK(test::relative_error(x.transpose(), reference.transpose()) == 0.125);
  CHECK(test::relative_error(x.row(1).transpose(), reference.row(1).transpose()) == 0.125);
  CHECK(test::relative_error(x, reference.leftCols(1)) == HUGE_VAL);
}
