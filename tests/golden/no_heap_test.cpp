// Two robots in one program, and not one allocation while every function of them runs.
#include "golden/counts_malloc.hpp"

#include "arm6.hpp"
#include "double_pendulum.hpp"
#include "planar3.hpp"
#include "planar3_aba_derivatives.ipp"
#include "planar3_eigen.hpp"
#include "touching_arm.hpp"

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <set>

namespace {
std::atomic<long> allocations{0};
}

#if FEATHERLINE_COUNTS_MALLOC
// glibc's own names of what a program may replace; operator new ends here, too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

/// Room for the inputs and outputs of any function of a robot this small.
template <class S>
struct Arrays {
  S q[16], v[16], a[16], tau[16], b[16], w[16];
  S x[5][1000];

  Arrays() {
    for (int i = 0; i < 16; ++i) {
      q[i] = static_cast<S>(0.1 * (i + 1));
      v[i] = static_cast<S>(0.3 * i - 1.0);
      a[i] = static_cast<S>(2.0 - 0.5 * i);
      tau[i] = static_cast<S>(1.0 + i);
      b[i] = static_cast<S>(0.7 * i);
      w[i] = static_cast<S>(1.5 - 0.4 * i);
    }
  }
};

using Call = std::function<void()>;

template <class S>
std::map<std::string, Call> planar3_calls(Arrays<S>& y) {
  return {
      {"rnea", [&] { planar3::rnea(y.q, y.v, y.a, y.x[0]); }},
      {"bias", [&] { planar3::bias(y.q, y.v, y.x[0]); }},
      {"gravity", [&] { planar3::gravity(y.q, y.x[0]); }},
      {"mass_matrix", [&] { planar3::mass_matrix(y.q, y.x[0]); }},
      {"coriolis_matrix", [&] { planar3::coriolis_matrix(y.q, y.v, y.x[0]); }},
      {"aba", [&] { planar3::aba(y.q, y.v, y.tau, y.x[0]); }},
      {"aza", [&] { planar3::aza(y.q, y.b, y.x[0]); }},
      {"minv", [&] { planar3::minv(y.q, y.x[0]); }},
      {"rnea_derivatives", [&] { planar3::rnea_derivatives(y.q, y.v, y.a, y.x[0], y.x[1]); }},
      {"aba_derivatives", [&] { planar3::aba_derivatives(y.q, y.v, y.tau, y.x[0], y.x[1], y.x[2]); }},
      {"rnea_second_derivatives",
       [&] { planar3::rnea_second_derivatives(y.q, y.v, y.a, y.x[0], y.x[1], y.x[2], y.x[3]); }},
      {"aba_second_derivatives",
       [&] { planar3::aba_second_derivatives(y.q, y.v, y.tau, y.x[0], y.x[1], y.x[2], y.x[3]); }},
      {"mass_matrix_rate", [&] { planar3::mass_matrix_rate(y.q, y.v, y.x[0]); }},
      {"mass_matrix_rate_packed", [&] { planar3::mass_matrix_rate_packed(y.q, y.v, y.x[0]); }},
      {"rnea_rate", [&] { planar3::rnea_rate(y.q, y.v, y.a, y.b, y.x[0]); }},
      {"frame_jacobian_rates", [&] { planar3::frame_jacobian_rates(y.q, y.v, y.x[0]); }},
      {"frame_jacobian_rates_packed", [&] { planar3::frame_jacobian_rates_packed(y.q, y.v, y.x[0]); }},
      {"rnea_vjp", [&] { planar3::rnea_vjp(y.q, y.v, y.a, y.w, y.x[0], y.x[1], y.x[2]); }},
      {"aba_vjp", [&] { planar3::aba_vjp(y.q, y.v, y.tau, y.w, y.x[0], y.x[1], y.x[2]); }},
      {"step_vjp", [&] { planar3::step_vjp(y.q, y.v, y.tau, S(0.01), y.w, y.x[0], y.x[1], y.x[2]); }},
      {"frame_pose_error_derivatives",
       [&] { planar3::frame_pose_error_derivatives(y.q, y.x[0], y.x[1], y.x[2]); }},
      {"frame_pose_error_derivatives_packed",
       [&] { planar3::frame_pose_error_derivatives_packed(y.q, y.x[0], y.x[1], y.x[2]); }},
      {"frame_pose_errors", [&] { planar3::frame_pose_errors(y.q, y.x[0], y.x[1], y.x[2]); }},
      {"frame_poses_vjp", [&] { planar3::frame_poses_vjp(y.q, y.x[0], y.x[1], y.x[2]); }},
      {"rnea_vector_hessian", [&] { planar3::rnea_vector_hessian(y.q, y.v, y.a, y.w, y.x[0]); }},
      {"mass_matrix_vector_derivative", [&] { planar3::mass_matrix_vector_derivative(y.q, y.w, y.x[0]); }},
      {"aba_vector_hessian", [&] { planar3::aba_vector_hessian(y.q, y.v, y.tau, y.w, y.x[0]); }},
      {"minv_vector_derivative", [&] { planar3::minv_vector_derivative(y.q, y.w, y.x[0]); }},
      {"mass_matrix_packed", [&] { planar3::mass_matrix_packed(y.q, y.x[0]); }},
      {"coriolis_matrix_packed", [&] { planar3::coriolis_matrix_packed(y.q, y.v, y.x[0]); }},
      {"minv_packed", [&] { planar3::minv_packed(y.q, y.x[0]); }},
      {"rnea_derivatives_packed", [&] { planar3::rnea_derivatives_packed(y.q, y.v, y.a, y.x[0], y.x[1]); }},
      {"aba_derivatives_packed",
       [&] { planar3::aba_derivatives_packed(y.q, y.v, y.tau, y.x[0], y.x[1], y.x[2]); }},
      {"rnea_second_derivatives_packed",
       [&] { planar3::rnea_second_derivatives_packed(y.q, y.v, y.a, y.x[0], y.x[1], y.x[2], y.x[3]); }},
      {"aba_second_derivatives_packed",
       [&] { planar3::aba_second_derivatives_packed(y.q, y.v, y.tau, y.x[0], y.x[1], y.x[2], y.x[3]); }},
      {"rnea_vector_hessian_packed",
       [&] { planar3::rnea_vector_hessian_packed(y.q, y.v, y.a, y.w, y.x[0]); }},
      {"mass_matrix_vector_derivative_packed",
       [&] { planar3::mass_matrix_vector_derivative_packed(y.q, y.w, y.x[0]); }},
      {"aba_vector_hessian_packed",
       [&] { planar3::aba_vector_hessian_packed(y.q, y.v, y.tau, y.w, y.x[0]); }},
      {"minv_vector_derivative_packed", [&] { planar3::minv_vector_derivative_packed(y.q, y.w, y.x[0]); }},
      {"frame_poses", [&] { planar3::frame_poses(y.q, y.x[0], y.x[1]); }},
      {"frame_poses_packed", [&] { planar3::frame_poses_packed(y.q, y.x[0], y.x[1]); }},
      {"frame_velocities", [&] { planar3::frame_velocities(y.q, y.v, y.x[0]); }},
      {"frame_accelerations", [&] { planar3::frame_accelerations(y.q, y.v, y.a, y.x[0]); }},
      {"frame_jacobians", [&] { planar3::frame_jacobians(y.q, y.x[0]); }},
      {"frame_jacobians_packed", [&] { planar3::frame_jacobians_packed(y.q, y.x[0]); }},
      {"frame_bias", [&] { planar3::frame_bias(y.q, y.v, y.x[0]); }},
      {"frame_velocity_derivatives", [&] { planar3::frame_velocity_derivatives(y.q, y.v, y.x[0]); }},
      {"frame_velocity_derivatives_packed",
       [&] { planar3::frame_velocity_derivatives_packed(y.q, y.v, y.x[0]); }},
      {"frame_acceleration_derivatives",
       [&] { planar3::frame_acceleration_derivatives(y.q, y.v, y.a, y.x[0], y.x[1]); }},
      {"frame_acceleration_derivatives_packed",
       [&] { planar3::frame_acceleration_derivatives_packed(y.q, y.v, y.a, y.x[0], y.x[1]); }},
      {"frame_kinematics",
       [&] { planar3::frame_kinematics(y.q, y.v, y.x[0], y.x[1], y.x[2], y.x[3], y.x[4]); }},
      {"link_poses_packed", [&] { planar3::link_poses_packed(y.q, y.x[0], y.x[1]); }},
      {"regressor", [&] { planar3::regressor(y.q, y.v, y.a, y.x[0]); }},
      {"base_regressor", [&] { planar3::base_regressor(y.q, y.v, y.a, y.x[0]); }},
      {"regressor_packed", [&] { planar3::regressor_packed(y.q, y.v, y.a, y.x[0]); }},
      {"base_regressor_packed", [&] { planar3::base_regressor_packed(y.q, y.v, y.a, y.x[0]); }},
      {"center_of_mass", [&] { planar3::center_of_mass(y.q, y.x[0]); }},
      {"center_of_mass_jacobian", [&] { planar3::center_of_mass_jacobian(y.q, y.x[0]); }},
      {"center_of_mass_jacobian_packed", [&] { planar3::center_of_mass_jacobian_packed(y.q, y.x[0]); }},
      {"centroidal_momentum", [&] { planar3::centroidal_momentum(y.q, y.v, y.x[0]); }},
      {"centroidal_momentum_matrix", [&] { planar3::centroidal_momentum_matrix(y.q, y.x[0]); }},
      {"centroidal_momentum_matrix_packed", [&] { planar3::centroidal_momentum_matrix_packed(y.q, y.x[0]); }},
      {"centroidal_momentum_bias", [&] { planar3::centroidal_momentum_bias(y.q, y.v, y.x[0]); }},
      {"centroidal_momentum_derivatives",
       [&] { planar3::centroidal_momentum_derivatives(y.q, y.v, y.x[0]); }},
      {"centroidal_momentum_derivatives_packed",
       [&] { planar3::centroidal_momentum_derivatives_packed(y.q, y.v, y.x[0]); }},
      {"kinetic_energy", [&] { planar3::kinetic_energy(y.q, y.v, y.x[0]); }},
      {"potential_energy", [&] { planar3::potential_energy(y.q, y.x[0]); }},
      {"integrate", [&] { planar3::integrate(y.q, y.v, y.x[0]); }},
      {"difference", [&] { planar3::difference(y.q, y.v, y.x[0]); }},
      {"integrate_derivatives", [&] { planar3::integrate_derivatives(y.q, y.v, y.x[0], y.x[1]); }},
      {"integrate_derivatives_packed",
       [&] { planar3::integrate_derivatives_packed(y.q, y.v, y.x[0], y.x[1]); }},
      {"step", [&] { planar3::step(y.q, y.v, y.tau, S(0.01), y.x[0], y.x[1]); }},
      {"rollout", [&] { planar3::rollout(y.q, y.v, y.tau, S(0.01), 3, y.x[0], y.x[1]); }},
      {"rollout_end", [&] { planar3::rollout_end(y.q, y.v, y.tau, S(0.01), 3, y.x[0], y.x[1]); }},
      {"step_derivatives", [&] { planar3::step_derivatives(y.q, y.v, y.tau, S(0.01), y.x[0], y.x[1]); }},
      {"step_derivatives_packed",
       [&] { planar3::step_derivatives_packed(y.q, y.v, y.tau, S(0.01), y.x[0], y.x[1]); }},
      {"forward_kinematics", [&] { planar3::forward_kinematics(y.q, planar3::Link::tool, y.x[0], y.x[1]); }},
      {"frame_jacobian", [&] { planar3::frame_jacobian(y.q, planar3::Link::tool, y.x[0]); }},
      {"link_poses", [&] { planar3::link_poses(y.q, y.x[0], y.x[1]); }},
  };
}

