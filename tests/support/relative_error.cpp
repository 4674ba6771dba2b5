#include "support/relative_error.hpp"

#include "reference/expected.hpp"

#include <limits>

namespace featherline::test {

double relative_error(const Eigen::MatrixXd& x, const Eigen::MatrixXd& reference) {
  if (x.rows() != reference.rows() || x.cols() != reference.cols())
    return std::numeric_limits<double>::infinity();
  return reference::array_error(x.reshaped(), reference.reshaped()).relative;
}

}  // namespace featherline::test
