#include "reference/contact_problem.hpp"

#include <Eigen/LU>

/// Derivatives of steps with contacts: the equations of the step and of the mode of each point, in v_next and all
/// impulses at once, and their derivatives along directions by dual numbers.
namespace featherline::reference {
namespace {

using namespace contacts;
using Eigen::Index;

/// Where the start of a step moves.
struct Change {
  VectorXd q, v, tau, gap, friction, restitution;
  VectorXd push;  ///< on the coordinates

  Change(const Tree& tree)
      : q(VectorXd::Zero(tree.nv)),
        v(q),
        tau(q),
        gap(VectorXd::Zero(tree.constraints.count())),
        friction(gap),
        restitution(gap),
        push(q) {}
};

class ImplicitStep {
 public:
  ImplicitStep(const Tree& tree, const State& s)
      : tree_(tree),
        s_(s),
        problem_(tree, s),
        impulse_(solved(problem_, s).impulse),
        next_(problem_.velocity(impulse_, VectorXd::Zero(tree.nv))) {
    const Index n = tree.nv, m = impulse_.size();
    MatrixXd equations = MatrixXd::Zero(n + m, n + m);
    equations.topLeftCorner(n, n) = problem_.M_implicit;
    equations.topRightCorner(n, m) = -problem_.J.transpose();
    for (Index k = 0; 3 * k < m; ++k) {
      points_.emplace_back(*this, k);
      equations.block(n + 3 * k, 0, 3, n) = points_.back().by_velocity * problem_.J.middleRows<3>(3 * k);
      equations.block<3, 3>(n + 3 * k, n + 3 * k) = points_.back().by_impulse;
    }
    factor_.compute(equations);
  }

  const VectorXd& v_next() const { return next_; }
  /// [q_next; v_next], in the tangent.
  VectorXd moved(const Change& x) const {
    const Index n = tree_.nv, m = impulse_.size();
    const LongNumbers q =
        integrate<LongNumber>(tree_, lifted<long double>(s_.q, 1.0L), lifted(x.q, LongNumber::e1()));
    const MatrixXd dJ = part(touching_rows(tree_, s_, q), &LongNumber::d1).cast<double>();
    const VectorX<Number> at = integrate<Number>(tree_, lifted<double>(s_.q, 1.0), lifted(x.q, Number::e1()));
    const MatrixXd dM = part(Solver<Number>(tree_).crba(at), &Number::d1);
    VectorXd right(n + m);
    right.head(n) = dJ.transpose() * impulse_ - dM * (next_ - problem_.free) +
                    problem_.M_implicit * moved_end(tree_, s_, x.q, x.v, x.tau).tail(n) + x.push;
    for (Index k = 0; 3 * k < m; ++k) {
      const auto J = problem_.J.middleRows<3>(3 * k);
      const Vector3d u = dJ.middleRows<3>(3 * k) * next_, step = J * x.q,
                     before = dJ.middleRows<3>(3 * k) * s_.v + J * x.v;
      right.segment<3>(n + 3 * k) = points_[static_cast<std::size_t>(k)].right(*this, k, u, step, before, x);
    }
    const VectorXd dv = factor_.solve(right).head(n);
    const VectorX<Number> along =
        lifted<double>(next_ * s_.dt[0], 1.0) + lifted<double>(dv * s_.dt[0], Number::e1());
    VectorXd end(2 * n);
    end << tangent_of_rate(tree_, integrate<Number>(tree_, at, along)), dv;
    return end;
  }

 private:
  /// Three equations: by_velocity du + by_impulse dlambda = right.
  struct Point {
    Ground ground;
    Eigen::Matrix3d by_velocity = Eigen::Matrix3d::Zero(), by_impulse = Eigen::Matrix3d::Zero();
    Vector3d slip = Vector3d::Zero();
    double pressure;
    bool is_open, slides, bounces;