std::map<std::string, Call> double_pendulum_calls(Arrays<double>& y) {
  return {
      {"rnea", [&] { double_pendulum::rnea(y.q, y.v, y.a, y.x[0]); }},
      {"bias", [&] { double_pendulum::bias(y.q, y.v, y.x[0]); }},
      {"gravity", [&] { double_pendulum::gravity(y.q, y.x[0]); }},
      {"mass_matrix", [&] { double_pendulum::mass_matrix(y.q, y.x[0]); }},
      {"coriolis_matrix", [&] { double_pendulum::coriolis_matrix(y.q, y.v, y.x[0]); }},
      {"forward_kinematics",
       [&] { double_pendulum::forward_kinematics(y.q, double_pendulum::Link::tip, y.x[0], y.x[1]); }},
      {"frame_jacobian", [&] { double_pendulum::frame_jacobian(y.q, double_pendulum::Link::tip, y.x[0]); }},
  };
}

/// Runs all calls; how often memory was asked for meanwhile.
long allocations_during(const std::map<std::string, Call>& calls) {
  const long before = allocations;
  for (const auto& [name, call] : calls) call();
  return allocations - before;
}

/// Functions of a golden, by its manifest.
std::set<std::string> emitted_functions(const std::string& robot) {
  std::ifstream in("generated/" + robot + "/" + robot + ".json");
  const nlohmann::json manifest = nlohmann::json::parse(in);
  std::set<std::string> names;
  for (const auto& [name, facts] : manifest["functions"].items()) names.insert(name);
  return names;
}

