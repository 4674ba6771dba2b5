// The Eigen view with what users have, and kinematics with the scalars of automatic differentiation.
#include "compile.hpp"
#include "toy_robot.hpp"

using namespace featherline;

namespace {

/// Eigen's assertions throw; `refused` counts on it.
const char* const prelude = R"(
#include <stdexcept>
#define eigen_assert(condition) \
  do { \
    if (!(condition)) throw std::runtime_error(#condition); \
  } while (false)
#define EIGEN_RUNTIME_NO_MALLOC
#include "arm_eigen.hpp"

#include <cstdio>
#include <string>

namespace {

int failures = 0;
void expect(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

constexpr double untouched = 7.25;
const Eigen::Vector2d q(0.4, -0.25), v(1.5, -0.5);
constexpr arm::Link link = arm::Link::class_link_2;

struct Expected {
  Eigen::Vector2d tau;
  Eigen::Matrix2d M;
  Eigen::Matrix<double, 6, 2> J;
  Eigen::Matrix3d R;
  Eigen::Vector3d p;
  Expected() {
    arm::toy_dynamics(q.data(), v.data(), tau.data(), M.data());
    arm::frame_jacobian(q.data(), link, J.data());
    arm::forward_kinematics(q.data(), link, R.data(), p.data());
  }
};
const Expected expected;

template <class X>
bool is_torque(const Eigen::DenseBase<X>& x) {
  return x.size() == 2 && x.derived().coeff(0) == expected.tau(0) && x.derived().coeff(1) == expected.tau(1);
}
template <class X>
bool is_jacobian(const Eigen::MatrixBase<X>& x) {
  return x.rows() == 6 && x.cols() == 2 && x == expected.J;
}

/// Everything beside the block is as it was.
template <class X>
bool is_only_jacobian(const X& big, Eigen::Index row, Eigen::Index column) {
  X other = X::Constant(big.rows(), big.cols(), untouched);
  other.template block<6, 2>(row, column) = expected.J;
  return big == other;
}
)";

const char* const view_program = R"(
template <class Tau>
void torque_into(const char* what, Tau&& tau) {
  Eigen::MatrixXd M;
  arm::eigen::toy_dynamics(q, v, std::forward<Tau>(tau), M);
  expect(is_torque(tau), what);
}

void check_output_vectors() {
  Eigen::Vector2d fixed;
  Eigen::VectorXd dynamic(2), empty;
  Eigen::RowVectorXd row(2);
  Eigen::ArrayXd array(2);
  Eigen::MatrixXd column(2, 1), nothing;
  torque_into("Vector2d", fixed);
  torque_into("VectorXd", dynamic);
  torque_into("empty VectorXd", empty);
  torque_into("RowVectorXd", row);
  torque_into("ArrayXd", array);
  torque_into("MatrixXd of one column", column);
  torque_into("empty MatrixXd", nothing);
  torque_into("Ref", Eigen::Ref<Eigen::VectorXd>(dynamic));
  torque_into("transposed", fixed.transpose());

  Eigen::VectorXd x = Eigen::VectorXd::Constant(7, untouched);
  torque_into("segment<2>", x.segment<2>(1));
  torque_into("segment", x.segment(4, 2));
  expect(x(0) == untouched && x(3) == untouched && x(6) == untouched, "beside segments");
  x.setConstant(untouched);
  torque_into("map with a stride", Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<3>>(x.data() + 1, 2));
  torque_into("Ref with a stride",
              Eigen::Ref<Eigen::VectorXd, 0, Eigen::InnerStride<>>(
                  Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>>(x.data() + 2, 2, Eigen::InnerStride<>(4))));
  expect(x(0) == untouched && x(3) == untouched && x(5) == untouched, "beside strides");
  torque_into("list of indices", x({5, 0}));

  Eigen::Matrix<double, 4, 3> A = Eigen::Matrix<double, 4, 3>::Constant(untouched);
  Eigen::Matrix<double, 4, 3, Eigen::RowMajor> B = A;
  torque_into("part of a row", A.row(1).head<2>());
  torque_into("part of a row of a RowMajor matrix", B.row(1).tail(2));
  torque_into("part of a column of a RowMajor matrix", B.col(0).segment<2>(2));
  torque_into("part of a diagonal", A.diagonal<1>());
  expect(A(2, 1) == untouched && A(0, 0) == expected.tau(0) * 0.0 + untouched, "beside rows");
}

void check_output_matrices() {
  Eigen::Matrix<double, 6, 2> fixed;
  Eigen::Matrix<double, 6, 2, Eigen::RowMajor> row_major;
  Eigen::Matrix<double, 6, Eigen::Dynamic> half(6, 2);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> row_major_dynamic;
  Eigen::MatrixXd dynamic(6, 2), empty;
  Eigen::Array<double, 6, 2> array;
  Eigen::Matrix<double, 2, 6> transposed;
  arm::eigen::frame_jacobian(q, link, fixed);
  arm::eigen::frame_jacobian(q, link, row_major);
  arm::eigen::frame_jacobian(q, link, half);
  arm::eigen::frame_jacobian(q, link, row_major_dynamic);
  arm::eigen::frame_jacobian(q, link, dynamic);
  arm::eigen::frame_jacobian(q, link, empty, featherline::ReferenceFrame::local_world_aligned);
  arm::eigen::frame_jacobian(q, link, array);
  arm::eigen::frame_jacobian(q, link, transposed.transpose());
  expect(is_jacobian(fixed), "fixed J");
  expect(is_jacobian(row_major), "RowMajor J");
  expect(is_jacobian(half), "J with dynamic columns");
  expect(is_jacobian(row_major_dynamic), "empty RowMajor J");
  expect(is_jacobian(dynamic), "dynamic J");
  expect(is_jacobian(empty), "empty J");
  expect(is_jacobian(array.matrix()), "J as an array");
  expect(is_jacobian(transposed.transpose()), "transposed J");

  Eigen::MatrixXd two_feet = Eigen::MatrixXd::Constant(12, 2, untouched);
  arm::eigen::frame_jacobian(q, link, two_feet.middleRows<6>(6));
  expect(is_only_jacobian(two_feet, 6, 0), "middleRows<6>");
  Eigen::Matrix<double, 9, 5> big = Eigen::Matrix<double, 9, 5>::Constant(untouched);
  arm::eigen::frame_jacobian(q, link, big.block<6, 2>(1, 2));
  expect(is_only_jacobian(big, 1, 2), "block of a fixed matrix");
  Eigen::MatrixXd wide = Eigen::MatrixXd::Constant(6, 4, untouched);
  arm::eigen::frame_jacobian(q, link, wide.middleCols(1, 2));
  expect(is_only_jacobian(wide, 0, 1), "middleCols, in place");
  Eigen::MatrixXd all = Eigen::MatrixXd::Constant(8, 4, untouched);
  Eigen::Ref<Eigen::MatrixXd> part = all.block(2, 1, 6, 2);
  arm::eigen::frame_jacobian(q, link, part);
  expect(is_only_jacobian(all, 2, 1), "Ref of a block");
  const std::array<int, 6> rows{5, 4, 3, 2, 1, 0};
  all.setConstant(untouched);
  arm::eigen::frame_jacobian(q, link, all(rows, Eigen::seqN(1, 2)));
  expect(all(5, 1) == expected.J(0, 0) && all(0, 2) == expected.J(5, 1) && all(6, 1) == untouched, "index lists");

  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  double memory[64];
  for (double& x : memory) x = untouched;
  Eigen::Map<Eigen::MatrixXd, 0, Strides> strided(memory + 1, 6, 2, Strides(25, 4));
  arm::eigen::frame_jacobian(q, link, strided);
  expect(is_jacobian(strided) && memory[0] == untouched && memory[2] == untouched && memory[50] == untouched,
         "map with two strides");
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> gaps(memory, 6, 2, Eigen::OuterStride<>(8));
  arm::eigen::frame_jacobian(q, link, gaps);
  expect(is_jacobian(gaps), "map with an outer stride");

  Eigen::Matrix4d pose = Eigen::Matrix4d::Identity();
  arm::eigen::forward_kinematics(q, link, pose.topLeftCorner<3, 3>(), pose.col(3).head<3>());
  expect(pose.topLeftCorner<3, 3>() == expected.R && pose.topRightCorner(3, 1) == expected.p &&
             pose.row(3) == Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0),
         "parts of a 4 x 4 matrix");
}

template <class Q, class V>
void torque_from(const char* what, const Q& positions, const V& velocities) {
  Eigen::Vector2d tau;
  Eigen::Matrix2d M;
  arm::eigen::toy_dynamics(positions, velocities, tau, M);
  expect(is_torque(tau) && M == expected.M, what);
}

void check_inputs() {
  const Eigen::VectorXd dynamic = q;
  const Eigen::Vector2d zero = Eigen::Vector2d::Zero();
  Eigen::Matrix<double, 5, 3> A = Eigen::Matrix<double, 5, 3>::Zero();
  A.row(2).tail<2>() = q.transpose();
  A.col(0).head<2>() = v;
  const Eigen::Matrix<double, 5, 3, Eigen::RowMajor> B = A;
  torque_from("VectorXd", dynamic, Eigen::MatrixXd(v));
  torque_from("sums and products", q + zero, Eigen::Matrix2d::Identity() * v);
  torque_from("row and column", A.row(2).tail<2>(), A.col(0).head(2));
  torque_from("row and column of a RowMajor matrix", B.row(2).tail<2>(), B.col(0).head(2));
  torque_from("transposed and array", q.transpose(), v.array());
  torque_from("blocks of one column", A.block(2, 1, 1, 2).transpose(), A.block(0, 0, 2, 1));
  torque_from("maps", Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<5>>(&A(2, 1), 2),
              Eigen::Map<const Eigen::Vector2d>(v.data()));
  torque_from("lists of indices", q({0, 1}), v.reverse().reverse());
  Eigen::Vector2f tau;
  Eigen::Matrix2f M;
  arm::eigen::toy_dynamics(q.cast<float>(), v.cast<float>(), tau, M);
  expect((tau.cast<double>() - expected.tau).norm() < 1e-6, "float");
}

template <class Call>
void refused(const char* what, const Call& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    expect(text.find("put has the size that the function") != text.npos, what);
    return;
  }
  expect(false, what);
}

void check_wrong_sizes() {
  Eigen::VectorXd three = Eigen::VectorXd::Constant(3, untouched), tau(2);
  Eigen::MatrixXd M(2, 2), J = Eigen::MatrixXd::Constant(12, 2, untouched), turned(2, 6);
  refused("long q", [&] { arm::eigen::toy_dynamics(three, v, tau, M); });
  refused("short v", [&] { arm::eigen::toy_dynamics(q, tau.head(1), tau, M); });
  refused("q in a row of a matrix", [&] { arm::eigen::toy_dynamics(Eigen::MatrixXd(1, 2), v, tau, M); });
  refused("long tau", [&] { arm::eigen::toy_dynamics(q, v, three, M); });
  refused("empty segment", [&] { arm::eigen::toy_dynamics(q, v, three.head(0), M); });
  refused("large M", [&] { arm::eigen::toy_dynamics(q, v, tau, J); });
  refused("block of five rows", [&] { arm::eigen::frame_jacobian(q, link, J.middleRows(0, 5)); });
  refused("J and its block", [&] { arm::eigen::frame_jacobian(q, link, J); });
  refused("transposed J", [&] { arm::eigen::frame_jacobian(q, link, turned); });
  expect(three == Eigen::Vector3d::Constant(untouched) && J.minCoeff() == untouched && J.maxCoeff() == untouched,
         "refused outputs stay as they were");
}

void check_places() {
  namespace view = featherline::eigen_view;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(12, 4);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(9);
  Eigen::Matrix<double, 6, 4> wide = Eigen::Matrix<double, 6, 4>::Zero();
  Eigen::Map<Eigen::MatrixXd> map(J.data(), 6, 2);
  expect(view::output<double, 12, 4>(J).argument() == J.data(), "J in place");
  expect(view::output<double, 12, 2>(J.middleCols(1, 2)).argument() == &J(0, 1), "middleCols in place");
  expect(view::output<double, 6, 2>(wide.middleCols<2>(2)).argument() == &wide(0, 2), "fixed middleCols in place");
  expect(view::output<double, 6, 2>(map).argument() == J.data(), "map in place");
  expect(view::output<double, 6>(J.col(3).head<6>()).argument() == &J(0, 3), "part of a column in place");
  expect(view::output<double, 2>(x.segment(3, 2)).argument() == &x(3), "segment in place");
  expect(view::input<double, 2>(x.segment(3, 2)).argument() == &x(3), "input segment in place");
  expect(view::input<double, 2>(x.tail<2>().transpose()).argument() == &x(7), "transposed input in place");
  expect(view::output<double, 6, 2>(J.topLeftCorner<6, 2>()).argument() != J.data(), "corner copied");

  double energy = 0.0;
  Eigen::Matrix<double, 1, 1> energies(0.0);
  const auto seven = [](double* T) { *T = 7.0; };
  view::call(seven, view::output<view::Scalar<double&>, 1>(energy));
  view::call(seven, view::output<view::Scalar<Eigen::Matrix<double, 1, 1>&>, 1>(energies));
  expect(energy == 7.0 && energies.value() == 7.0, "an output of one entry as a number");
}

void check_memory() {
  Eigen::Matrix<double, 12, 2> two_feet;
  Eigen::Matrix<double, 6, 2, Eigen::RowMajor> row_major;
  Eigen::VectorXd tau(2);
  Eigen::MatrixXd M(2, 2), J(12, 2);
  Eigen::internal::set_is_malloc_allowed(false);
  arm::eigen::toy_dynamics(q + v, M.col(0), tau, M);
  arm::eigen::frame_jacobian(q.transpose(), link, two_feet.middleRows<6>(3));
  arm::eigen::frame_jacobian(q, link, J.middleRows<6>(3));
  arm::eigen::frame_jacobian(q, link, row_major);
  Eigen::internal::set_is_malloc_allowed(true);

  // Too large a copy for the stack.
  Eigen::MatrixXd big = Eigen::MatrixXd::Constant(301, 300, untouched);
  const auto fill = [](const double* x, double* y) {
    for (int i = 0; i < 300 * 300; ++i) y[i] = x[i % 300] + i;
  };
  namespace view = featherline::eigen_view;
  const Eigen::RowVectorXd large = Eigen::RowVectorXd::Zero(3000);
  using LargeCopy = view::Copy<double, 3000, 1>;
  static_assert(LargeCopy::RowsAtCompileTime == Eigen::Dynamic && sizeof(view::Copy<double, 40, 40>) == 12800);
  view::call(fill, view::input<double, 3000>(2.0 * large), view::output<double, 300, 300>(big.bottomRows(300)));
  expect(big(0, 7) == untouched && big(1, 0) == 0.0 && big(300, 299) == 89999.0, "copies on the heap");
}

}  // namespace

