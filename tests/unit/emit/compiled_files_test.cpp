#include "compile.hpp"
#include "toy_robot.hpp"

#include "emit/identifiers.hpp"
#include "ir/interpreter.hpp"

using namespace featherline;

namespace {

constexpr double q0 = 0.4, q1 = -0.25;

/// Pose of each body by the definition of a joint, X_PB = placement * X_J(multiplier q + offset).
std::vector<model::Placement> body_poses(const model::CanonicalTree& tree) {
  std::vector<model::Placement> poses;
  for (const model::Body& body : tree.bodies) {
    const double x = body.joint.multiplier * (body.joint.idx_q == 0 ? q0 : q1) + body.joint.offset;
    model::Placement X_J;
    if (body.joint.type == model::JointType::prismatic) {
      X_J.p.z() = x;
    } else {
      X_J.R << std::cos(x), -std::sin(x), 0.0, std::sin(x), std::cos(x), 0.0, 0.0, 0.0, 1.0;
    }
    const model::Placement X_WP =
        body.parent < 0 ? model::Placement{} : poses[static_cast<std::size_t>(body.parent)];
    poses.push_back(X_WP * body.joint.placement * X_J);
  }
  return poses;
}

std::string expected_poses(const model::CanonicalTree& tree) {
  const std::vector<model::Placement> bodies = body_poses(tree);
  std::string text = "const double expected[][12] = {\n";
  for (const model::Link& link : tree.links) {
    const model::Placement X =
        link.body < 0 ? link.placement : bodies[static_cast<std::size_t>(link.body)] * link.placement;
    text += "  {";
    for (int k = 0; k < 9; ++k) text += emit::literal(X.R(k % 3, k / 3)) + ", ";
    for (int k = 0; k < 3; ++k) text += emit::literal(X.p(k)) + ", ";
    text += "},\n";
  }
  return text + "};\n";
}

std::string expected_dynamics() {
  std::string text = "const double expected_dynamics[] = {";
  for (const std::vector<double>& array : ir::evaluate(toy::dynamics_function(), {{q0, q1}, {1.5, -0.5}})) {
    for (const double value : array) text += emit::literal(value) + ", ";
  }
  return text + "};\n";
}

/// The dense function is computed by the packed one, as the pipeline asks for.
emit::Request with_batches(emit::Request request) {
  request.options.bindings.push_back("batch");
  const LoweredFunction& packed = request.functions.at(1);
  request.functions.at(0).batch_form = PackedForm{packed.kernel, *packed.packed_maps, {2, 4}};
  return request;
}

/// User code: two robots, their headers and their definitions in one file, three scalars, Eigen.
const char* const user_code = R"(
#include "arm.hpp"
#include "leg.hpp"
#include "expected.hpp"
#include "arm.ipp"
#include "leg.ipp"
#include "arm_eigen.hpp"
#include "leg_eigen.hpp"
#include "arm.h"
#include "leg.h"

#include <complex>
#include <cstdio>

namespace {

int failures = 0;
void check_near(double x, double y, double tolerance, const char* what) {
  if (std::abs(x - y) <= tolerance) return;
  std::printf("%s: %.17g, expected %.17g\n", what, x, y);
  ++failures;
}

using C = std::complex<double>;
constexpr double h = 1e-30;
constexpr int n = arm::nv;

void check_pose(arm::Link link) {
  const double q[] = {0.4, -0.25};
  const float q_float[] = {0.4F, -0.25F};
  double R[9], p[3];
  float R_float[9], p_float[3];
  arm::forward_kinematics(q, link, R, p);
  leg::forward_kinematics(q_float, static_cast<leg::Link>(link), R_float, p_float);
  const double* pose = expected[static_cast<int>(link)];
  for (int k = 0; k < 9; ++k) check_near(R[k], pose[k], 1e-15, "R");
  for (int k = 0; k < 3; ++k) check_near(p[k], pose[9 + k], 1e-15, "p");
  for (int k = 0; k < 3; ++k) check_near(static_cast<double>(p_float[k]), pose[9 + k], 1e-6, "p in float");
}

// Column by complex step on the pose: linear = dp/dq, angular from dR/dq R^T.
void check_jacobian(arm::Link link) {
  const double q[] = {0.4, -0.25};
  double J[6 * n], J_local[6 * n], J_world[6 * n];
  arm::frame_jacobian(q, link, J);
  arm::frame_jacobian(q, link, J_local, featherline::ReferenceFrame::local);
  arm::frame_jacobian(q, link, J_world, featherline::ReferenceFrame::world);
  for (int j = 0; j < n; ++j) {
    C q_step[] = {q[0], q[1]}, R[9], p[3];
    q_step[j] += C(0.0, h);
    arm::forward_kinematics(q_step, link, R, p);
    double W[9] = {};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) W[r + 3 * c] += R[r + 3 * k].imag() / h * R[c + 3 * k].real();
    const double w[] = {W[5], W[6], W[1]};
    const double* column = J + 6 * j;
    for (int k = 0; k < 3; ++k) check_near(column[k], p[k].imag() / h, 1e-14, "linear");
    for (int k = 0; k < 3; ++k) check_near(column[3 + k], w[k], 1e-14, "angular");
    for (int k = 0; k < 3; ++k) {
      double local[2] = {0.0, 0.0};
      for (int i = 0; i < 3; ++i) {
        local[0] += R[i + 3 * k].real() * column[i];
        local[1] += R[i + 3 * k].real() * column[3 + i];
      }
      check_near(J_local[6 * j + k], local[0], 1e-14, "local linear");
      check_near(J_local[6 * j + 3 + k], local[1], 1e-14, "local angular");
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      const double at_origin = column[k] - (w[a] * p[b].real() - w[b] * p[a].real());
      check_near(J_world[6 * j + k], at_origin, 1e-14, "world linear");
      check_near(J_world[6 * j + 3 + k], w[k], 1e-14, "world angular");
    }
  }
}

void check_dynamics() {
  const double q[] = {0.4, -0.25}, v[] = {1.5, -0.5};
  double tau[2], M[4];
  arm::toy_dynamics(q, v, tau, M);
  for (int k = 0; k < 2; ++k) check_near(tau[k], expected_dynamics[k], 1e-15, "tau");
  for (int k = 0; k < 4; ++k) check_near(M[k], expected_dynamics[2 + k], 1e-14, "M");
  arm::toy_constants(q, tau);
  check_near(tau[0], 0.0, 0.0, "constant");
  check_near(tau[1], -9.81, 0.0, "constant");
  const C q_complex[] = {q[0], q[1]}, v_complex[] = {v[0], v[1]};
  C tau_complex[2], M_complex[4];
  leg::toy_dynamics(q_complex, v_complex, tau_complex, M_complex);
  check_near(tau_complex[1].real(), expected_dynamics[1], 1e-15, "complex tau");
}

// M is diagonal: what stands beside the diagonal stays.
void check_nonzeros() {
  const double q[] = {0.4, -0.25}, v[] = {1.5, -0.5};
  double tau[2], M[4] = {1.0, 2.0, 3.0, 4.0}, M_of_c[4] = {1.0, 2.0, 3.0, 4.0};
  arm::toy_dynamics_nonzeros(q, v, tau, M);
  arm_toy_dynamics_nonzeros(q, v, tau, M_of_c);
  Eigen::Matrix2d M_of_eigen;
  M_of_eigen << 1.0, 3.0, 2.0, 4.0;
  Eigen::Matrix<double, 2, 2, Eigen::RowMajor> row_major = M_of_eigen;
  Eigen::MatrixXd empty;
  Eigen::Vector2d torque;
  const Eigen::Map<const Eigen::Vector2d> q_of_eigen(q), v_of_eigen(v);
  arm::eigen::toy_dynamics_nonzeros(q_of_eigen, v_of_eigen, torque, M_of_eigen);
  arm::eigen::toy_dynamics_nonzeros(q_of_eigen, v_of_eigen, torque, row_major);
  arm::eigen::toy_dynamics_nonzeros(q_of_eigen, v_of_eigen, torque, empty);
  for (int k = 0; k < 4; ++k) {
    const double value = k % 3 == 0 ? expected_dynamics[2 + k] : k + 1.0;
    check_near(M[k], value, 1e-14, "non-zeros");
    check_near(M_of_c[k], value, 1e-14, "non-zeros in C");
    check_near(M_of_eigen(k % 2, k / 2), value, 1e-14, "non-zeros of Eigen");
    check_near(row_major(k % 2, k / 2), value, 1e-14, "non-zeros of a RowMajor matrix");
    check_near(empty(k % 2, k / 2), expected_dynamics[2 + k], 1e-14, "non-zeros of an empty matrix");
  }
}

void check_packed() {
  const double q[] = {0.4, -0.25}, v[] = {1.5, -0.5};
  double packed_tau[2], packed_M[2], M[4] = {};
  arm::toy_dynamics_packed(q, v, packed_tau, packed_M);
  featherline::unpack(arm::toy_dynamics_packed_M, arm::toy_dynamics_packed_M_entries, packed_M, M);
  for (int k = 0; k < 4; ++k) check_near(M[k], expected_dynamics[2 + k], 1e-14, "unpacked M");
}

// Five states: too few for some vectors, more than one block of others.
void check_batch() {
  constexpr int count = 5;
  double q[count * n], v[count * n], tau[count * n], M[count * n * n], R[count * 9], p[count * 3], J[count * 6 * n];
  for (int i = 0; i < count * n; ++i) {
    q[i] = 0.3 * i - 1.0;
    v[i] = 0.7 - 0.2 * i;
  }
  for (int set = 0; set < 3; ++set) {
    featherline::BatchOptions options;
    options.limit = static_cast<featherline::InstructionSet>(set);
    arm::batch::toy_dynamics(count, q, v, tau, M, options);
    arm::batch::forward_kinematics(count, q, arm::Link::class_link_2, R, p, options);
    arm::batch::frame_jacobian(count, q, arm::Link::class_link_2, J, featherline::ReferenceFrame::local, options);
    for (int k = 0; k < count; ++k) {
      double x[6 * n], y[9], z[3];
      arm::toy_dynamics(q + k * n, v + k * n, x, y);
      for (int i = 0; i < n; ++i) check_near(tau[k * n + i], x[i], 1e-14, "batch tau");
      for (int i = 0; i < n * n; ++i) check_near(M[k * n * n + i], y[i], 1e-14, "batch M");
      arm::forward_kinematics(q + k * n, arm::Link::class_link_2, y, z);
      for (int i = 0; i < 9; ++i) check_near(R[k * 9 + i], y[i], 1e-14, "batch R");
      for (int i = 0; i < 3; ++i) check_near(p[k * 3 + i], z[i], 1e-14, "batch p");
      arm::frame_jacobian(q + k * n, arm::Link::class_link_2, x, featherline::ReferenceFrame::local);
      for (int i = 0; i < 6 * n; ++i) check_near(J[k * 6 * n + i], x[i], 1e-14, "batch J");
    }
  }
}

void check_eigen() {
  const Eigen::Vector2d q(0.4, -0.25), v(1.5, -0.5);
  Eigen::Vector2d tau;
  Eigen::Matrix2d M;
  arm::eigen::toy_dynamics(q, v, tau, M);
  check_near(tau(1), expected_dynamics[1], 1e-15, "Eigen tau");
  check_near(M(1, 1), expected_dynamics[5], 1e-14, "Eigen M");
  Eigen::Matrix<double, 12, 1> state = Eigen::Matrix<double, 12, 1>::Zero();
  arm::eigen::toy_dynamics(q + 0.0 * v, state.segment<2>(4), tau, M);  // expressions and segments are inputs
  Eigen::Matrix<float, 6, leg::nv> J;
  leg::eigen::frame_jacobian(q.cast<float>(), leg::Link::class_link, J);
  check_near(static_cast<double>(J.norm()), 0.0, 0.0, "Eigen J of a link in the world");
}

void check_c() {
  const double q[] = {0.4, -0.25}, v[] = {1.5, -0.5};
  const float q_float[] = {0.4F, -0.25F};
  double tau[2], M[4];
  float R[9], p[3];
  arm_toy_dynamics(q, v, tau, M);
  for (int k = 0; k < 2; ++k) check_near(tau[k], expected_dynamics[k], 1e-15, "tau in C");
  check_near(leg_forward_kinematics_float(q_float, leg_LINK_class_link_2, R, p), 0.0, 0.0, "link in C");
  check_near(static_cast<double>(p[0]), expected[leg_LINK_class_link_2][9], 1e-6, "p in C");
  check_near(leg_forward_kinematics_float(q_float, leg_num_links, R, p), -1.0, 0.0, "no link in C");
}

}  // namespace

