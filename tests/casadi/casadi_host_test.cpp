// Loads libraries of external functions as CasADi does, and compares every number with hyper-dual numbers through the
// emitted templates, at quaternions of any length.
#include "reference/hyper_dual.hpp"

namespace featherline::reference {
/// Pivots are compared.
inline bool operator>(const HyperDual<double>& a, const HyperDual<double>& b) { return a.re > b.re; }
inline HyperDual<double> abs(const HyperDual<double>& x) { return x.re < 0.0 ? -x : x; }
}  // namespace featherline::reference

#include "free_joints.hpp"
#include "free_joints.ipp"
#include "loaded.hpp"
#include "loaded.ipp"
#include "planar3.hpp"
#include "planar3.ipp"

#include "external_function.hpp"

#include <doctest/doctest.h>

#include <dlfcn.h>

#include <Eigen/Core>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using test::casadi::External, test::casadi::Integer;
using Dual = featherline::reference::HyperDual<double>;
using Duals = std::vector<Dual>;

using Evaluate = std::function<std::vector<Duals>(const std::vector<Duals>&)>;

/// A function of the emitted templates. The first input is q.
struct Function {
  std::string name;
  std::vector<std::size_t> inputs, outputs;  ///< sizes
  Evaluate evaluate;
  std::size_t num_differentiable;  ///< of the inputs, the first ones
  std::size_t num_second;          ///< of the inputs that second derivatives are by; 0: there are none
};

/// The change of q that column k of a derivative by q is along.
using Direction = std::function<Duals(const Duals& q, std::size_t k)>;

struct Robot {
  std::string name, library;
  std::vector<std::size_t> quaternions;  ///< first entries in q
  std::size_t num_columns;               ///< of derivatives by q
  Direction direction;
  std::vector<Function> functions;
};

Duals unit_vector(std::size_t size, std::size_t k) {
  Duals e(size);
  e[k] = 1.0;
  return e;
}

/// Of a step in the tangent space of free_joints: velocities of a free body and of a cart are in its own axes.
Duals tangent_direction(const Duals& q, std::size_t k) {
  Duals d(q.size());
  const auto turn = [&](std::size_t first, std::size_t axis) {  // q (w, 0) / 2
    const Dual *t = &q[first], *v = t;
    const std::size_t i = axis, j = (axis + 1) % 3, l = (axis + 2) % 3;
    d[first + i] = 0.5 * t[3], d[first + j] = 0.5 * v[l], d[first + l] = -0.5 * v[j];
    d[first + 3] = -0.5 * v[i];
  };
  if (k < 3) {
    const Dual *t = &q[3], w = t[3];
    const std::size_t i = k, j = (k + 1) % 3, l = (k + 2) % 3;
    d[i] = 1.0 - 2.0 * (t[j] * t[j] + t[l] * t[l]);
    d[j] = 2.0 * (t[i] * t[j] + w * t[l]), d[l] = 2.0 * (t[i] * t[l] - w * t[j]);
  } else if (k < 6) {
    turn(3, k - 3);
  } else if (k < 8) {
    const Dual c = cos(q[9]), s = sin(q[9]);
    d[7] = k == 6 ? c : -s, d[8] = k == 6 ? s : c;
  } else if (k == 8) {
    d[9] = 1.0;
  } else if (k < 12) {
    turn(10, k - 9);
  } else {
    d[14] = 1.0;
  }
  return d;
}

/// The inputs with input i moved along its column k, times s.
void move(const Robot& robot, std::vector<Duals>& inputs, std::size_t i, std::size_t k, const Dual& s) {
  const Duals d = i == 0 ? robot.direction(inputs[0], k) : unit_vector(inputs[i].size(), k);
  for (std::size_t e = 0; e < d.size(); ++e) inputs[i][e] += s * d[e];
}

void normalise(const Robot& robot, Duals& q) {
  for (const std::size_t first : robot.quaternions) {
    Dual square(0.0);
    for (std::size_t k = first; k < first + 4; ++k) square += q[k] * q[k];
    const Dual length = sqrt(square);
    for (std::size_t k = first; k < first + 4; ++k) q[k] /= length;
  }
}

/// f at the normalised position.
std::vector<Duals> at(const Robot& robot, const Function& f, std::vector<Duals> inputs) {
  normalise(robot, inputs[0]);
  return f.evaluate(inputs);
}