int main() {
  check_output_vectors();
  check_output_matrices();
  check_inputs();
  check_wrong_sizes();
  check_places();
  check_memory();
  return failures;
}
)";

/// What must not compile, and what the compiler then says.
const std::vector<std::pair<std::string, std::string>>& misuses() {
  static const std::vector<std::pair<std::string, std::string>> list{
      {"Eigen::Vector3d tau; arm::eigen::toy_constants(q, tau);",
       "an output of another size than the function gives"},
      {"Eigen::Vector2d tau; arm::eigen::toy_constants(q.head<1>(), tau);",
       "an input of another size than the function takes"},
      {"Eigen::Vector2f tau; arm::eigen::toy_constants(q, tau);", "inputs and outputs have one scalar type"},
      {"const Eigen::Vector2d tau; arm::eigen::toy_constants(q, tau);", "an output that is constant"},
      {"arm::eigen::toy_constants(q, Eigen::VectorXd(2));", "an output that is a temporary"},
      {"arm::eigen::toy_constants(q, q.head<2>());", "an output that cannot be written"},
  };
  return list;
}

const char* const differentiation_program = R"(
#include "arm.ipp"
#include "arm_eigen.hpp"

#include <unsupported/Eigen/AutoDiff>

#include <complex>
#include <cstdio>

