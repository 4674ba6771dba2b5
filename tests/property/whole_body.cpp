// Centre of mass, centroidal momentum and energies: what they have to do with each other and with dynamics, on random
// robots, and the values of an independent library. Derivatives by time are complex steps along the motion.
#include "catalog/functions.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "selection/function_plan.hpp"
#include "support/as_emitted.hpp"
#include "support/complex_step.hpp"
#include "support/graph_values.hpp"
#include "support/random_robot.hpp"
#include "support/reference_values.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <map>

namespace property::whole_body {

using namespace featherline;
using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double tolerance = 1e-10, step = 1e-100;

template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

/// Where a robot is and how it moves.
template <class T>
struct Motion {
  Vector<T> q, v;
};

/// The straight-line form of the whole-body functions of a robot, run on numbers.
class Functions {
 public:
  explicit Functions(const model::UserTree& tree) : tree_(tree) {
    const model::CanonicalTree traced = in_chosen_frames(tree, false);
    for (const catalog::FunctionSpec& spec : catalog::functions()) {
      if (spec.group.name == catalog::whole_body.name && spec.depends.inertia)
        kernels_.emplace(spec.name, catalog::trace(spec, spec.formulations.front(), traced));
    }
  }

  /// The output as a matrix with `rows` rows.
  template <class T>
  Matrix<T> run(const std::string& function, const Motion<T>& x, Index rows) const {
    const ir::Kernel& kernel = kernels_.at(function);
    std::vector<std::vector<T>> inputs;
    for (const ir::Buffer& input : kernel.inputs) {
      const Vector<T>& values = input.name == "q" ? x.q : x.v;
      inputs.emplace_back(values.begin(), values.end());
    }
    const std::vector<T> values = test::graph_values<T, T>(kernel, inputs).front();
    return Eigen::Map<const Matrix<T>>(values.data(), rows, static_cast<Index>(values.size()) / rows);
  }

  /// The derivative by time of an output, while the robot moves with v and accelerates with a.
  MatrixXd rate(const std::string& function, const Motion<double>& x, const VectorXd& a, Index rows) const {
    const Motion<Complex> moved{test::complex_step(tree_, x.q, x.v, step),
                                x.v.cast<Complex>() + Complex(0.0, step) * a.cast<Complex>()};
    return run(function, moved, rows).imag() / step;
  }

 private:
  const model::UserTree& tree_;
  std::map<std::string, ir::Kernel> kernels_;
};

/// All joint types, at and away from the root, with and without coupled joints.
model::UserTree make_robot(std::uint64_t seed, bool floating) {
  test::RobotOptions robot;
  robot.joints = 1 + static_cast<int>(seed % 9);
  robot.mimic = seed % 3 == 2 ? 0.5 : 0.0;
  robot.straight = seed % 4 == 0 ? 1.0 : 0.5;
  model::BuildOptions build;
  build.floating_base = floating;
  build.gravity = seed % 5 == 4 ? model::Vector3(1.0, -2.0, 3.0) : build.gravity;
  return test::random_tree(seed, robot, build);
}

struct Case {
  model::UserTree tree;
  Motion<double> x;
  VectorXd a;
};

Case make_case(std::uint64_t seed, bool floating) {
  Case c{make_robot(seed, floating), {}, {}};
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  const reference::State state = reference::random_state(c.tree, random);
  c.x = {state.q, state.v};
  c.a = state.a;
  return c;
}

template <class Check>
void on_random_robots(const Check& check) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const Case c = make_case(seed, seed % 2 == 1);
    check(c, Functions(c.tree));
  }
}

}  // namespace

TEST_CASE("the momentum is its matrix times v") {
  on_random_robots([](const Case& c, const Functions& f) {
    const MatrixXd A = f.run("centroidal_momentum_matrix", c.x, 6);
    CHECK(test::relative_error(A * c.x.v, f.run("centroidal_momentum", c.x, 6)) <= tolerance);
  });
}

TEST_CASE("the Jacobian of the centre of mass gives its velocity, which carries the linear momentum") {
  on_random_robots([](const Case& c, const Functions& f) {
    const MatrixXd J = f.run("center_of_mass_jacobian", c.x, 3);
    CHECK(test::relative_error(J * c.x.v, f.rate("center_of_mass", c.x, c.a, 3)) <= tolerance);
    double mass = 0.0;
    for (const model::Body& body : c.tree.bodies) mass += body.inertia.mass;
    const MatrixXd A = f.run("centroidal_momentum_matrix", c.x, 6);
    CHECK(test::relative_error(mass * J, A.topRows<3>()) <= tolerance);
  });
}

TEST_CASE("the bias is dA/dt v, and the momentum changes by A a + b") {
  on_random_robots([](const Case& c, const Functions& f) {
    const MatrixXd b = f.run("centroidal_momentum_bias", c.x, 6);
    CHECK(test::relative_error(f.rate("centroidal_momentum_matrix", c.x, c.a, 6) * c.x.v, b) <= tolerance);
    const MatrixXd A = f.run("centroidal_momentum_matrix", c.x, 6);
    CHECK(test::relative_error(f.rate("centroidal_momentum", c.x, c.a, 6), A * c.a + b) <= tolerance);
  });
}

TEST_CASE("the derivative of the momentum is its change along a step of q") {
  on_random_robots([](const Case& c, const Functions& f) {
    const Motion<Complex> moved{test::complex_step(c.tree, c.x.q, c.a, step), c.x.v.cast<Complex>()};
    const MatrixXd change = f.run("centroidal_momentum", moved, 6).imag() / step;
    const MatrixXd dh_dq = f.run("centroidal_momentum_derivatives", c.x, 6);
    CHECK(test::relative_error(dh_dq * c.a, change) <= tolerance);
  });
}

