#include "reference/outputs.hpp"

#include "reference/derivatives.hpp"
#include "reference/integrate.hpp"
#include "reference/second_order_outputs.hpp"
#include "reference/solver.hpp"
#include "reference/without_losses.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace featherline::reference {
namespace {

using model::Tree;

OutputArray array(const std::string& name, const Eigen::MatrixXd& values) {
  return {name, {values.data(), values.data() + values.size()}};  // Eigen is column-major, too
}

void append(std::vector<double>& values, const Eigen::MatrixXd& more) {
  values.insert(values.end(), more.data(), more.data() + more.size());
}

Outputs forward_kinematics(const Tree& tree, const State& x) {
  Solver<double> solver(tree);
  OutputArray R{"R", {}}, p{"p", {}};
  for (int link = 0; link < static_cast<int>(tree.links.size()); ++link) {
    const Pose<double> pose = solver.link_pose(x.q, link);
    append(R.values, pose.R);
    append(p.values, pose.p);
  }
  return {R, p};
}

Outputs frame_jacobian(const Tree& tree, const State& x) {
  Solver<double> solver(tree);
  OutputArray J{"J", {}};
  for (const Frame frame : {Frame::local_world_aligned, Frame::local, Frame::world}) {
    for (int link = 0; link < static_cast<int>(tree.links.size()); ++link) {
      append(J.values, solver.frame_jacobian(x.q, link, frame));
    }
  }
  return {J};
}

/// dM/dt along v, by complex step along the tangent of q.
Eigen::MatrixXd mass_matrix_rate(const Tree& tree, const State& x) {
  using Complex = std::complex<double>;
  constexpr double step = 1e-100;
  const VectorX<Complex> dq = Complex(0.0, step) * x.v.cast<Complex>();
  Solver<Complex> solver(tree);
  return solver.crba(integrate<Complex>(tree, x.q.cast<Complex>(), dq)).imag() / step;
}

/// One of the many matrices C with C v = bias - gravity and C + C^T = dM/dt: half of dM/dt plus the skew matrix of
/// rank two that turns v into what is missing. It exists because v^T (dM/dt v - 2 C v) = 0.
Outputs coriolis_matrix(const Tree& robot, const State& x) {
  const Tree tree = without_losses(robot);
  Solver<double> solver(tree);
  const Eigen::MatrixXd half_rate = 0.5 * mass_matrix_rate(tree, x);
  const Eigen::VectorXd missing = solver.bias(x.q, x.v) - solver.gravity(x.q) - half_rate * x.v;
  const Eigen::MatrixXd turn = (missing * x.v.transpose() - x.v * missing.transpose()) / x.v.squaredNorm();
  return {array("C", half_rate + turn)};
}

Outputs view_coriolis_matrix(const State& x, const Outputs& outputs) {
  const Eigen::Map<const Eigen::MatrixXd> C(outputs.front().values.data(), x.v.size(), x.v.size());
  return {array("C v", C * x.v), array("C + C^T", C + C.transpose())};
}

Outputs rnea_derivatives_of(const Tree& tree, const State& x) {
  const RneaDerivatives d = rnea_derivatives(tree, x.q, x.v, x.a);
  return {array("dtau_dq", d.dtau_dq), array("dtau_dv", d.dtau_dv)};
}

Outputs aba_derivatives_of(const Tree& tree, const State& x) {
  const AbaDerivatives d = aba_derivatives(tree, x.q, x.v, x.tau);
  return {array("da_dq", d.da_dq), array("da_dv", d.da_dv), array("da_dtau", d.da_dtau)};
}

using Double = Solver<double>;

const std::vector<OutputFunction>& all_outputs() {
  static const std::vector<OutputFunction> functions{
      {"rnea",
       [](const Tree& t, const State& x) { return Outputs{array("tau", Double(t).rnea(x.q, x.v, x.a))}; },
       {}},
      {"bias",
       [](const Tree& t, const State& x) { return Outputs{array("tau", Double(t).bias(x.q, x.v))}; },
       {}},
      {"gravity",
       [](const Tree& t, const State& x) { return Outputs{array("tau", Double(t).gravity(x.q))}; },
       {}},
      {"mass_matrix",
       [](const Tree& t, const State& x) { return Outputs{array("M", Double(t).crba(x.q))}; },
       {}},
      {"coriolis_matrix", coriolis_matrix, view_coriolis_matrix},
      {"aba",
       [](const Tree& t, const State& x) { return Outputs{array("a", Double(t).aba(x.q, x.v, x.tau))}; },
       {}},
      {"aza",
       [](const Tree& t, const State& x) { return Outputs{array("x", Double(t).minv(x.q) * x.b)}; },
       {}},
      {"minv", [](const Tree& t, const State& x) { return Outputs{array("Minv", Double(t).minv(x.q))}; }, {}},
      {"rnea_derivatives", rnea_derivatives_of, {}},
      {"aba_derivatives", aba_derivatives_of, {}},
      {"rnea_second_derivatives", rnea_second_derivatives_outputs, {}},
      {"aba_second_derivatives", aba_second_derivatives_outputs, {}},
      {"rnea_vector_hessian", rnea_vector_hessian_outputs, {}},
      {"mass_matrix_vector_derivative", mass_matrix_vector_derivative_outputs, {}},
      {"aba_vector_hessian", aba_vector_hessian_outputs, {}},
      {"minv_vector_derivative", minv_vector_derivative_outputs, {}},
      {"forward_kinematics", forward_kinematics, {}},
      {"frame_jacobian", frame_jacobian, {}},
  };
  return functions;
}

void write_unit_quaternion(Eigen::Ref<Eigen::VectorXd> q, std::mt19937& random) {
  std::normal_distribution<double> normal;
  double size = 0.0;
  do {  // a normal vector over its length is uniform on the sphere; tiny ones would lose digits
    for (double& x : q) x = normal(random);
    size = q.norm();
  } while (size < 1e-3);
  q /= size;
}

void write_joint(const model::Joint& joint, Eigen::VectorXd& q, std::mt19937& random) {
  std::uniform_real_distribution<double> angle(-M_PI, M_PI), length(-1.0, 1.0);
  const model::JointRow& row = joint.row();
  for (int k = 0; k < joint.nq; ++k) {
    const bool is_angle = row.coordinates[static_cast<std::size_t>(k)] == model::Coordinate::angle;
    q[joint.idx_q + k] = is_angle ? angle(random) : length(random);
  }
  if (row.quaternion() >= 0) write_unit_quaternion(q.segment(joint.idx_q + row.quaternion(), 4), random);
}

Eigen::VectorXd uniform(int size, double largest, std::mt19937& random) {
  std::uniform_real_distribution<double> distribution(-largest, largest);
  Eigen::VectorXd values(size);
  for (double& x : values) x = distribution(random);
  return values;
}

}  // namespace

