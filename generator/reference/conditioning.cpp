#include "reference/expected.hpp"

#include <utility>

namespace featherline::reference {
namespace {

/// Far above the rounding of double, and so small that results still change in proportion.
constexpr double small_step = 0x1p-30;
constexpr double last_place = 0x1p-52;

class Shaker {
 public:
  Shaker(double size, std::mt19937& random) : size_(size), random_(random) {}

  double step() { return size_ * uniform_(random_); }
  void relative(double& x) { x *= 1.0 + step(); }
  /// Moves every entry by a step of its own, times `scale`.
  template <class Matrix>
  void entries(Matrix&& x, double scale) {
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += scale * step();
  }
  template <class Matrix>
  void normwise(Matrix& x) {
    if (x.size() > 0) entries(x, x.cwiseAbs().maxCoeff());
  }

  void placement(model::Placement& X) {
    entries(X.R, 1.0);
    normwise(X.p);
  }
  void inertia(model::Inertia& I) {
    relative(I.mass);
    normwise(I.h);
    model::Matrix3 change = model::Matrix3::Zero();
    entries(change, 0.5 * I.J.cwiseAbs().maxCoeff());
    I.J += change + change.transpose();
  }
  void joint(model::Joint& joint) {
    placement(joint.placement);
    entries(joint.axis, 1.0);
    entries(joint.axis2, 1.0);
    for (double* x : {&joint.pitch, &joint.multiplier, &joint.offset, &joint.damping, &joint.friction,
                      &joint.armature, &joint.stiffness, &joint.rest}) {
      relative(*x);
    }
    if (!joint.row().is_free() || joint.stiffness == 0.0) return;
    for (double& x : joint.rest_pose) x += std::max(1.0, std::abs(x)) * step();
  }
  void rotor(model::Rotor& rotor) {
    entries(rotor.axis, 1.0);
    relative(rotor.gear_ratio);
    relative(rotor.inertia);
  }

 private:
  double size_;
  std::mt19937& random_;
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

/// The factor of a step of coordinate k of a joint.
double coordinate_scale(const model::Joint& joint, int k, double q) {
  const model::Coordinate coordinate = joint.row().coordinates[static_cast<std::size_t>(k)];
  if (coordinate == model::Coordinate::quaternion) return 1.0;
  return coordinate == model::Coordinate::length ? std::abs(q) : std::max(1.0, std::abs(q));
}

/// The robot with all its numbers moved at random by up to `size`. A step is relative to the vector or matrix that the
/// number is in: emitted code uses other frames, in which a number shares the rounding of its neighbours. Entries of
/// rotations and axes move by `size` itself, even zeros. They do not stay orthogonal.
model::Tree perturbed(const model::Tree& tree, double size, std::mt19937& random) {
  model::Tree moved = tree;
  Shaker shaker(size, random);
  shaker.normwise(moved.gravity);
  for (model::Body& body : moved.bodies) {
    shaker.inertia(body.inertia);
    if (model::has_lifted(tree)) shaker.inertia(body.lifted);
    shaker.joint(body.joint);
  }
  for (model::Tendon& tendon : moved.tendons) {
    for (model::TendonEnd& end : tendon.ends) shaker.relative(end.coefficient);
    for (double* x : {&tendon.damping, &tendon.friction, &tendon.armature, &tendon.stiffness, &tendon.rest})
      shaker.relative(*x);
  }
  for (model::Rotor& rotor : moved.rotors) shaker.rotor(rotor);
  for (model::Link& link : moved.links) shaker.placement(link.placement);
  return moved;
}

/// The same for the state. Velocities, accelerations and forces move relative to themselves. Angles move by `size`
/// times their value, or times one radian if they are smaller, because sines are rounded, too. Quaternions move by
/// `size`.
State perturbed(const model::Tree& tree, const State& state, double size, std::mt19937& random) {
  State moved = state;
  Shaker shaker(size, random);
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    for (int k = 0; joint.mimics < 0 && k < joint.nq; ++k) {
      double& q = moved.q[joint.idx_q + k];
      q += coordinate_scale(joint, k, q) * shaker.step();
    }
  }
  for (const catalog::Argument& input : catalog::inputs()) {
    if (input.quantity == catalog::Quantity::position) continue;
    for (double& x : moved.*input.in_state) shaker.relative(x);
  }
  return moved;
}

}  // namespace

State rounded_to_float(State state) {
  for (const catalog::Argument& input : catalog::inputs()) {
    Eigen::VectorXd& values = state.*input.in_state;
    values = values.cast<float>().cast<double>().eval();
  }
  return state;
}

Condition::Condition(const model::Tree& tree, const State& state, std::vector<double> unperturbed,
                     Result result)
    : tree_(tree),
      state_(state),
      unperturbed_(std::move(unperturbed)),
      largest_(unperturbed_.size(), 0.0),
      result_(std::move(result)) {}

void Condition::sample() {
  const double size = samples_ % 2 == 0 ? small_step : last_place;
  const model::Tree tree = perturbed(tree_, size, random_);
  const std::vector<double> moved = result_(tree, perturbed(tree, state_, size, random_));
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    largest_[i] = std::max(largest_[i], std::abs(moved[i] - unperturbed_[i]) / size);
  }
  ++samples_;
}

}  // namespace featherline::reference