namespace {

using C = std::complex<double>;
constexpr int n = arm::nv;
int failures = 0;

template <class A>
void compare(const char* what, const A& found, const C* by_step, int k) {
  const Eigen::VectorXd slopes = found.derivatives();
  for (int j = 0; j < n; ++j) {
    const double slope = slopes(j);
    const double expected = by_step[j].imag() / 1e-30;
    if (std::abs(slope - expected) <= 1e-14 && std::abs(found.value() - by_step[j].real()) <= 1e-14) continue;
    std::printf("%s[%d], d/dq%d: %.17g, expected %.17g\n", what, k, j, slope, expected);
    ++failures;
  }
}

/// Values and derivatives of an A against complex steps. Derivatives have a fixed size: with those of a dynamic one
/// Eigen 3.4 cannot add a product of two constants, which have none, to anything else.
template <class A>
void check(arm::Link link, featherline::ReferenceFrame frame) {
  const double q[] = {0.4, -0.25};
  C R_step[n][9], p_step[n][3], J_step[n][6 * n];
  for (int j = 0; j < n; ++j) {
    C q_step[] = {q[0], q[1]};
    q_step[j] += C(0.0, 1e-30);
    arm::forward_kinematics(q_step, link, R_step[j], p_step[j]);
    arm::frame_jacobian(q_step, link, J_step[j], frame);
  }
  Eigen::Matrix<A, n, 1> q_dual;
  for (int j = 0; j < n; ++j) q_dual(j) = A(q[j], n, j);
  Eigen::Matrix<A, 3, 3> R;
  Eigen::Matrix<A, 3, 1> p;
  Eigen::Matrix<A, 6, n> J;
  Eigen::Matrix<A, 12, n> J_below;
  arm::forward_kinematics(q_dual.data(), link, R.data(), p.data());
  arm::frame_jacobian(q_dual.data(), link, J.data(), frame);
  arm::eigen::frame_jacobian(q_dual, link, J_below.template middleRows<6>(3), frame);
  const auto at = [](const auto& steps, int k) {
    return std::array<C, n>{steps[0][k], steps[1][k]};
  };
  for (int k = 0; k < 9; ++k) compare("R", R(k), at(R_step, k).data(), k);
  for (int k = 0; k < 3; ++k) compare("p", p(k), at(p_step, k).data(), k);
  for (int k = 0; k < 6 * n; ++k) compare("J", J(k), at(J_step, k).data(), k);
  for (int k = 0; k < 6 * n; ++k) compare("J in a block", J_below(3 + k % 6, k / 6), at(J_step, k).data(), k);
}

template <class A>
void check_packed() {
  Eigen::Matrix<A, n, 1> q, v(A(1.5), A(-0.5)), tau, packed_tau;
  for (int j = 0; j < n; ++j) q(j) = A(j == 0 ? 0.4 : -0.25, n, j);
  Eigen::Matrix<A, n, n> M;
  Eigen::Matrix<A, 2, 1> packed_M;
  arm::eigen::toy_dynamics(q, v, tau, M);
  arm::eigen::toy_dynamics_packed(q, v, packed_tau, packed_M);
  A unpacked[n * n];
  featherline::unpack(arm::toy_dynamics_packed_M, arm::toy_dynamics_packed_M_entries, packed_M.data(), unpacked);
  for (const int k : {0, 3}) {
    if (unpacked[k].value() == M(k).value() && unpacked[k].derivatives() == M(k).derivatives()) continue;
    std::printf("unpacked M[%d]\n", k);
    ++failures;
  }
}

template <class A>
void check_all() {
  using featherline::ReferenceFrame;
  for (int link = 0; link < arm::num_links; ++link) {
    for (const ReferenceFrame frame :
         {ReferenceFrame::local_world_aligned, ReferenceFrame::local, ReferenceFrame::world})
      check<A>(static_cast<arm::Link>(link), frame);
  }
  check_packed<A>();
}

}  // namespace