std::vector<Duals> lifted(const std::vector<VectorXd>& inputs) {
  std::vector<Duals> all;
  for (const VectorXd& x : inputs) all.emplace_back(x.begin(), x.end());
  return all;
}

Eigen::Index columns(const Robot& robot, const std::vector<VectorXd>& inputs, std::size_t i) {
  return i == 0 ? static_cast<Eigen::Index>(robot.num_columns) : inputs[i].size();
}

/// Steps in the tangent space start at a unit quaternion; coordinates at the one that is given.
std::vector<Duals> start(const Robot& robot, const std::vector<VectorXd>& inputs) {
  std::vector<Duals> all = lifted(inputs);
  if (robot.num_columns != all[0].size()) normalise(robot, all[0]);
  return all;
}

/// d outputs[o] / d inputs[i].
MatrixXd expected_jacobian(const Robot& robot, const Function& f, const std::vector<VectorXd>& inputs,
                           std::size_t o, std::size_t i) {
  MatrixXd J(static_cast<Eigen::Index>(f.outputs[o]), columns(robot, inputs, i));
  for (Eigen::Index c = 0; c < J.cols(); ++c) {
    std::vector<Duals> moved = start(robot, inputs);
    move(robot, moved, i, static_cast<std::size_t>(c), Dual::e1());
    const Duals y = at(robot, f, moved)[o];
    for (Eigen::Index r = 0; r < J.rows(); ++r) J(r, c) = y[static_cast<std::size_t>(r)].d1;
  }
  return J;
}

/// d/d inputs[k] of d (weight . output) / d inputs[i].
MatrixXd expected_hessian(const Robot& robot, const Function& f, const std::vector<VectorXd>& inputs,
                          const VectorXd& weight, std::size_t i, std::size_t k) {
  MatrixXd H(columns(robot, inputs, i), columns(robot, inputs, k));
  for (Eigen::Index r = 0; r < H.rows(); ++r) {
    for (Eigen::Index c = 0; c < H.cols(); ++c) {
      std::vector<Duals> moved = start(robot, inputs);
      move(robot, moved, k, static_cast<std::size_t>(c), Dual::e2());
      move(robot, moved, i, static_cast<std::size_t>(r), Dual::e1());
      const Duals y = at(robot, f, moved)[0];
      H(r, c) = 0.0;
      for (std::size_t e = 0; e < y.size(); ++e) H(r, c) += weight[static_cast<Eigen::Index>(e)] * y[e].d12;
    }
  }
  return H;
}

