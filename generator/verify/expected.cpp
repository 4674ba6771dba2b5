#include "reference/integrate.hpp"
#include "reference/solver.hpp"
#include "reference/without_losses.hpp"
#include "verify/probes.hpp"

#include <functional>
#include <map>

namespace featherline::verify {
namespace {

using Complex = std::complex<double>;
using DualComplex = reference::Dual<Complex>;
using Eigen::VectorXd;
using model::Tree;
using reference::integrate;
using reference::State;

template <class T>
using Vector = reference::VectorX<T>;

/// Small enough that its square vanishes against 1, far from underflow.
constexpr double step = 1e-40;

/// The tangent vector `direction` times an infinitesimal step.
Vector<Complex> imaginary(const VectorXd& direction) {
  return direction.cast<Complex>() * Complex(0.0, step);
}
Vector<DualComplex> outer(const VectorXd& direction) {
  return direction.cast<DualComplex>() * DualComplex(Complex(0.0, step));
}
Vector<DualComplex> inner(const VectorXd& direction) {
  return direction.cast<DualComplex>() * DualComplex(Complex(0.0), Complex(1.0));
}

VectorXd derivative(const Vector<Complex>& f) { return f.imag() / step; }
VectorXd second_derivative(const Vector<DualComplex>& f) {
  VectorXd d(f.size());
  for (Eigen::Index i = 0; i < f.size(); ++i) d[i] = f[i].du.imag() / step;
  return d;
}

/// M(q) w, from inverse dynamics at rest.
template <class T>
Vector<T> inertia_times(const Tree& tree, const Vector<T>& q, const VectorXd& w) {
  reference::Solver<T> solver(tree);
  const Vector<T> rest = Vector<T>::Zero(tree.nv);
  return solver.rnea(q, rest, w.cast<T>()) - solver.rnea(q, rest, rest);
}

/// d(M w)/dq along x, w held.
VectorXd inertia_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  return derivative(
      inertia_times<Complex>(tree, integrate<Complex>(tree, q.cast<Complex>(), imaginary(x)), w));
}

/// d(M^-1 w)/dq along x, w held.
VectorXd inverse_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  const Vector<Complex> moved = integrate<Complex>(tree, q.cast<Complex>(), imaginary(x));
  return derivative(reference::Solver<Complex>(tree).minv(moved) * w.cast<Complex>());
}

/// Inverse or forward dynamics as a function of q and v, along directions; the third argument (a or tau) is held.
template <class Of>
class Directional {
 public:
  Directional(const Tree& tree, const State& state)
      : tree_(tree), q_(state.q), v_(state.v), held_(Of::held(state)) {}

  VectorXd dq(const VectorXd& x) const {
    return first(integrate<Complex>(tree_, q_.cast<Complex>(), imaginary(x)), v_.cast<Complex>());
  }
  VectorXd dv(const VectorXd& x) const {
    return first(q_.cast<Complex>(), v_.cast<Complex>() + imaginary(x));
  }
  /// D_y D_x: the step of the later derivative is taken first, which matters where turns do not commute.
  VectorXd dqdq(const VectorXd& x, const VectorXd& y) const {
    const Vector<DualComplex> moved = integrate<DualComplex>(tree_, q_.cast<DualComplex>(), outer(y));
    return second(integrate<DualComplex>(tree_, moved, inner(x)), v_.cast<DualComplex>());
  }
  VectorXd dvdv(const VectorXd& x, const VectorXd& y) const {
    return second(q_.cast<DualComplex>(), v_.cast<DualComplex>() + outer(y) + inner(x));
  }
  VectorXd dqdv(const VectorXd& q_direction, const VectorXd& v_direction) const {
    return second(integrate<DualComplex>(tree_, q_.cast<DualComplex>(), inner(q_direction)),
                  v_.cast<DualComplex>() + outer(v_direction));
  }
  /// Blocks of the Hessian of w^T f, as Probe has them.
  VectorXd hessian(const VectorXd& w, const Directions& d) const {
    return Eigen::Vector4d(w.dot(dqdq(d.x, d.y)), w.dot(dqdv(d.x, d.y)), w.dot(dqdv(d.y, d.x)),
                           w.dot(dvdv(d.x, d.y)));
  }

 private:
  VectorXd first(const Vector<Complex>& q, const Vector<Complex>& v) const {
    return derivative(Of::template evaluate<Complex>(tree_, q, v, held_.template cast<Complex>()));
  }
  VectorXd second(const Vector<DualComplex>& q, const Vector<DualComplex>& v) const {
    return second_derivative(
        Of::template evaluate<DualComplex>(tree_, q, v, held_.template cast<DualComplex>()));
  }

