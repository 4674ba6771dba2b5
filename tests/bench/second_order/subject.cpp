#include "second_order/subject.hpp"

#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "robot_inputs.hpp"
#include "support/complex_step.hpp"

#include <fmt/format.h>

#include <random>
#include <stdexcept>

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

namespace {

constexpr int num_states = 16;  // their inputs stay in the first-level cache, as a controller's do

std::vector<reference::State> random_states(const model::Tree& tree) {
  std::mt19937 random{20261121};
  std::vector<reference::State> states;
  for (int k = 0; k < num_states; ++k) states.push_back(reference::random_state(tree, random));
  return states;
}

std::optional<generic::IdsvaSecond> make_generic(const model::Tree& tree) {
  try {
    return generic::IdsvaSecond{generic::make_model(tree, generic::Joints::floating_too)};
  } catch (const std::invalid_argument&) {  // joints that Algorithm 1 is not written for here
    return std::nullopt;
  }
}

std::unique_ptr<Peer> make_peer([[maybe_unused]] const model::Tree& tree,
                                [[maybe_unused]] const std::vector<reference::State>& states) {
#ifdef FEATHERLINE_BENCH_PINOCCHIO
  std::unique_ptr<Peer> peer = make_pinocchio_peer(tree).peer;
  std::vector<bench::State> converted;
  for (const reference::State& x : states)
    converted.push_back({{x.q.begin(), x.q.end()}, {x.v.begin(), x.v.end()}, {x.a.begin(), x.a.end()}});
  if (peer) peer->prepare(converted);
  return peer;
#else
  return nullptr;
#endif
}

/// Values laid out one array after the other, as `like` has them.
reference::Outputs split(const std::vector<double>& values, const reference::Outputs& like) {
  reference::Outputs outputs;
  auto from = values.begin();
  for (const reference::OutputArray& array : like) {
    const auto to = from + static_cast<std::ptrdiff_t>(array.values.size());
    outputs.push_back({array.name, {from, to}});
    from = to;
  }
  return outputs;
}

void require_equal(const std::string& what, const reference::Outputs& found,
                   const reference::Outputs& expected) {
  const reference::OutputError error = reference::compare(found, expected);
  if (error.relative <= agreement) return;
  throw std::runtime_error{fmt::format("{} is wrong by {:.1e} in {}", what, error.relative, error.entry)};
}

}  // namespace

Subject::Subject(Robot robot)
    : robot_{std::move(robot)},
      tree_{read_tree(robot_.urdf, robot_.floating_base)},
      facts_{read_facts(robot_.manifest)},
      states_{random_states(tree_)},
      complex_step_{robot_, tree_, states_},
      generic_{make_generic(tree_)},
      peer_{make_peer(tree_, states_)} {
  if (peer_) pinocchio_ = peer_->computation("rnea_second_derivatives");
  verify();
}

/// Every emitted function and every method, at the first state.
void Subject::verify() {
  for (const Function& f : robot_.functions) {
    const std::string judged = f.name.substr(0, f.name.find("_nonzeros"));
    const reference::Outputs expected = reference::find_outputs(judged)->compute(tree_, states_[0]);
    std::vector<double> found(static_cast<std::size_t>(f.num_outputs));
    f.call(inputs(0), found.data());
    require_equal(robot_.name + " " + f.name, split(found, expected), expected);
    if (f.name == "rnea_second_derivatives") verify_rivals(expected);
  }
}

void Subject::verify_rivals(const reference::Outputs& tensors) {
  std::vector<double> found(4 * tensors[0].values.size());
  complex_step(0, found.data());
  require_equal(robot_.name + " complex step", split(found, tensors), tensors);
  if (pinocchio_) {
    pinocchio_(0);
    require_equal(robot_.name + " Pinocchio", split(peer_->results("rnea_second_derivatives", 0), tensors),
                  tensors);
  }
  if (!has_generic()) return;
  generic(0);
  const auto cube = [](const generic::Cube& x) { return reference::OutputArray{"", x.data}; };
  require_equal(robot_.name + " Algorithm 1",
                {cube(generic_->d2tau_dqdq()), cube(generic_->d2tau_dvdv()), cube(generic_->d2tau_dqdv()),
                 cube(generic_->dM_dq())},
                tensors);
}

}  // namespace featherline::bench::second_order