void check_equal(const MatrixXd& found, const MatrixXd& expected, const std::string& what) {
  INFO(what);
  REQUIRE(found.size() == expected.size());
  if (expected.size() == 0) return;
  const double error = (found.reshaped() - expected.reshaped()).cwiseAbs().maxCoeff();
  CHECK(error <= 1e-10 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

void append(std::vector<VectorXd>& all, const std::vector<VectorXd>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

class Host {
 public:
  Host(const Robot& robot, void* library, const Function& f) : robot_(robot), library_(library), f_(f) {
    for (const std::size_t size : f.inputs) inputs_.push_back(random(size));
    if (f.num_differentiable < f.inputs.size()) inputs_.back().setOnes();  // of constraints: all are active
    for (const std::size_t size : f.outputs) {
      weights_.push_back(random(size));
      outputs_.emplace_back();
    }
    for (std::size_t i = 0; i < f.inputs.size(); ++i)
      changes_.push_back(random(static_cast<std::size_t>(columns(robot, inputs_, i))));
    for (std::size_t i = f.num_differentiable; i < f.inputs.size(); ++i) changes_[i].setZero();
    J_.resize(f.outputs.size());
    for (std::size_t o = 0; o < J_.size(); ++o) {
      for (std::size_t i = 0; i < f.num_differentiable; ++i)
        J_[o].push_back(expected_jacobian(robot, f, inputs_, o, i));
    }
  }

  void value() const {
    const External external = function("");
    const std::vector<MatrixXd> found = external(inputs_);
    const std::vector<Duals> expected = at(robot_, f_, lifted(inputs_));
    for (std::size_t o = 0; o < found.size(); ++o)
      check_equal(found[o], real(expected[o]), external.names_out[o]);
    for (std::size_t o = 0; o < found.size(); ++o)
      check_equal(external(inputs_, static_cast<Integer>(o))[o], found[o], "alone");
  }

  void jacobian() const {
    const External external = function("jac_");
    REQUIRE(external.names_in.back() == "out_" + function("").names_out.back());
    const std::vector<MatrixXd> found = external(derivative_inputs());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::size_t o = k / f_.inputs.size(), i = k % f_.inputs.size();
      REQUIRE(external.names_out[k] == "jac_" + function("").names_out[o] + "_" + function("").names_in[i]);
      if (i >= f_.num_differentiable) {
        CHECK(found[k].array().isNaN().all());
        continue;
      }
      check_equal(found[k], J_[o][i], external.names_out[k]);
      check_equal(external(derivative_inputs(), static_cast<Integer>(k))[k], found[k], "alone");
    }
  }

  void forward() const {
    std::vector<VectorXd> inputs = derivative_inputs();
    append(inputs, changes_);
    const std::vector<MatrixXd> found = function("fwd1_")(inputs);
    for (std::size_t o = 0; o < found.size(); ++o) {
      VectorXd expected = VectorXd::Zero(found[o].size());
      for (std::size_t i = 0; i < J_[o].size(); ++i) expected += J_[o][i] * changes_[i];
      check_equal(found[o], expected, "forward");
    }
  }

  void adjoint() const {
    std::vector<VectorXd> inputs = derivative_inputs();
    append(inputs, weights_);
    const std::vector<MatrixXd> found = function("adj1_")(inputs);
    for (std::size_t i = 0; i < f_.num_differentiable; ++i) {
      VectorXd expected = VectorXd::Zero(found[i].size());
      for (std::size_t o = 0; o < J_.size(); ++o) expected += J_[o][i].transpose() * weights_[o];
      check_equal(found[i], expected, "adjoint");
    }
    std::vector<VectorXd> unweighted = derivative_inputs();
    append(unweighted, outputs_);
    const std::vector<MatrixXd> nothing = function("adj1_")(unweighted);
    for (std::size_t i = 0; i < f_.num_differentiable; ++i) CHECK(nothing[i].isZero(0.0));
  }

  void adjoint_jacobian() const {
    const External external = function("jac_adj1_");
    std::vector<VectorXd> inputs = derivative_inputs();
    append(inputs, weights_);
    for (std::size_t i = 0; i < f_.inputs.size(); ++i) inputs.emplace_back();
    const std::vector<MatrixXd> found = external(inputs);
    const std::size_t n = f_.inputs.size(), columns = n + 2;
    REQUIRE(found.size() == n * columns);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const MatrixXd& H = found[i * columns + k];
        if (i >= f_.num_second || k >= f_.num_second)
          CHECK(H.array().isNaN().all());
        else
          check_equal(H, expected_hessian(robot_, f_, inputs_, weights_[0], i, k),
                      external.names_out[i * columns + k]);
      }
      CHECK(External::num_nonzeros(external.patterns_out[i * columns + n]) == 0);
      const MatrixXd& by_weight = found[i * columns + n + 1];
      if (i < f_.num_differentiable)
        check_equal(by_weight, J_[0][i].transpose(), external.names_out[i * columns + n + 1]);
      else
        CHECK(by_weight.array().isNaN().all());
    }
  }

 private:
  External function(const std::string& prefix) const {
    return {library_, prefix + robot_.name + "_" + f_.name};
  }
  static VectorXd real(const Duals& x) {
    VectorXd y(static_cast<Eigen::Index>(x.size()));
    for (std::size_t k = 0; k < x.size(); ++k) y[static_cast<Eigen::Index>(k)] = x[k].re;
    return y;
  }
  static VectorXd random(std::size_t size) {
    static std::mt19937 source(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    VectorXd x(static_cast<Eigen::Index>(size));
    for (double& entry : x) entry = uniform(source);
    return x;
  }
  std::vector<VectorXd> derivative_inputs() const {
    std::vector<VectorXd> all = inputs_;
    append(all, outputs_);
    return all;
  }

  const Robot& robot_;
  void* library_;
  const Function& f_;
  std::vector<VectorXd> inputs_, outputs_, weights_, changes_;
  std::vector<std::vector<MatrixXd>> J_;
};

template <class... Sizes>
std::vector<std::size_t> list(Sizes... sizes) {
  return {static_cast<std::size_t>(sizes)...};
}

#define FUNCTION(R, NAME, INPUTS, OUTPUTS, DIFFERENTIABLE, SECOND, ...)                  \
  {                                                                                      \
#NAME, INPUTS, OUTPUTS,                                                                \
        [](const std::vector<Duals>& in) {                                                 \
          const auto x = [&](std::size_t k) { return in[k].data(); };                      \
          std::vector<Duals> out;                                                          \
          for (const std::size_t size : OUTPUTS) out.emplace_back(size);                   \
          const auto y = [&](std::size_t k) { return out[k].data(); };                     \
          R::NAME<Dual>(__VA_ARGS__);                                                      \
          return out;                                                                      \
        },                                                                                 \
        DIFFERENTIABLE, SECOND \
  }

#define FUNCTIONS(R)                                                                                        \
  {                                                                                                         \
    FUNCTION(R, rnea, list(R::nq, R::nv, R::nv), list(R::nv), 3, 3, x(0), x(1), x(2), y(0)),                \
        FUNCTION(R, aba, list(R::nq, R::nv, R::nv), list(R::nv), 3, 3, x(0), x(1), x(2), y(0)),             \
        FUNCTION(R, bias, list(R::nq, R::nv), list(R::nv), 2, 2, x(0), x(1), y(0)),                         \
        FUNCTION(R, gravity, list(R::nq), list(R::nv), 1, 0, x(0), y(0)),                                   \
        FUNCTION(R, aza, list(R::nq, R::nv), list(R::nv), 2, 0, x(0), x(1), y(0)),                          \
        FUNCTION(R, frame_poses, list(R::nq), list(3 * R::num_frames, 9 * R::num_frames), 1, 0, x(0), y(0), \
                 y(1)),                                                                                     \
        FUNCTION(R, frame_velocities, list(R::nq, R::nv), list(R::num_frame_rows), 2, 0, x(0), x(1), y(0)), \
        FUNCTION(R, frame_accelerations, list(R::nq, R::nv, R::nv), list(R::num_frame_rows), 3, 0, x(0),    \
                 x(1), x(2), y(0)),                                                                         \
        FUNCTION(R, center_of_mass, list(R::nq), list(3), 1, 0, x(0), y(0)),                                \
        FUNCTION(R, centroidal_momentum, list(R::nq, R::nv), list(6), 2, 0, x(0), x(1), y(0)),              \
        FUNCTION(R, potential_energy, list(R::nq), list(1), 1, 0, x(0), y(0)),                              \
        FUNCTION(R, constrained_dynamics, list(R::nq, R::nv, R::nv, R::num_constraints),                    \
                 list(R::nv, R::num_constraint_rows), 3, 0, x(0), x(1), x(2), x(3), y(0), y(1)),            \
        FUNCTION(R, step, list(R::nq, R::nv, R::nv, 1), list(R::nq, R::nv), 3, 0, x(0), x(1), x(2), *x(3),  \
                 y(0), y(1))                                                                                \
  }

/// What is left out is zero, or is not computed, and nothing else changes.
void check_calls_with_gaps(const Robot& robot, void* library) {
  std::mt19937 source(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const Function& f : robot.functions) {
    for (const char* prefix : {"", "jac_", "fwd1_", "adj1_", "jac_adj1_"}) {
      const External external(library, prefix + robot.name + "_" + f.name);
      for (int k = 0; k < 25 && external.exists(); ++k) {
        std::vector<VectorXd> inputs, given;
        for (const Integer* pattern : external.patterns_in) {
          given.emplace_back(pattern[0] * pattern[1]);
          for (double& x : given.back()) x = uniform(source);
          inputs.push_back(given.back());
          if (source() % 3 == 0) inputs.back().setZero(), given.back().resize(0);
        }
        std::vector<bool> wanted;
        for (std::size_t i = 0; i < external.patterns_out.size(); ++i) wanted.push_back(source() % 2 == 0);
        const std::vector<MatrixXd> expected = external(inputs), found = external.call(given, wanted);
        for (std::size_t i = 0; i < found.size(); ++i) {
          INFO(prefix << f.name << " " << external.names_out[i] << " " << k);
          if (!wanted[i]) CHECK((found[i].array() == 1e300 || found[i].array() == 0.0).all());
          if (wanted[i])
            CHECK(((found[i].array() == expected[i].array()) || expected[i].array().isNaN()).all());
        }
      }
    }
  }
}

/// No crash, and nothing outside of the arrays, whatever the numbers are: quaternions of length zero, NaN, infinities.
void check_wrong_calls(const Robot& robot, void* library) {
  std::mt19937 source(13);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const double odd[] = {0.0, NAN, INFINITY, -INFINITY, 1e308, 5e-324};
  const char* const prefixes[] = {"", "jac_", "fwd1_", "adj1_", "jac_adj1_"};
  for (int k = 0; k < 1000; ++k) {
    const Function& f = robot.functions[source() % robot.functions.size()];
    const External external(library, prefixes[source() % 5] + robot.name + "_" + f.name);
    if (!external.exists()) continue;
    const Integer i = static_cast<Integer>(source() % 100) - 50, n_in = std::ssize(external.names_in),
                  n_out = std::ssize(external.names_out);
    CHECK(external.knows("_in", i) == (i >= 0 && i < n_in));
    CHECK(external.knows("_out", i) == (i >= 0 && i < n_out));
    std::vector<VectorXd> inputs;
    for (const Integer* pattern : external.patterns_in) {
      inputs.emplace_back(source() % 4 == 0 ? 0 : pattern[0] * pattern[1]);
      for (double& x : inputs.back()) x = source() % 2 == 0 ? uniform(source) : odd[source() % 6];
    }
    std::vector<bool> wanted;
    for (Integer o = 0; o < n_out; ++o) wanted.push_back(source() % 2 == 0);
    const std::vector<MatrixXd> found = external.call(inputs, wanted);
    for (std::size_t o = 0; o < found.size(); ++o)
      CHECK((wanted[o] || (found[o].array() == 1e300 || found[o].array() == 0.0).all()));
  }
}

void check_mass_matrix(const Robot& robot, void* library) {
  // Without derivatives, with structural zeros, without arguments.
  const External mass_matrix(library, robot.name + "_mass_matrix");
  CHECK(!External(library, "jac_" + robot.name + "_mass_matrix").exists());
  const MatrixXd M = mass_matrix({VectorXd()})[0];
  check_equal(M, M.transpose(), "M");
  CHECK(M.diagonal().minCoeff() > 0.0);
}

void check(const Robot& robot) {
  void* library = dlopen(robot.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(library != nullptr, dlerror());
  for (const Function& f : robot.functions) {
    INFO(robot.name << "_" << f.name);
    const Host host(robot, library, f);
    host.value();
    host.jacobian();
    host.forward();
    host.adjoint();
    const bool has_second = External(library, "jac_adj1_" + robot.name + "_" + f.name).exists();
    REQUIRE(has_second == (f.num_second > 0));
    if (has_second) host.adjoint_jacobian();
  }
  check_mass_matrix(robot, library);
  check_calls_with_gaps(robot, library);
  check_wrong_calls(robot, library);
  dlclose(library);
}

Duals along_coordinate(const Duals& q, std::size_t k) { return unit_vector(q.size(), k); }

}  // namespace

TEST_CASE("external functions of a robot with free joints") {
  check({"free_joints", FREE_JOINTS, {3, 10}, free_joints::nq, along_coordinate, FUNCTIONS(free_joints)});
}

TEST_CASE("external functions of a robot without") {
  check({"planar3", PLANAR3, {}, planar3::nq, along_coordinate, FUNCTIONS(planar3)});
}

TEST_CASE("external functions with chosen parameters, by which some have derivatives") {
  using namespace loaded;
  const std::size_t p = num_parameters;
  check({"loaded",
         LOADED,
         {},
         nq,
         along_coordinate,
         {FUNCTION(loaded, rnea, list(nq, nv, nv, p), list(nv), 4, 3, x(0), x(1), x(2), x(3), y(0)),
          FUNCTION(loaded, aba, list(nq, nv, nv, p), list(nv), 3, 3, x(0), x(1), x(2), x(3), y(0)),
          FUNCTION(loaded, bias, list(nq, nv, p), list(nv), 3, 2, x(0), x(1), x(2), y(0)),
          FUNCTION(loaded, gravity, list(nq, p), list(nv), 2, 0, x(0), x(1), y(0))}});
}

TEST_CASE("external functions with derivatives along steps of the tangent space") {
  check({"in_steps", IN_STEPS, {3, 10}, free_joints::nv, tangent_direction, FUNCTIONS(free_joints)});
}