    Point(const ImplicitStep& of, Index k) : ground(of.s_.contact, k) {
      const Problem& problem = of.problem_;
      const Vector3d n = ground.n, x = of.impulse_.segment<3>(3 * k),
                     u = problem.J.middleRows<3>(3 * k) * of.next_, along = x - n * n.dot(x);
      const double size = of.impulse_.norm();
      pressure = n.dot(x);
      is_open = pressure <= 1e-10 * size;
      slides = along.norm() >= (1.0 - 1e-9) * ground.friction * pressure;
      bounces = ground.bounces(problem.before.segment<3>(3 * k),
                               problem.J.middleRows<3>(3 * k) * problem.free, of.s_.dt[0]);
      const Eigen::Matrix3d normal = n * n.transpose(), tangent = Eigen::Matrix3d::Identity() - normal;
      if (is_open) {
        by_impulse.setIdentity();
      } else if (slides) {
        slip = (tangent * u).normalized();
        by_velocity =
            normal + ground.friction * pressure / (tangent * u).norm() * (tangent - slip * slip.transpose());
        by_impulse = tangent + ground.friction * slip * n.transpose();
      } else {
        by_velocity.setIdentity();
      }
    }
    /// `u`, `step` and `before`: how the velocity behind the step moves at constant v_next, the point,
    /// and the velocity before.
    Vector3d right(const ImplicitStep& of, Index k, const Vector3d& u, const Vector3d& step,
                   const Vector3d& before, const Change& x) const {
      if (is_open) return Vector3d::Zero();
      const Vector3d& n = ground.n;
      const double wanted = bounces ? -x.restitution[k] * n.dot(of.problem_.before.segment<3>(3 * k)) -
                                          ground.restitution * n.dot(before)
                                    : -(x.gap[k] + n.dot(step)) / of.s_.dt[0];
      return by_velocity * (n * wanted - u) - x.friction[k] * pressure * slip;
    }
  };

  const Tree& tree_;
  const State& s_;
  Problem problem_;
  VectorXd impulse_, next_;
  std::vector<Point> points_;
  Eigen::FullPivLU<MatrixXd> factor_;
};

Moved moved_by(const Tree& tree, const ImplicitStep& step) {
  return [&](const VectorXd& dq, const VectorXd& dv, const VectorXd& torque) {
    Change x(tree);
    x.q = dq;
    x.v = dv;
    x.tau = torque;
    return step.moved(x);
  };
}

Outputs by_points(const Tree& tree, const State& s) {
  const ImplicitStep step(tree, s);
  const auto by = [&](VectorXd Change::*which) {
    return columns(tree.constraints.count(), [&](const VectorXd& e) {
      Change x(tree);
      x.*which = e;
      return step.moved(x);
    });
  };
  return {array("dx_dgap", by(&Change::gap)), array("dx_dfriction", by(&Change::friction)),
          array("dx_drestitution", by(&Change::restitution))};
}

/// By a parameter. What the step takes of the coordinates is affine in it, so differences are derivatives.
Outputs by_parameters(const Tree& tree, const State& s) {
  constexpr double far = 0x1p20;
  const Tree robot = model::with_values(tree, s.fext, s.p);
  const ImplicitStep step(robot, s);
  const auto taken = [&](const VectorXd& p) {
    return impulse_of_step(model::with_values(tree, s.fext, p), s, step.v_next());
  };
  const VectorXd now = taken(s.p);
  return {array("dx_dp", columns(static_cast<int>(s.p.size()), [&](const VectorXd& e) {
                  Change x(robot);
                  x.push = (now - taken(s.p + far * e)) / far;
                  return step.moved(x);
                }))};
}

bool has_points_alone(const Tree& tree) {
  return tree.constraints.count() > 0 && tree.constraints.num_rows() == 3 * tree.constraints.count();
}

}  // namespace

std::vector<OutputFunction> expected_contact_derivatives() {
  return {{.name = "contact_step_derivatives",
           .compute =
               [](TreeRef t, StateRef s) {
                 if (!has_points_alone(t)) return Outputs{};
                 const ImplicitStep step(t, s);
                 return step_matrices(t.nv, moved_by(t, step));
               },
           .probes =
               [](TreeRef t, StateRef s, const Directions& d) {
                 const ImplicitStep step(t, s);
                 return step_products(t.nv, moved_by(t, step), d);
               }},
          {.name = "contact_step_parameter_derivatives", .compute = [](TreeRef t, StateRef s) {
             return has_points_alone(t) ? by_points(t, s) : Outputs{};
           }}};
}

std::vector<OutputFunction> expected_contact_sensitivities() {
  return {{.name = "contact_step_sensitivities", .compute = [](TreeRef t, StateRef s) {
             return has_points_alone(t) ? by_parameters(t, s) : Outputs{};
           }}};
}

}  // namespace featherline::reference