static_assert(arm_num_links == arm::num_links && arm_LINK_class_link_2 == static_cast<int>(arm::Link::class_link_2));
static_assert(arm::nq == 2 && arm::num_links == 8);
static_assert(arm::joints[1].type == featherline::JointType::prismatic);

int main() {
  for (int link = 0; link < arm::num_links; ++link) {
    check_pose(static_cast<arm::Link>(link));
    check_jacobian(static_cast<arm::Link>(link));
  }
  check_dynamics();
  check_packed();
  check_nonzeros();
  check_batch();
  check_eigen();
  check_c();
  return failures;
}
)";

const char* const second_user = R"(
#include "arm.hpp"  // alone: everything comes from the compiled files
void other_file(const double* q, double* R, double* p) {
  arm::forward_kinematics(q, arm::Link::class_link_2, R, p);
}
)";

emit::Request request_with_c_interface(const toy::Trees& trees, const std::string& name) {
  emit::Request request = toy::request(trees, name);
  request.options.bindings.push_back("c-api");
  return request;
}

}  // namespace

TEST_CASE("emitted files of two robots compile without a warning, link into one program and are right") {
  const toy::Trees trees = toy::trees();
  for (const std::string& compiler : compile::compilers()) {
    const compile::Folder folder;
    folder.write_together(emit::emit(with_batches(request_with_c_interface(trees, "arm"))).files);
    folder.write_together(emit::emit(request_with_c_interface(trees, "leg")).files);
    folder.write("expected.hpp", expected_poses(trees.traced) + expected_dynamics());
    folder.write("user.cpp", user_code);
    folder.write("second_user.cpp", second_user);
    compile::run(folder, compiler + compile::warning_flags() + " -O3 *.cpp -o user");
    compile::run(folder, "./user");
  }
}

