// CasADi itself loads the external functions, differentiates through them, generates code around them, and solves a
// problem with them. Derivatives are compared with central differences of values. Arguments: the libraries of
// free_joints and planar3, those of free_joints in steps of the tangent space and of planar3 with chosen parameters,
// and a C compiler.
#include <casadi/casadi.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using casadi::DM;
using casadi::Function;
using casadi::MX;
using casadi::Slice;
using Strings = std::vector<std::string>;

struct Case {
  std::string function;
  casadi_int num_differentiable;  ///< of the inputs, the first ones
  bool has_second;
};
const std::vector<Case> cases{{"rnea", 3, true},
                              {"aba", 3, true},
                              {"bias", 2, true},
                              {"gravity", 1, false},
                              {"aza", 2, false},
                              {"frame_poses", 1, false},
                              {"frame_velocities", 2, false},
                              {"frame_accelerations", 3, false},
                              {"center_of_mass", 1, false},
                              {"centroidal_momentum", 2, false},
                              {"potential_energy", 1, false},
                              {"constrained_dynamics", 3, false}};

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

void expect_equal(const DM& found, const DM& expected, double allowed, const std::string& what) {
  expect(found.size() == expected.size(), what + ": sizes");
  const double scale = std::max(1.0, static_cast<double>(norm_inf(vec(densify(expected)))));
  const double error = static_cast<double>(norm_inf(vec(densify(found - expected)))) / scale;
  expect(error <= allowed, what + ": error " + std::to_string(error));
}

/// Of loaded: by q, v and a or tau with second derivatives, and by the parameters.
const std::vector<Case> cases_of_loaded{
    {"rnea", 3, true}, {"rnea", 4, false}, {"aba", 3, true}, {"bias", 2, true}, {"bias", 3, false}};

std::mt19937 source(7);
DM random(casadi_int size) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x(static_cast<std::size_t>(size));
  for (double& entry : x) entry = uniform(source);
  return x;
}

/// By the entries of x.
DM differences(const Function& f, const DM& x) {
  std::vector<DM> columns;
  constexpr double step = 1e-6;
  for (casadi_int k = 0; k < x.numel(); ++k) {
    DM up = x, down = x;
    up(k) += step;
    down(k) -= step;
    columns.push_back(vec(densify(f(up)[0] - f(down)[0])) / (2.0 * step));
  }
  return horzcat(columns);
}

/// y = f(x) with the differentiable inputs in one vector x; the rest is one.
struct Stacked {
  MX x, y;
  DM at;
};
Stacked stack(const Function& f, casadi_int num_differentiable) {
  Stacked s;
  std::vector<MX> inputs, outputs;
  casadi_int size = 0, first = 0;
  for (casadi_int i = 0; i < num_differentiable; ++i) size += f.size1_in(i);
  s.x = MX::sym("x", size);
  for (casadi_int i = 0; i < f.n_in(); ++i) {
    const casadi_int rows = f.size1_in(i);
    inputs.push_back(i < num_differentiable ? s.x(Slice(first, first + rows)) : MX::ones(rows));
    first += rows;
  }
  for (const MX& output : f(inputs)) outputs.push_back(vec(densify(output)));
  s.y = vertcat(outputs);
  s.at = random(size);
  return s;
}

void check_derivatives(const std::string& library, const std::string& robot, const Case& c) {
  const std::string name = robot + "_" + c.function;
  const Function f = casadi::external(name, library);
  const Stacked s = stack(f, c.num_differentiable);
  const Function value("value", {s.x}, {s.y});
  const DM J = Function("jacobian", {s.x}, {jacobian(s.y, s.x)})(s.at)[0];
  expect_equal(J, differences(value, s.at), 1e-7, name + ": jacobian");

  const DM seed = random(s.x.numel()), weight = random(s.y.numel());
  const DM forward = Function("forward", {s.x}, {jtimes(s.y, s.x, MX(seed))})(s.at)[0];
  expect_equal(forward, mtimes(J, seed), 1e-12, name + ": forward");
  const MX gradient = jtimes(s.y, s.x, MX(weight), true);
  const Function backward("backward", {s.x}, {gradient});
  expect_equal(backward(s.at)[0], mtimes(J.T(), weight), 1e-12, name + ": reverse");
  if (c.has_second) {
    const DM H = Function("hessian", {s.x}, {hessian(dot(MX(weight), s.y), s.x)})(s.at)[0];
    expect_equal(H, differences(backward, s.at), 1e-7, name + ": hessian");
    expect_equal(H, H.T(), 1e-12, name + ": symmetry");
  }
  // At several points at once.
  const DM points = horzcat(s.at, random(s.x.numel()), random(s.x.numel()));
  const Function both("both", {s.x}, {s.y, jacobian(s.y, s.x)});
  const Strings ways =
      c.function == "aba" ? Strings{"serial", "unroll", "thread"} : Strings{"serial", "unroll"};
  for (const std::string& how : ways) {
    const std::vector<DM> mapped = both.map(3, how)(points);
    expect_equal(mapped[0](Slice(), 0), value(s.at)[0], 0.0, name + ": map " + how);
    expect_equal(mapped[1](Slice(), Slice(0, J.size2())), J, 0.0, name + ": map of jacobian " + how);
  }
}

