// External forces, gravity and payloads as inputs against the values of an independent library: the reference solver,
// what the generator emits, run by the interpreter, and of two robots the emitted text, compiled.
#include "ir/interpreter.hpp"
#include "reference/solver.hpp"
#include "support/as_emitted.hpp"
#include "support/derivatives.hpp"
#include "support/reference_values.hpp"
#include "support/relative_error.hpp"
#include "unit/emit/compile.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace property::chosen_inputs_values {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double tolerance = 1e-10;
/// The library's derivatives of external forces are differences of sixth order.
constexpr double tolerance_of_differences = 1e-9;

const std::vector<std::string> functions{"rnea", "mass_matrix", "aba", "rnea_derivatives"};

using Sample = std::map<std::string, VectorXd>;

/// A function at chosen inputs, and what its first output has to be.
struct Expected {
  std::string function;
  reference::State state;
  VectorXd values;
  double tolerance;
};

VectorXd transposed(const VectorXd& row_major, Eigen::Index n) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const MatrixXd A = Eigen::Map<const RowMajor>(row_major.data(), n, n);
  return Eigen::Map<const VectorXd>(A.data(), A.size());
}

/// The inputs are forces on all frames, gravity, and a payload on the first frame and on another.
std::vector<Expected> expected_values(const Sample& s, int nv) {
  const auto state = [&](const VectorXd& fext, const VectorXd& payload) {
    reference::State x;
    x.q = s.at("q"), x.v = s.at("v"), x.a = s.at("a"), x.tau = s.at("tau_in");
    x.fext = fext;
    x.p = VectorXd::Zero(23);
    x.p[2] = -9.81;
    x.p.segment<10>(3) = payload;
    return x;
  };
  const VectorXd no_payload = VectorXd::Zero(10), no_forces = VectorXd::Zero(s.at("fext").size());
  const reference::State plain = state(no_forces, no_payload), pushed = state(s.at("fext"), no_payload),
                         loaded = state(no_forces, s.at("payload"));
  return {{"rnea", plain, s.at("tau_rnea"), tolerance},
          {"aba", plain, s.at("ddq_aba"), tolerance},
          {"mass_matrix", plain, transposed(s.at("M"), nv), tolerance},
          {"rnea", pushed, s.at("tau_fext"), tolerance},
          {"aba", pushed, s.at("ddq_fext"), tolerance},
          {"rnea_derivatives", pushed, transposed(s.at("dtau_dq_fext"), nv), tolerance_of_differences},
          {"rnea", loaded, s.at("tau_payload"), tolerance},
          {"aba", loaded, s.at("ddq_payload"), tolerance},
          {"mass_matrix", loaded, transposed(s.at("M_payload"), nv), tolerance}};
}

Options options_for(const test::NamedReferenceFile& file) {
  Options options = test::only(functions);
  options.build.floating_base = file.floating_base;
  options.build.mimic_independent = true;
  options.external_forces = file.frames;
  options.parameters = {"gravity", "payload:" + file.frames[0], "payload:" + file.frames[1]};
  return options;
}

Robot read(const test::NamedReferenceFile& file) {
  Diagnostics findings;
  return read_robot(file.urdf.string(), options_for(file), findings);
}

/// Where `found` says what a function gives, all values of the file are compared.
template <class Found>
void compare(const test::NamedReferenceFile& file, const std::string& what, const Found& found) {
  double worst = 0.0;
  for (const Sample& sample : file.samples) {
    for (const Expected& expected : expected_values(sample, file.nv)) {
      CAPTURE(expected.function);
      const double error = test::relative_error(found(expected.function, expected.state), expected.values);
      CHECK(error <= expected.tolerance);
      worst = std::max(worst, error);
    }
  }
  MESSAGE(file.name << ", " << what << ": largest error " << worst);
}

VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Compiled code of the functions, which prints their first outputs.
class Compiled {
 public:
  explicit Compiled(const test::NamedReferenceFile& file) : robot_(read(file)) {
    const Emission emission = emit_robot(robot_, options_for(file));
    folder_.write(emission.files);
    folder_.write("main.cpp", main_of(emission.name));
    std::string sources;
    for (const std::string& function : functions) sources += " " + emission.name + "_" + function + ".cpp";
    compile::run(folder_, compile::compilers().front() + " -O1" + compile::warning_flags() + sources +
                              " main.cpp -o run");
  }

  VectorXd run(const std::string& function, const reference::State& x) const {
    std::string values;
    for (const VectorXd* input : {&x.q, &x.v, &x.a, &x.tau, &x.fext, &x.p})
      values += fmt::format("{:.17g}\n", fmt::join(input->begin(), input->end(), " "));
    folder_.write("inputs.txt", values);
    std::istringstream printed(compile::run(folder_, "./run " + function + " < inputs.txt"));
    std::vector<double> numbers;
    for (double number; printed >> number;) numbers.push_back(number);
    return vector_of(numbers);
  }

 private:
  std::string main_of(const std::string& name) const {
    return "#include <cstdio>\n#include <cstring>\n#include \"" + name + ".hpp\"\nusing namespace " + name +
           R"(;
static double q[nq], v[nv], a[nv], tau[nv], fext[6 * num_external_forces], p[num_parameters];
static double outputs[2][nv * nv];
template <int N> bool read(double (&values)[N]) {
  for (double& x : values) {
    if (std::scanf("%lf", &x) != 1) return false;
  }
  return true;
}
int main(int, char** arguments) {
  if (!(read(q) && read(v) && read(a) && read(tau) && read(fext) && read(p))) return 1;
  const char* function = arguments[1];
  int size = nv;
  if (std::strcmp(function, "rnea") == 0) rnea(q, v, a, fext, p, outputs[0]);
  if (std::strcmp(function, "aba") == 0) aba(q, v, tau, fext, p, outputs[0]);
  if (std::strcmp(function, "mass_matrix") == 0) mass_matrix(q, p, outputs[0]), size = nv * nv;
  if (std::strcmp(function, "rnea_derivatives") == 0)
    rnea_derivatives(q, v, a, fext, p, outputs[0], outputs[1]), size = nv * nv;
  for (int k = 0; k < size; ++k) std::printf("%.17g\n", outputs[0][k]);
}
)";
  }

  Robot robot_;
  compile::Folder folder_;
};

}  // namespace

TEST_CASE("the reference solver agrees with the independent library at 1e-10") {
  for (const test::NamedReferenceFile& file : test::load_named_references()) {
    CAPTURE(file.name);
    const Robot robot = read(file);
    compare(file, "reference solver", [&](const std::string& function, const reference::State& x) {
      return vector_of(reference::find_outputs(function)->compute(robot.tree, x).front().values);
    });
  }
}

TEST_CASE("emitted functions agree with the independent library at 1e-10") {
  for (const test::NamedReferenceFile& file : test::load_named_references()) {
    CAPTURE(file.name);
    std::map<std::string, ir::Kernel> kernels;
    for (LoweredFunction& request : test::lower_as_emitted(read(file), options_for(file)))
      kernels[request.spec->name] = std::move(request.kernel);
    REQUIRE(kernels.size() == functions.size());
    compare(file, "emitted functions", [&](const std::string& function, const reference::State& x) {
      const ir::Kernel& kernel = kernels.at(function);
      return vector_of(ir::KernelInterpreter<>(kernel, verify::inputs_of(kernel, x)).run().front());
    });
  }
}

TEST_CASE("compiled functions agree with the independent library at 1e-10") {
  int compared = 0;
  for (const test::NamedReferenceFile& file : test::load_named_references()) {
    constexpr std::array compiled{"arm6.fixed", "quadruped.floating", "panda.fixed", "hyq.floating"};
    if (std::find(compiled.begin(), compiled.end(), file.name) == compiled.end()) continue;
    CAPTURE(file.name);
    const Compiled code(file);
    compare(file, "compiled",
            [&](const std::string& function, const reference::State& x) { return code.run(function, x); });
    ++compared;
  }
  CHECK(compared == 2);
}

}  // namespace property::chosen_inputs_values