TEST_CASE("a robot that cannot move compiles without a warning") {
  toy::Trees trees;
  trees.user.name = "statue";
  trees.user.links.resize(1);
  trees.traced.links.resize(1);
  emit::Request request = toy::request(trees, "statue");
  request.functions.erase(request.functions.begin(), request.functions.begin() + 3);
  request.options.bindings = {"c-api", "batch"};
  for (const std::string& compiler : compile::compilers()) {
    const compile::Folder folder;
    folder.write_together(emit::emit(request).files);
    compile::run(folder, compiler + compile::warning_flags() + " -O2 -c *.cpp");
  }
}

TEST_CASE("a runtime of another version is refused") {
  const toy::Trees trees = toy::trees();
  const compile::Folder folder;
  folder.write(emit::emit(toy::request(trees, "arm")).files);
  folder.write("user.cpp", "#include \"arm.hpp\"\n");
  compile::run(folder, "sed -i 's/runtime_matches(0, /runtime_matches(0, 99/' arm*pp");
  for (const std::string& compiler : compile::compilers()) {
    for (const char* source : {"user.cpp", "arm_toy_constants.cpp", "arm_frame_jacobian.cpp"}) {
      const std::string output = compile::run(folder, "if " + compiler + compile::warning_flags() +
                                                          " -fsyntax-only " + source + "; then false; fi");
      CHECK(output.find("use the runtime headers of that version") != std::string::npos);
    }
  }
}

TEST_CASE("a function with more arrays than Python's callers have room for does not compile") {
  const compile::Folder folder;
  folder.write("table.cpp",
               "#include <featherline/python_table.hpp>\n"
               "using namespace featherline::python;\n"
               "constexpr Array arrays[max_arrays + MORE] = {};\n"
               "extern const Function function;\n"
               "const Function function = {\"f\", \"\", arrays, false, false, false, {}, {}};\n");
  for (const std::string& compiler : compile::compilers()) {
    const std::string compiles = compiler + compile::warning_flags() + " -fsyntax-only table.cpp -DMORE=";
    compile::run(folder, compiles + "0");
    const std::string output = compile::run(folder, "if " + compiles + "1; then false; fi");
    CHECK(output.find("a function has more arrays than max_arrays") != std::string::npos);
  }
}