State random_state(const Tree& tree, std::mt19937& random) {
  State state;
  state.q.setZero(tree.nq);
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) write_joint(body.joint, state.q, random);
  }
  state.v = uniform(tree.nv, 10.0, random);
  state.a = uniform(tree.nv, 50.0, random);
  state.tau = uniform(tree.nv, 100.0, random);
  state.b = uniform(tree.nv, 10.0, random);
  state.w = uniform(tree.nv, 10.0, random);
  return state;
}

const OutputFunction* find_outputs(const std::string& function) {
  for (const OutputFunction& candidate : all_outputs()) {
    if (candidate.name == function) return &candidate;
  }
  return nullptr;
}

OutputError compare(const Outputs& x, const Outputs& reference) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (x.size() != reference.size()) return {infinity, "number of arrays"};
  OutputError worst;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::vector<double>& found = x[k].values;
    const std::vector<double>& expected = reference[k].values;
    if (found.size() != expected.size()) return {infinity, "size of " + reference[k].name};
    double scale = 1.0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool finite = std::isfinite(found[i]) && std::isfinite(expected[i]);
      const double relative = finite ? std::abs(found[i] - expected[i]) / scale : infinity;
      if (relative > worst.relative) worst = {relative, reference[k].name + "[" + std::to_string(i) + "]"};
    }
  }
  return worst;
}

}  // namespace featherline::reference
