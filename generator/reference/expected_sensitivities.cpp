#include "joints/judge/joint.hpp"
#include "reference/expected_groups.hpp"

#include <utility>

/// Derivatives with respect to the chosen parameters, by robots that have other values of these.
namespace featherline::reference {
namespace {

/// Inverse dynamics of a robot with more coordinates than the state has: these follow at the ends of q, v and a.
Vector torques(const Tree& tree, const State& s, const VectorXd& a, const Vector& q, const Vector& v,
               const Vector& more_a) {
  const auto joined = [](const VectorXd& x, const Vector& more) {
    Vector all(x.size() + more.size());
    all << lifted<double>(x, 1.0), more;
    return all;
  };
  return Solver<Number>(tree).rnea(joined(s.q, q), joined(s.v, v), joined(a, more_a));
}

/// d tau / d gear of body i's joint, which gets coordinates of its own: gear times those of its driver.
VectorXd by_gear(Tree tree, const State& s, const VectorXd& a, std::size_t i) {
  model::Joint& joint = tree.bodies[i].joint;
  const int driver_q = joint.idx_q, driver_v = joint.idx_v;
  const Number gear = Number(joint.multiplier) + Number::e1();
  joint.mimics = -1;
  joint.multiplier = 1.0;
  joint.idx_q = tree.nq++;
  joint.idx_v = tree.nv++;
  const auto of = [&](double x) { return Vector(Vector::Constant(1, gear * Number(x))); };
  const Vector tau = torques(tree, s, a, of(s.q[driver_q]), of(s.v[driver_v]), of(a[driver_v]));
  VectorXd rates = part(tau, &Number::d1).head(tree.nv - 1);
  rates[driver_v] += (gear * tau[tree.nv - 1]).d1;
  return rates;
}

/// d tau / d p of the six numbers that place body i, whose default is 0 in `tree`: a free joint that stands still takes
/// them.
MatrixXd by_placement(Tree tree, const State& s, const VectorXd& a, std::size_t i, const VectorXd& p) {
  const auto behind = [&](int body) { return body + (body >= static_cast<int>(i) ? 1 : 0); };
  for (model::Body& body : tree.bodies) {
    body.parent = behind(body.parent);
    if (body.joint.mimics >= 0) body.joint.mimics = behind(body.joint.mimics);
  }
  for (model::Link& link : tree.links) link.body = behind(link.body);
  model::Body stand = tree.bodies[i];
  tree.bodies[i].parent = static_cast<int>(i);
  tree.bodies[i].joint.placement = {};
  stand.inertia = stand.lifted = {};
  const model::Placement file = stand.joint.placement;
  stand.joint = {};
  stand.joint.type = model::JointType::floating;
  stand.joint.placement = file;
  stand.joint.idx_q = tree.nq, stand.joint.nq = 7, stand.joint.idx_v = tree.nv, stand.joint.nv = 6;
  tree.bodies.insert(tree.bodies.begin() + static_cast<std::ptrdiff_t>(i), stand);
  tree.nq += 7, tree.nv += 6;
  const Vector still = Vector::Zero(6);
  return columns(6, [&](const VectorXd& unit) {
    Vector x = lifted<double>(p, 1.0);
    for (int k = 0; k < 6; ++k) x[k] += Number(unit[k]) * Number::e1();
    Vector q = Vector::Zero(7);
    q.head<3>() = x.head<3>();
    q[6] = Number(1);
    turn_quaternion<Number>({x[3], x[4], x[5]}, q.data() + 3);
    return VectorXd(part(torques(tree, s, a, q, still, still), &Number::d1).head(tree.nv - 6));
  });
}

/// d tau / d p of inverse dynamics. Torques are affine in most parameters, so differences are derivatives, and none of
/// their digits cancel if the other value is far away.
MatrixXd torque_rates(const Tree& tree, const State& s, const VectorXd& a) {
  constexpr double far = 0x1p20;
  const auto with = [&](const VectorXd& p) { return model::with_values(tree, s.fext, p); };
  const VectorXd tau = Double(with(s.p)).rnea(s.q, s.v, a);
  MatrixXd rates = columns(static_cast<int>(s.p.size()), [&](const VectorXd& unit) {
    return VectorXd((Double(with(s.p + far * unit)).rnea(s.q, s.v, a) - tau) / far);
  });
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const int gear = tree.chosen.entry_of(&model::Joint::multiplier, tree.bodies[i].joint).place,
              placed = tree.chosen.placement_of(tree, i);
    if (gear >= 0) rates.col(gear) = by_gear(with(s.p), s, a, i);
    if (placed < 0) continue;
    VectorXd p = s.p;
    p.segment<6>(placed).setZero();
    rates.middleCols<6>(placed) = by_placement(with(p), s, a, i, s.p.segment<6>(placed));
  }
  return rates;
}

MatrixXd acceleration_rates(const Tree& tree, const State& s) {
  const Tree robot = model::with_values(tree, s.fext, s.p);  // which the solver refers to
  Double solver(robot);
  const VectorXd a = solver.aba(s.q, s.v, s.tau);
  return -solver.minv(s.q) * torque_rates(tree, s, a);
}

/// The rate of f at 0, by differences of sixth order.
template <class F>
decltype(std::declval<F>()(0.0)) rate_of(const F& f) {
  constexpr double step = 0.005;
  return ((f(step) - f(-step)) * 0.75 - (f(2 * step) - f(-2 * step)) * 0.15 +
          (f(3 * step) - f(-3 * step)) / 60.0) /
         step;
}

/// How the chosen frames move with entry k of p, as rows of their velocities.
VectorXd frame_motion(const Tree& tree, const State& s, Eigen::Index k) {
  const auto pose = [&](const model::ChosenFrame& frame, double more) {
    VectorXd p = s.p;
    p[k] += more;
    const Tree moved = model::with_values(tree, s.fext, p);
    return pose_of(link_at(moved, frame), Double(moved).body_poses(s.q));
  };
  VectorXd rows(tree.frames.num_rows());
  for (const model::ChosenFrame& frame : tree.frames.chosen) {
    const Pose<double> at = pose(frame, 0.0);
    const Vector3<double> u = rate_of([&](double x) { return Vector3<double>(pose(frame, x).p); });
    const Matrix3<double> W =
        rate_of([&](double x) { return Matrix3<double>(pose(frame, x).R); }) * at.R.transpose();
    Vector3<double> linear = u, angular{W(2, 1), W(0, 2), W(1, 0)};
    if (tree.frames.axes == model::FrameAxes::world && !frame.point) linear -= skew<double>(angular) * at.p;
    if (tree.frames.axes == model::FrameAxes::local) {
      linear = at.R.transpose() * linear;
      angular = at.R.transpose() * angular;
    }
    rows.segment<3>(frame.first_row) = linear;
    if (!frame.point) rows.segment<3>(frame.first_row + 3) = angular;
  }
  return rows;
}

Outputs frame_parameter_jacobians(const Tree& tree, const State& s) {
  const auto p = static_cast<int>(s.p.size());
  MatrixXd J(tree.frames.num_rows(), p);
  for (Eigen::Index k = 0; k < p; ++k) J.col(k) = frame_motion(tree, s, k);
  return {array("J_p", J)};
}

}  // namespace

std::vector<OutputFunction> expected_sensitivities() {
  return {single("rnea_parameter_derivatives", "dtau_dp",
                 [](TreeRef t, StateRef s) { return torque_rates(t, s, s.a); }),
          {.name = "frame_parameter_jacobians", .compute = frame_parameter_jacobians},
          single("aba_parameter_derivatives", "da_dp", acceleration_rates)};
}

}  // namespace featherline::reference
