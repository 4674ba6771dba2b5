#include "second_order/complex_step.hpp"

#include "support/complex_step.hpp"

namespace featherline::bench::second_order {

namespace {

constexpr double step = 1e-30;

template <class Derived>
void write_derivative(const Eigen::MatrixBase<Derived>& x, double* slice) {
  Eigen::Map<Eigen::MatrixXd>{slice, x.rows(), x.cols()} = x.imag() / step;
}

}  // namespace

ComplexStep::ComplexStep(const Robot& robot, const model::Tree& tree,
                         const std::vector<reference::State>& states)
    : robot_{robot},
      nv_{tree.nv},
      matrix_{Eigen::MatrixXcd::Zero(nv_, nv_)},
      other_{Eigen::MatrixXcd::Zero(nv_, nv_)} {
  for (const reference::State& x : states) {
    Point point{x.q.cast<Complex>(), x.v.cast<Complex>(), x.a.cast<Complex>(), {}};
    for (int k = 0; k < nv_; ++k) {
      point.moved.push_back(test::complex_step(tree, x.q, Eigen::VectorXd::Unit(nv_, k), step));
    }
    points_.push_back(std::move(point));
  }
}

void ComplexStep::operator()(std::size_t index, double* tensors) {
  Point& x = points_[index];
  const std::ptrdiff_t matrix = nv_ * nv_, tensor = matrix * nv_;
  double *dqdq = tensors, *dvdv = dqdq + tensor, *dqdv = dvdv + tensor, *dM = dqdv + tensor;
  for (int k = 0; k < nv_; ++k) {
    const Complex* moved = x.moved[static_cast<std::size_t>(k)].data();
    robot_.first_derivatives(moved, x.v.data(), x.a.data(), matrix_.data(), other_.data());
    write_derivative(matrix_, dqdq + k * matrix);
    for (int j = 0; j < nv_; ++j) write_derivative(other_.col(j), dqdv + k * nv_ + j * matrix);
    robot_.mass_matrix(moved, matrix_.data());
    write_derivative(matrix_, dM + k * matrix);
    const Complex v = x.v[k];
    x.v[k] += Complex{0.0, step};
    robot_.first_derivatives(x.q.data(), x.v.data(), x.a.data(), matrix_.data(), other_.data());
    write_derivative(other_, dvdv + k * matrix);
    x.v[k] = v;
  }
}

}  // namespace featherline::bench::second_order