/// C code that CasADi generates around the function, linked with the library.
void check_generated(const std::string& library, const std::string& robot, const std::string& compiler) {
  const Function aba = casadi::external(robot + "_aba", library);
  const Stacked s = stack(aba, 3);
  const DM weight = random(s.y.numel());
  const Function around("around", {s.x}, {s.y, jacobian(s.y, s.x), hessian(dot(MX(weight), s.y), s.x)});
  const std::string file = "with_casadi_around.c", built = "./with_casadi_around.so";
  around.generate(file);
  const std::string command = compiler + " -shared -fPIC -O1 " + file + " -o " + built + " " + library;
  expect(std::system(command.c_str()) == 0, "fails: " + command);
  const std::vector<DM> found = casadi::external("around", built)(s.at), expected = around(s.at);
  for (std::size_t k = 0; k < expected.size(); ++k)
    expect_equal(found[k], expected[k], 1e-12, robot + ": generated code");
}

/// Derivatives along steps: a function of its own. CasADi itself refuses to differentiate.
void check_tangent(const std::string& in_steps, const std::string& in_coordinates) {
  const Function f = casadi::external("in_steps_aba", in_steps),
                 jacobian_in_steps = casadi::external("jac_in_steps_aba", in_steps);
  std::vector<DM> inputs;
  for (casadi_int i = 0; i < f.n_in(); ++i) inputs.push_back(random(f.size1_in(i)));
  inputs.emplace_back(DM::zeros(f.size1_out(0)));
  const std::vector<DM> steps = jacobian_in_steps(inputs),
                        coordinates = casadi::external("jac_free_joints_aba", in_coordinates)(inputs);
  expect(steps[0].size2() == f.size1_in(1) && coordinates[0].size2() == f.size1_in(0), "columns");
  for (const std::size_t k : {1, 2}) expect_equal(steps[k], coordinates[k], 0.0, "by v and tau");
  const Stacked s = stack(f, 3);
  bool is_refused = false;
  try {
    jacobian(s.y, s.x);
  } catch (const casadi::CasadiException&) { is_refused = true; }
  expect(is_refused, "a derivative by coordinates from a library in steps");
}

/// Iterations of IPOPT with exact second derivatives. Opti::solve() throws where it fails.
casadi_int solve(casadi::Opti& problem) {
  problem.solver("ipopt", {{"print_time", false}}, {{"print_level", 0}, {"sb", "yes"}});
  return static_cast<casadi_int>(problem.solve().stats().at("iter_count"));
}

/// planar3 swings to a position in one second.
void check_optimal_control(const std::string& library) {
  const Function aba = casadi::external("planar3_aba", library);
  constexpr casadi_int n = 3, nodes = 20;
  constexpr double dt = 1.0 / static_cast<double>(nodes);
  casadi::Opti problem;
  const MX q = problem.variable(n, nodes + 1), v = problem.variable(n, nodes + 1),
           tau = problem.variable(n, nodes);
  for (casadi_int k = 0; k < nodes; ++k) {
    const MX a = aba(std::vector<MX>{q(Slice(), k), v(Slice(), k), tau(Slice(), k)})[0];
    problem.subject_to(v(Slice(), k + 1) == v(Slice(), k) + dt * a);
    problem.subject_to(q(Slice(), k + 1) == q(Slice(), k) + dt * v(Slice(), k + 1));
  }
  const DM start = DM::zeros(n), goal = std::vector<double>{0.5, -0.4, 0.3};
  problem.subject_to(q(Slice(), 0) == start);
  problem.subject_to(v(Slice(), 0) == start);
  problem.subject_to(q(Slice(), nodes) == goal);
  problem.subject_to(v(Slice(), nodes) == start);
  problem.minimize(sumsqr(tau));
  const casadi_int iterations = solve(problem);
  std::cout << "IPOPT: " << iterations << " iterations of planar3\n";
  expect(iterations < 60, "second derivatives do not help: 27 were measured, and 682 without them");
}

/// free_joints in its coordinates, quaternions held at unit length: where least torque holds it.
void check_floating_base(const std::string& library) {
  const Function rnea = casadi::external("free_joints_rnea", library);
  const casadi_int nq = rnea.size1_in(0), nv = rnea.size1_in(1);
  casadi::Opti problem;
  const MX q = problem.variable(nq), tau = rnea(std::vector<MX>{q, MX(nv, 1), MX(nv, 1)})[0];
  problem.minimize(sumsqr(tau(Slice(6, nv))) + 0.1 * sumsqr(q - 0.5));
  for (const casadi_int first : {3, 10}) problem.subject_to(sumsqr(q(Slice(first, first + 4))) == 1.0);
  problem.set_initial(q, 0.5);
  const casadi_int iterations = solve(problem);
  std::cout << "IPOPT: " << iterations << " iterations on quaternions\n";
}

}  // namespace

int main(int, char** arguments) try {
  const std::string free_joints = arguments[1], planar3 = arguments[2], tangent = arguments[3],
                    loaded = arguments[4];
  for (const Case& c : cases) {
    check_derivatives(free_joints, "free_joints", c);
    check_derivatives(planar3, "planar3", c);
  }
  for (const Case& c : cases_of_loaded) check_derivatives(loaded, "loaded", c);
  check_generated(free_joints, "free_joints", arguments[5]);
  check_tangent(tangent, free_joints);
  if (casadi::has_nlpsol("ipopt")) {
    check_optimal_control(planar3);
    check_floating_base(free_joints);
  } else {
    std::cout << "this CasADi has no IPOPT: no problem is solved\n";
  }
  std::cout << "CasADi " << casadi::CasadiMeta::version() << ": " << 2 * cases.size() + cases_of_loaded.size()
            << " functions agree\n";
} catch (const std::exception& e) {
  std::cout << e.what() << "\n";
  return 1;
}