  const Tree& tree_;
  const VectorXd &q_, &v_, &held_;
};

struct InverseDynamics {
  static const VectorXd& held(const State& state) { return state.a; }
  template <class T>
  static Vector<T> evaluate(const Tree& tree, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a) {
    return reference::Solver<T>(tree).rnea(q, v, a);
  }
};

struct ForwardDynamics {
  static const VectorXd& held(const State& state) { return state.tau; }
  template <class T>
  static Vector<T> evaluate(const Tree& tree, const Vector<T>& q, const Vector<T>& v, const Vector<T>& tau) {
    return reference::Solver<T>(tree).aba(q, v, tau);
  }
};

using Inverse = Directional<InverseDynamics>;
using Forward = Directional<ForwardDynamics>;
using Solver = reference::Solver<double>;
using Probes = std::vector<VectorXd>;
using Compute = std::function<Probes(const Tree&, const State&, const Directions&)>;

/// C v.
VectorXd coriolis_torque(const Tree& robot, const State& state) {
  const Tree tree = reference::without_losses(robot);
  return Solver(tree).bias(state.q, state.v) - Solver(tree).gravity(state.q);
}

const std::map<std::string, Compute>& all() {
  using D = const Directions&;
  using S = const State&;
  using T = const Tree&;
  static const std::map<std::string, Compute> functions{
      {"rnea", [](T t, S s, D) { return Probes{Solver(t).rnea(s.q, s.v, s.a)}; }},
      {"bias", [](T t, S s, D) { return Probes{Solver(t).bias(s.q, s.v)}; }},
      {"gravity", [](T t, S s, D) { return Probes{Solver(t).gravity(s.q)}; }},
      {"mass_matrix", [](T t, S s, D d) { return Probes{inertia_times<double>(t, s.q, d.x)}; }},
      {"coriolis_matrix",
       [](T t, S s, D d) {
         return Probes{coriolis_torque(t, s), inertia_derivative(t, s.q, d.x, s.v)};
       }},
      {"aba", [](T t, S s, D) { return Probes{Solver(t).aba(s.q, s.v, s.tau)}; }},
      {"aza", [](T t, S s, D) { return Probes{Solver(t).minv(s.q) * s.b}; }},
      {"minv", [](T t, S s, D d) { return Probes{Solver(t).minv(s.q) * d.x}; }},
      {"rnea_derivatives",
       [](T t, S s, D d) {
         const Inverse f(t, s);
         return Probes{f.dq(d.x), f.dv(d.x)};
       }},
      {"aba_derivatives",
       [](T t, S s, D d) {
         const Forward f(t, s);
         return Probes{f.dq(d.x), f.dv(d.x), Solver(t).minv(s.q) * d.x};
       }},
      {"rnea_second_derivatives",
       [](T t, S s, D d) {
         const Inverse f(t, s);
         return Probes{f.dqdq(d.x, d.y), f.dvdv(d.x, d.y), f.dqdv(d.x, d.y),
                       inertia_derivative(t, s.q, d.x, d.y)};
       }},
      {"aba_second_derivatives",
       [](T t, S s, D d) {
         const Forward f(t, s);
         return Probes{f.dqdq(d.x, d.y), f.dvdv(d.x, d.y), f.dqdv(d.x, d.y),
                       inverse_derivative(t, s.q, d.y, d.x)};
       }},
      {"rnea_vector_hessian", [](T t, S s, D d) { return Probes{Inverse(t, s).hessian(s.w, d)}; }},
      {"mass_matrix_vector_derivative",
       [](T t, S s, D d) { return Probes{inertia_derivative(t, s.q, s.w, d.x)}; }},
      {"aba_vector_hessian", [](T t, S s, D d) { return Probes{Forward(t, s).hessian(s.w, d)}; }},
      {"minv_vector_derivative", [](T t, S s, D d) { return Probes{inverse_derivative(t, s.q, s.w, d.x)}; }},
  };
  return functions;
}

}  // namespace

std::vector<VectorXd> expected_probes(const std::string& function, const Tree& tree, const State& state,
                                      const Directions& directions) {
  const auto found = all().find(function);
  return found == all().end() ? Probes{} : found->second(tree, state, directions);
}

}  // namespace featherline::verify