std::set<std::string> names_of(const std::map<std::string, Call>& calls) {
  std::set<std::string> names;
  for (const auto& [name, call] : calls) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("the counters count") {
  const long before = allocations;
  void* (*volatile get)(std::size_t) = std::malloc;  // or the compiler leaves the pair out
  std::free(get(100));
  ::operator delete(::operator new(4));
  CHECK(allocations - before >= (FEATHERLINE_COUNTS_MALLOC ? 2 : 1));
}

TEST_CASE("no function asks for memory") {
  Arrays<double> arrays, pendulum_arrays;
  Arrays<float> float_arrays;
  const auto planar = planar3_calls(arrays);
  const auto planar_float = planar3_calls(float_arrays);
  const auto pendulum = double_pendulum_calls(pendulum_arrays);
  CHECK(allocations_during(planar) == 0);
  CHECK(allocations_during(planar_float) == 0);
  CHECK(allocations_during(pendulum) == 0);
  // A function that is emitted but not run above would go unnoticed.
  CHECK(names_of(planar) == emitted_functions("planar3"));
  CHECK(names_of(pendulum) == emitted_functions("double_pendulum"));
}

TEST_CASE("a step with contacts and limits of joints asks for no memory, and is solved") {
  double q[arm6::nq] = {0.3, -0.5, 0.7, 0.1, 0.4, 0.2}, v[arm6::nv] = {};
  const double tau[arm6::nv] = {}, forces[6] = {}, p[arm6::num_parameters] = {0.0, 0.0, -9.81},
               ground[6] = {-0.001, 0.25, 0.5, 1.0, 0.4, 0.0};
  q[2] = arm6::joints[2].upper + 0.01;
  double q_next[arm6::nq], v_next[arm6::nv], impulse[3], pushes[arm6::nv], status[arm6::num_status_entries];
  const long before = allocations;
  arm6::contact_step(q, v, tau, forces, p, 0.001, ground, q_next, v_next, impulse, pushes, status);
  CHECK(allocations == before);
  CHECK(status[1] > 0.0);   // iterations: the point touches
  CHECK(status[2] == 0.0);  // solved
  CHECK(std::abs(q_next[2] - arm6::joints[2].upper) < 1e-9);
  CHECK(pushes[2] < 0.0);
}

TEST_CASE("steps with contacts and their derivatives ask for no memory, and have values") {
  namespace robot = touching_arm;
  constexpr int nv = robot::nv, points = robot::num_constraints;
  double q[robot::nq] = {}, p[robot::num_parameters];
  std::copy(std::begin(robot::neutral), std::end(robot::neutral), q);
  std::copy(std::begin(robot::parameter_defaults), std::end(robot::parameter_defaults), p);
  const double v[nv] = {0.3, 0.1, -0.5, 0.2, 0.1, 0.4}, tau[nv] = {},
               ground[6 * points] = {0.0, 0.0, 0.1, 1.0, 0.4, 0.0, 1e-4, 0.1, 0.2, 1.0, 0.7, 0.0};
  constexpr double dt = 1e-3;
  double q_next[robot::nq], v_next[nv], start[3 * points], impulse[3 * points],
      status[robot::num_status_entries], A[4 * nv * nv], B[2 * nv * nv], by_points[3][2 * nv * points],
      by_parameters[2 * nv * robot::num_parameters];
  const long before = allocations;
  robot::contact_step(q, v, tau, p, dt, ground, q_next, v_next, start, status);
  CHECK(status[4] > 0.0);  // it touches
  robot::contact_step_warm(q, v, tau, p, dt, ground, start, q_next, v_next, impulse, status);
  CHECK(status[2] == 0.0);
  robot::contact_step_derivatives(q, v, tau, p, dt, ground, A, B);
  robot::contact_step_parameter_derivatives(q, v, tau, p, dt, ground, by_points[0], by_points[1],
                                            by_points[2]);
  robot::contact_step_sensitivities(q, v, tau, p, dt, ground, by_parameters);
  CHECK(allocations == before);
  start[0] = std::numeric_limits<double>::quiet_NaN();  // counts as no start
  robot::contact_step(q, v, tau, p, dt, ground, q_next, v_next, impulse, status);
  double other[nv];
  robot::contact_step_warm(q, v, tau, p, dt, ground, start, q_next, other, impulse, status);
  CHECK(std::equal(other, other + nv, v_next));
  for (const double* x : {A, B, by_points[0], by_parameters}) CHECK(std::isfinite(x[nv]));
  CHECK(by_parameters[nv] != 0.0);  // gravity moves the trunk
}

TEST_CASE("prepare finds the code of its function, asks for no memory and changes nothing") {
  Arrays<double> y;
  for (auto& x : y.x) std::fill(std::begin(x), std::end(x), 7.0);
  const Arrays<double> given = y;
  const long before = allocations;
  planar3::prepare::aba_derivatives(y.q, y.v, y.tau, y.x[0], y.x[1], y.x[2]);
  CHECK(allocations == before);
  CHECK(std::memcmp(&y, &given, sizeof y) == 0);
#if FEATHERLINE_CODE_MARKS
  // The linker has the code of a function in one piece, so its begin is in the piece that its end is in.
  void (*const function)(const double*, const double*, const double*, double*, double*, double*) =
      planar3::aba_derivatives<double>;
  const auto begin = reinterpret_cast<std::uintptr_t>(function);
  std::uintptr_t longest = 0;
  bool found = false;
  planar3::detail::aba_derivatives_code::with_marks<double>([&](const auto* mark, const auto* end) {
    featherline::detail::for_each_piece(mark, end, [&](std::uintptr_t first, std::uintptr_t last) {
      found = found || (first - begin < featherline::line_bytes && last > begin);
      longest = std::max(longest, last - first);
    });
  });
  CHECK(found);
  CHECK(longest > 500);      // some hundred operations
  CHECK(longest < 1 << 16);  // and not the code of others
#endif
}

TEST_CASE("a rollout is one step after the other") {
  Arrays<double> y;
  planar3::rollout(y.q, y.v, y.tau, 0.01, 4, y.x[0], y.x[1]);
  double q[3], v[3], q_next[3], v_next[3];
  std::copy_n(y.q, 3, q);
  std::copy_n(y.v, 3, v);
  for (int k = 0; k < 4; ++k) {
    planar3::step(q, v, y.tau + 3 * k, 0.01, q_next, v_next);
    std::copy_n(q_next, 3, q);
    std::copy_n(v_next, 3, v);
    CHECK(std::memcmp(q, y.x[0] + 3 * k, sizeof q) == 0);
    CHECK(std::memcmp(v, y.x[1] + 3 * k, sizeof v) == 0);
  }
  const Eigen::Map<const Eigen::Vector3d> q_0(y.q), v_0(y.v);
  const Eigen::Map<const Eigen::Matrix3Xd> all(y.x[0], 3, 4), tau(y.tau, 3, 4);
  Eigen::MatrixXd q_all, v_all, wide = tau.replicate(2, 1);
  planar3::eigen::rollout(q_0, v_0, tau, 0.01, q_all, v_all);
  CHECK(q_all == all);
  planar3::eigen::rollout(q_0, v_0, wide.topRows<3>(), 0.01, wide.bottomRows<3>(), v_all);
  CHECK(wide.bottomRows<3>() == all);
  y.x[0][0] = 7.0;
  planar3::rollout(y.q, y.v, y.tau, 0.01, 0, y.x[0], y.x[1]);
  CHECK(y.x[0][0] == 7.0);
}

/// The same bits as the last column of rollout: both have the same statements.
TEST_CASE_TEMPLATE("the end of a rollout, and the state itself where there are no steps", S, double, float) {
  Arrays<S> y;
  S all[2][15], q[3], v[3];
  for (int steps = 1; steps <= 5; ++steps) {
    planar3::rollout(y.q, y.v, y.tau, S(0.01), steps, all[0], all[1]);
    planar3::rollout_end(y.q, y.v, y.tau, S(0.01), steps, q, v);
    CHECK(std::memcmp(q, all[0] + 3 * (steps - 1), sizeof q) == 0);
    CHECK(std::memcmp(v, all[1] + 3 * (steps - 1), sizeof v) == 0);
  }
  using Vector = Eigen::Matrix<S, 3, 1>;
  const Eigen::Map<const Vector> q_0(y.q), v_0(y.v);
  const Eigen::Map<const Eigen::Matrix<S, 3, Eigen::Dynamic>> tau(y.tau, 3, 5);
  Vector q_end, v_end;
  planar3::eigen::rollout_end(q_0, v_0, tau, S(0.01), q_end, v_end);
  CHECK(q_end == Eigen::Map<const Vector>(q));
  CHECK(v_end == Eigen::Map<const Vector>(v));
  planar3::eigen::rollout_end(q_0, v_0, tau.leftCols(0), S(0.01), q_end, v_end);
  CHECK(q_end == q_0);
  CHECK(v_end == v_0);
  for (const int none : {0, -1}) {
    planar3::rollout_end(y.q, y.v, static_cast<const S*>(nullptr), S(0.01), none, q, v);
    CHECK(std::memcmp(q, y.q, sizeof q) == 0);
    CHECK(std::memcmp(v, y.v, sizeof v) == 0);
  }
  y.q[1] = std::numeric_limits<S>::quiet_NaN();
  planar3::rollout_end(y.q, y.v, y.tau, S(0.01), 2, q, v);
  CHECK(std::isnan(v[0]));
}

TEST_CASE("two robots in one program do not mix") {
  static_assert(planar3::nv == 3 && double_pendulum::nv == 8 && double_pendulum::nq == 9);
  Arrays<double> y;
  planar3::mass_matrix(y.q, y.x[0]);
  double_pendulum::mass_matrix(y.q, y.x[1]);
  CHECK(y.x[0][0] > 0.0);
  CHECK(y.x[1][0] == doctest::Approx(2.0));  // the mass of all bodies, for a floating base
}
