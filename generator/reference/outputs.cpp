#include "reference/expected.hpp"

#include "model/clusters.hpp"
#include "reference/contact_problem.hpp"

#include <Eigen/Geometry>

#include <set>

namespace featherline::reference {
namespace {

using model::Tree;

// The distributions of <random> differ between standard libraries. These functions give the same states on every
// machine.

double uniform(double lower, double upper, std::mt19937& random) {
  // Each call has a statement of its own, because the order of two calls in one expression is not defined.
  const auto low = static_cast<double>(random());
  const auto high = static_cast<double>(random());
  return (low + 0x1p32 * high) * 0x1p-64 * (upper - lower) + lower;
}

/// Two numbers of the normal distribution, by Marsaglia's polar method.
Eigen::Vector2d normal_pair(std::mt19937& random) {
  double x = 0.0, y = 0.0, square = 0.0;
  do {
    x = uniform(-1.0, 1.0, random);
    y = uniform(-1.0, 1.0, random);
    square = x * x + y * y;
  } while (square > 1.0 || square == 0.0);
  return std::sqrt(-2.0 * std::log(square) / square) * Eigen::Vector2d(y, x);
}

void write_unit_quaternion(Eigen::Ref<Eigen::VectorXd> q, std::mt19937& random) {
  double size = 0.0;
  do {  // normal numbers divided by their length are uniform on the sphere; tiny ones would lose digits
    q.head(2) = normal_pair(random);
    q.tail(2) = normal_pair(random);
    size = q.norm();
  } while (size < 1e-3);
  q /= size;
}

void write_joint(const model::Joint& joint, Eigen::VectorXd& q, std::mt19937& random) {
  const model::JointRow& row = joint.row();
  for (int k = 0; k < joint.nq; ++k) {
    const bool is_length = row.coordinates[static_cast<std::size_t>(k)] != model::Coordinate::angle;
    const double largest = is_length ? 1.0 : largest_random(catalog::Quantity::position);
    q[joint.idx_q + k] = uniform(-largest, largest, random);
  }
  if (row.quaternion() >= 0) write_unit_quaternion(q.segment(joint.idx_q + row.quaternion(), 4), random);
}

/// Three point masses. `mass` [kg] and `length` [m] are of the size of the robot's.
void write_payload(double mass, double length, Eigen::Ref<Eigen::VectorXd> payload, std::mt19937& random) {
  for (int point = 0; point < 3; ++point) {
    const double m = uniform(0.0, 0.5 * mass, random);
    const Eigen::Vector3d c = uniform_vector(3, 0.2 * length, random), h = m * c;
    const Eigen::Matrix3d J = h.dot(c) * Eigen::Matrix3d::Identity() - h * c.transpose();
    payload[0] += m;
    payload.segment<3>(1) += h;
    payload.tail<6>() +=
        (Eigen::VectorXd(6) << J(0, 0), J(0, 1), J(1, 1), J(0, 2), J(1, 2), J(2, 2)).finished();
  }
}

/// What a joint with a lever of `length` and a load of `mass` may have; of any sign if it is the rest of a spring.
/// Gears stay of the size that they have.
void write_joints(const model::JointInput& input, double mass, double length,
                  Eigen::Ref<Eigen::VectorXd> numbers, std::mt19937& random) {
  const bool is_rest = input.number->which == &model::Joint::rest;
  const bool is_gear = input.number->which == &model::Joint::multiplier;
  for (std::size_t k = 0; is_gear && k < input.defaults.size(); ++k)
    numbers[static_cast<Eigen::Index>(k)] = input.defaults[k] * uniform(0.5, 1.5, random);
  if (is_gear) return;
  for (double& x : numbers)
    x = is_rest ? uniform(-1.0, 1.0, random) : uniform(0.0, mass * length * length, random);
}

void write_parameters(const Tree& tree, Eigen::VectorXd& p, std::mt19937& random) {
  const model::ChosenInputs& chosen = tree.chosen;
  if (chosen.gravity) p.head(model::gravity_entries) = uniform_vector(3, 10.0, random);
  for (std::size_t k = 0; k < chosen.anchors.size(); ++k)
    p.segment<model::anchor_entries>(chosen.first_of_anchor(k)) = uniform_vector(3, 1.0, random);
  if (chosen.stabilisation) {
    p.segment<model::stabilisation_entries>(chosen.first_of_stabilisation()) << uniform(0.0, 100.0, random),
        uniform(0.0, 20.0, random);
  }
  // These neither hide the robot's own numbers, nor are hidden by them.
  double mass = 0.0;
  for (const model::Link& link : tree.links) mass += link.body < 0 ? 0.0 : std::abs(link.mass);
  mass = mass > 0.0 ? mass / static_cast<double>(tree.bodies.size()) : 1.0;
  const double size = model::robot_size(tree), length = size > 0.0 ? size : 1.0;
  for (std::size_t k = 0; k < chosen.payloads.size(); ++k) {
    auto payload = p.segment<model::payload_entries>(chosen.first_of_payload(k));
    if (chosen.payloads[k].replaces)
      payload = model::parameters_of(tree.links[static_cast<std::size_t>(chosen.payloads[k].link)].inertia);
    write_payload(mass, length, payload, random);
  }
  for (std::size_t k = 0; k < chosen.joints.size(); ++k) {
    const auto count = static_cast<Eigen::Index>(chosen.joints[k].joints.size());
    write_joints(chosen.joints[k], mass, length, p.segment(chosen.first_of_joints(k), count), random);
  }
  for (std::size_t k = 0; k < chosen.placements.size(); ++k)
    p.segment<model::placement_entries>(chosen.first_of_placement(k))
        << uniform_vector(3, 0.3 * length, random),
        uniform_vector(3, 1.0, random);
}

/// Joints whose limits are among the contacts stand between them, and may reach them in a step.
void put_between_limits(const Tree& tree, Eigen::VectorXd& q) {
  for (const model::ContactJoint& joint : tree.constraints.joints) {
    double& x = q[joint.idx_q];
    const double largest = largest_random(catalog::Quantity::position), part = 0.5 * (x / largest + 1.0);
    if (std::isfinite(joint.lower) && std::isfinite(joint.upper))
      x = joint.lower + part * (joint.upper - joint.lower);
    else
      x = std::clamp(x, joint.lower, joint.upper);
  }
}

/// Points that would pass the ground, or not; as many at once as are independent of each other on most robots, one a
/// link. The others are far from it.
void write_contacts(const Tree& tree, Eigen::VectorXd& contacts, std::mt19937& random) {
  const double e = std::max(0.0, uniform(-0.5, 0.5, random));
  int left = std::max(1, tree.nv / 4);
  const auto first =
      static_cast<int>(random() % std::max(1U, static_cast<unsigned>(tree.constraints.count())));
  std::set<int> touched;
  for (int k = 0; k < tree.constraints.count(); ++k) {
    const int point = (first + k) % tree.constraints.count();
    const model::Constraint& constraint = tree.constraints.all[static_cast<std::size_t>(point)];
    const bool is_near = left > 0 && !constraint.anchors.empty() &&
                         touched.insert(body_of(tree, constraint.anchors.front())).second;
    left -= is_near ? 1 : 0;
    auto values = contacts.segment<6>(6 * point);
    values[0] = is_near ? uniform(0.0, 0.02, random) : 1e3;
    values.segment<3>(1) = uniform_vector(3, 1.0, random) + Eigen::Vector3d(0.0, 0.0, 1.5);
    values[4] = uniform(0.0, 0.8, random);
    values[5] = e;
  }
}

void write_rotations(Eigen::VectorXd& rotations, std::mt19937& random) {
  Eigen::VectorXd turn(4);
  for (Eigen::Index k = 0; k < rotations.size(); k += 9) {
    write_unit_quaternion(turn, random);
    const Eigen::Matrix3d R = Eigen::Quaterniond(turn[3], turn[0], turn[1], turn[2]).toRotationMatrix();
    rotations.segment<9>(k) = R.reshaped();
  }
}

/// Inputs of few functions.
bool is_later_input(const catalog::Argument& input) {
  const auto first = {&State::q, &State::v, &State::a, &State::tau, &State::b, &State::w};
  return std::ranges::count(first, input.in_state) == 0;
}

}  // namespace

Eigen::VectorXd uniform_vector(int size, double largest, std::mt19937& random) {
  Eigen::VectorXd values(size);
  for (double& x : values) x = uniform(-largest, largest, random);
  return values;
}

State random_state(const Tree& tree, std::mt19937& random) {
  State state;
  // Robots have the same states whether the user chose inputs or not, and as before there were other inputs.
  std::mt19937 copy = random, of_later_inputs(static_cast<std::mt19937::result_type>(copy()));
  for (const catalog::Argument& input : catalog::inputs()) {
    Eigen::VectorXd& values = state.*input.in_state;
    const auto size = static_cast<int>(input.shape.size(catalog::sizes_of(tree)));
    values.setZero(size);
    const bool is_later = is_later_input(input);
    std::mt19937& source = is_later ? of_later_inputs : random;
    if (input.quantity == catalog::Quantity::position) {
      do {
        for (const model::Body& body : tree.bodies) {
          if (body.joint.mimics < 0) write_joint(body.joint, values, source);
        }
      } while (tree.clusters &&
               !model::positions_of_all_joints(*tree.clusters, values, model::assembly_margin));
      if (input.in_state == &State::q) put_between_limits(tree, values);
    } else if (input.quantity == catalog::Quantity::parameter) {
      write_parameters(tree, values, source);
    } else if (input.quantity == catalog::Quantity::active) {
      for (double& x : values) x = uniform(0.0, 1.0, source) < 0.75 ? 1.0 : 0.0;
    } else if (input.quantity == catalog::Quantity::contact) {
      write_contacts(tree, values, source);
      contacts::keep_from_jams(tree, state);
    } else if (input.quantity == catalog::Quantity::rotation) {
      write_rotations(values, source);
    } else if (input.quantity == catalog::Quantity::time) {
      // Long enough for what is of second order to show, and short enough that joints of light links do not spin.
      for (double& x : values) x = uniform(0.005, 0.02, source);
    } else {
      values = uniform_vector(size, largest_random(input.quantity), source);
    }
  }
  return state;
}

void set_defaults(const Tree& tree, State& state) {
  state.fext.setZero();
  for (const model::Parameter& parameter : model::parameters(tree))
    std::ranges::copy(parameter.defaults, state.p.begin() + parameter.index);
}

OutputError compare(const Outputs& x, const Outputs& reference) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (x.size() != reference.size()) return {infinity, "number of arrays"};
  OutputError worst;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::vector<double>& found = x[k].values;
    const std::vector<double>& expected = reference[k].values;
    if (found.size() != expected.size()) return {infinity, "size of " + reference[k].name};
    const ArrayError error = array_error(found, expected);
    if (error.relative > worst.relative)
      worst = {error.relative, reference[k].name + "[" + std::to_string(error.entry) + "]"};
  }
  return worst;
}

}  // namespace featherline::reference