int main() {
  check_all<Eigen::AutoDiffScalar<Eigen::Matrix<double, n, 1>>>();
  check_all<Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, n>>>();
  return failures;
}
)";

void write_robot(const compile::Folder& folder, const toy::Trees& trees) {
  emit::Request request = toy::request(trees, "arm");
  folder.write_together(emit::emit(request).files);
}

}  // namespace

TEST_CASE("the Eigen view takes what users have, in place where it can, and refuses wrong sizes") {
  const toy::Trees trees = toy::trees();
  const compile::Folder folder;
  write_robot(folder, trees);
  folder.write("user.cpp", std::string("#include <array>\n") + prelude + view_program);
  for (const std::string& compiler : compile::compilers()) {
    compile::run(folder, compiler + compile::warning_flags() + " -O0 -D_GLIBCXX_ASSERTIONS *.cpp -o user");
    compile::run(folder, "./user");
  }
}

// All at once: a compiler goes on after what it refuses, and says in which line that was used.
TEST_CASE("the Eigen view says what is wrong with a type") {
  const toy::Trees trees = toy::trees();
  const compile::Folder folder;
  write_robot(folder, trees);
  std::string source = "#include \"arm_eigen.hpp\"\n";
  for (const auto& [code, message] : misuses())
    source += "void use(const Eigen::Vector2d& q) { " + code + " }\nnamespace next {\n";
  folder.write("misuses.cpp", source + std::string(misuses().size(), '}') + "\n");
  for (const std::string& compiler : compile::compilers()) {
    const std::string output = compile::run(
        folder, "if " + compiler + compile::warning_flags() + " -fsyntax-only misuses.cpp; then false; fi");
    int line = 2;
    for (const auto& [code, message] : misuses()) {
      const std::string reported = code + "\n" + output;
      CHECK_MESSAGE(output.find(message) != std::string::npos, reported);
      const std::string place = "misuses.cpp:" + std::to_string(line) + ":";
      CHECK_MESSAGE(output.find(place) != std::string::npos, reported);
      line += 2;
    }
  }
}

TEST_CASE("kinematics take the expression templates of Eigen's AutoDiffScalar") {
  const toy::Trees trees = toy::trees();
  const compile::Folder folder;
  write_robot(folder, trees);
  folder.write("user.cpp", differentiation_program);
  for (const std::string& compiler : compile::compilers()) {
    compile::run(folder, compiler + compile::warning_flags() + " -O0 -D_GLIBCXX_ASSERTIONS user.cpp -o user");
    compile::run(folder, "./user");
  }
}