TEST_CASE("energy changes by the power of the torques") {
  on_random_robots([](const Case& c, const Functions& f) {
    const VectorXd tau = reference::Solver<double>(c.tree).rnea(c.x.q, c.x.v, c.a);
    const double power =
        f.rate("kinetic_energy", c.x, c.a, 1)(0, 0) + f.rate("potential_energy", c.x, c.a, 1)(0, 0);
    CHECK(test::relative_error(VectorXd::Constant(1, power), VectorXd::Constant(1, tau.dot(c.x.v))) <=
          tolerance);
    const VectorXd gravity = f.rate("potential_energy", {c.x.q, c.x.v}, VectorXd::Zero(c.tree.nv), 1);
    const VectorXd expected =
        VectorXd::Constant(1, reference::Solver<double>(c.tree).gravity(c.x.q).dot(c.x.v));
    CHECK(test::relative_error(gravity, expected) <= tolerance);
  });
}

TEST_CASE("kinetic energy is v^T M v / 2") {
  on_random_robots([](const Case& c, const Functions& f) {
    reference::Solver<double> solver(c.tree);
    const VectorXd T = f.run("kinetic_energy", c.x, 1);
    CHECK(test::relative_error(T, VectorXd::Constant(1, c.x.v.dot(solver.crba(c.x.q) * c.x.v) / 2)) <=
          tolerance);
    CHECK(test::relative_error(T, VectorXd::Constant(1, solver.kinetic_energy(c.x.q, c.x.v))) <= tolerance);
  });
}

TEST_CASE("the first rows of a floating robot's inertia are its momentum, about the base") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Case c = make_case(seed, true);
    const Functions f(c.tree);
    reference::Solver<double> solver(c.tree);
    const MatrixXd M = solver.crba(c.x.q), A = f.run("centroidal_momentum_matrix", c.x, 6);
    const reference::Pose<double> base = solver.body_poses(c.x.q).front();
    const Vector3d lever = f.run("center_of_mass", c.x, 3) - base.p;
    MatrixXd expected(6, c.tree.nv);
    expected.topRows<3>() = base.R * M.topRows<3>();
    expected.bottomRows<3>() = base.R * M.middleRows<3>(3);
    for (Index k = 0; k < c.tree.nv; ++k)
      expected.col(k).tail<3>() -= lever.cross(Vector3d(expected.col(k).head<3>()));
    CHECK(test::relative_error(A, expected) <= tolerance);
    // A push at the base turns it by the way to the centre of mass.
    const Matrix3d turning = base.R * M.block<3, 3>(3, 0) * base.R.transpose() / M(0, 0);
    CHECK(test::relative_error(lever, Vector3d(turning(2, 1), turning(0, 2), turning(1, 0))) <= tolerance);
  }
}

TEST_CASE("the functions agree with the independent library at 1e-10") {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  int compared = 0;
  for (const test::NamedReferenceFile& file : test::load_named_references()) {
    CAPTURE(file.name);
    Options options;
    options.build.floating_base = file.floating_base;
    options.build.mimic_independent = true;
    Diagnostics findings;
    const Robot robot = read_robot(file.urdf.string(), options, findings);
    const Functions f(robot.tree);
    for (const auto& s : file.samples) {
      const Motion<double> x{s.at("q"), s.at("v")};
      const auto check = [&](const char* function, const char* field, Index rows) {
        CAPTURE(function);
        const VectorXd& values = s.at(field);
        const MatrixXd expected = Eigen::Map<const RowMajor>(values.data(), rows, values.size() / rows);
        CHECK(test::relative_error(f.run(function, x, rows), expected) <= tolerance);
        reference::State state;
        state.q = x.q;
        state.v = x.v;
        const std::vector<double> judged =
            reference::find_outputs(function)->compute(robot.tree, state).front().values;
        CHECK(test::relative_error(Eigen::Map<const MatrixXd>(judged.data(), rows, expected.cols()),
                                   expected) <= tolerance);
        ++compared;
      };
      check("center_of_mass", "com", 3);
      check("center_of_mass_jacobian", "Jcom", 3);
      check("centroidal_momentum", "hg", 6);
      check("centroidal_momentum_matrix", "Ag", 6);
      check("centroidal_momentum_bias", "Agdot_v", 6);
      check("kinetic_energy", "kinetic", 1);
      check("potential_energy", "potential", 1);
      const MatrixXd J = f.run("center_of_mass_jacobian", x, 3);
      CHECK(test::relative_error(J * x.v, s.at("vcom")) <= tolerance);
    }
  }
  CHECK(compared >= 7 * 15);
}

TEST_CASE("a robot without mass has no centre of mass") {
  model::UserTree tree = make_robot(3, false);
  for (model::Body& body : tree.bodies) body.inertia = {};
  Options options = test::only({"center_of_mass", "centroidal_momentum", "kinetic_energy"});
  Diagnostics findings;
  CHECK(drop_functions_without_mass(options.functions, {options, tree, "a.urdf", findings}) ==
        std::vector<std::string>{"kinetic_energy"});
  CHECK_FALSE(findings.has_errors());
  options.named_functions = {"center_of_mass"};
  drop_functions_without_mass(options.functions, {options, tree, "a.urdf", findings});
  CHECK(findings.has_errors());
}

}  // namespace property::whole_body
