#include "compile.hpp"

#include "emit/kernel_printer.hpp"
#include "ir/interpreter.hpp"
#include "passes/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace featherline;

namespace {

constexpr int num_inputs = 6;
constexpr int num_outputs = 40;

/// Random operations on random earlier values; every operation occurs, all values stay of order one.
class RandomFunction {
 public:
  explicit RandomFunction(unsigned seed) : random_(seed) {
    function_.name = "f";
    function_.inputs = {{"x", num_inputs}};
    function_.outputs = {{"y", num_outputs}};
    for (int i = 0; i < num_inputs; ++i) values_.push_back(function_.input(0, i));
  }

  /// The same with values of so many lanes between the scalars.
  RandomFunction(unsigned seed, int lanes) : RandomFunction(seed) {
    lanes_ = lanes;
    for (int i = 0; i < 3; ++i) wide_.push_back(function_.gather(0, entries()));
  }

  ir::Kernel make(int operations) {
    for (int i = 0; i < operations; ++i) {
      if (i % 25 == 0) function_.graph.begin_section("link " + std::to_string(i / 25) + " */");
      values_.push_back(lanes_ > 1 && i % 2 == 0 ? narrowed(wide_operation(pick(8))) : operation(pick(8)));
      if (i % 3 == 0) function_.name_value(values_.back(), "u" + std::to_string(pick(40)));
    }
    const int scalars = lanes_ > 1 ? num_outputs - 3 * lanes_ : num_outputs;
    for (int i = 0; i < scalars; ++i) function_.store(0, i, i == 7 ? ir::Scalar(0.0) : value());
    for (int row = 0; lanes_ > 1 && row < 3; ++row) {  // three rows, one column for each lane
      std::vector<int> entries;
      for (int k = 0; k < lanes_; ++k) entries.push_back(scalars + row + 3 * k);
      function_.scatter(0, entries, row == 1 ? -wide() : wide());
    }
    return std::move(function_);
  }

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  /// One of the last 30 values.
  ir::Scalar value() {
    const int back = pick(std::min(30, static_cast<int>(values_.size())));
    return values_[values_.size() - 1 - static_cast<std::size_t>(back)];
  }
  static ir::Scalar bounded(const ir::Scalar& x) { return x / (x * x + 1.5); }
  ir::Scalar operation(int kind) {
    switch (kind) {
      case 0:
        return bounded(value()) + value() * 0.5;
      case 1:
        return value() * 0.5 - (bounded(value()) - bounded(value()));
      case 2:
        return value() * bounded(value());
      case 3:
        return bounded(value());
      case 4:
        return pick(2) == 0 ? sqrt(bounded(value()) + 0.75) : atan(bounded(value()));
      case 5:
        return sin(function_.input(0, pick(num_inputs)) * 2.0 + 0.1);
      case 6:
        return cos(function_.input(0, pick(3)));
      default:
        return pick(3) == 0 ? pivot_inverse(bounded(value()) + 0.75, bounded(value()) + 0.75)
                            : -(value() * 0.7 - 1e-3) * bounded(value());
    }
  }

  std::vector<int> entries() {
    std::vector<int> list;
    for (int k = 0; k < lanes_; ++k) list.push_back((k + pick(2)) % num_inputs);
    return list;
  }
  ir::Scalar constants() {
    std::vector<double> list;
    for (int k = 0; k < lanes_; ++k) list.push_back(0.25 * pick(4));
    return ir::lane_numbers(function_.graph, list);
  }
  ir::Scalar wide() {
    return wide_[wide_.size() - 1 -
                 static_cast<std::size_t>(pick(std::min<int>(12, static_cast<int>(wide_.size()))))];
  }
  ir::Scalar wide_operation(int kind) {
    switch (kind) {
      case 0:
        return bounded(wide()) * constants() + value() * 0.5;
      case 1:
        return wide() * (value() * 0.25 - 0.5) - bounded(wide());
      case 2:
        return sin(function_.gather(0, entries()) * 2.0 + constants()) * wide();
      case 3:
        return cos(function_.gather(0, entries()));
      case 4:
        return pick(2) == 0 ? sqrt(bounded(wide()) + 0.75) : atan(bounded(wide()));
      case 5:
        return function_.gather(0, entries()) - constants();
      default:
        return pick(3) == 0 ? pivot_inverse(bounded(wide()) + 0.75, bounded(wide()) + 0.75)
                            : -(wide() * 0.7 - constants()) * bounded(wide());
    }
  }
  /// One lane of x, or the sum of all, which is kept for what follows.
  ir::Scalar narrowed(const ir::Scalar& x) {
    wide_.push_back(x);
    if (pick(4) == 0) function_.name_value(x, "w" + std::to_string(pick(10)));
    return pick(2) == 0 ? lane_sum(x, lanes_) * 0.25 : ir::lane(x, pick(lanes_));
  }

  std::mt19937 random_;
  ir::Kernel function_;
  std::vector<ir::Scalar> values_, wide_;
  int lanes_ = 1;
};

std::string number(double x) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%a", x);
  return text.data();
}

/// A value with a derivative: a scalar that no vector register holds. Its values are those of double.
const char* const dual_number = R"(
struct Dual {
  double value = 0.0, slope = 0.0;
  Dual() = default;
  Dual(double x) : value(x) {}
  Dual(double x, double dx) : value(x), slope(dx) {}
  explicit operator double() const { return value; }
};
inline Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
inline Dual operator*(const Dual& a, const Dual& b) { return {a.value * b.value, a.value * b.slope + a.slope * b.value}; }
inline Dual operator/(const Dual& a, const Dual& b) {
  return {a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
}
inline Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
inline bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
inline Dual sqrt(const Dual& a) { return {std::sqrt(a.value), 0.5 * a.slope / std::sqrt(a.value)}; }
inline Dual atan(const Dual& a) { return {std::atan(a.value), a.slope / (1.0 + a.value * a.value)}; }
inline Dual sin(const Dual& a) { return {std::sin(a.value), a.slope * std::cos(a.value)}; }
inline Dual cos(const Dual& a) { return {std::cos(a.value), -a.slope * std::sin(a.value)}; }
)";

/// A kernel, the scalar it is compiled for, and what it should give.
struct Case {
  ir::Kernel kernel;
  std::string scalar;
  std::vector<double> expected;
};

/// A program that prints the outputs of all cases for the given inputs, exactly. Most of what it costs to compile is
/// what it includes.
std::string source(const std::vector<Case>& cases, const std::vector<double>& x) {
  std::string includes =
      "#include <featherline/compiler.hpp>\n#include <featherline/sincos.hpp>\n#include <cmath>\n#include "
      "<cstdio>\n";
  std::string functions, calls;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto& [kernel, scalar, expected] = cases[k];
    const emit::PrintedKernel printed = emit::print_kernel(kernel, "f");
    includes += emit::includes_of(kernel, "f") + "\n";
    const std::string name = "case_" + std::to_string(k);
    functions +=
        "namespace " + name + " {\nnamespace detail {\nFEATHERLINE_CODE(f_code, " + std::to_string(k) +
        ", false);\n" + printed.internal +
        "}\ntemplate <class S> void f(const S* FEATHERLINE_RESTRICT x, S* FEATHERLINE_RESTRICT y) {\n" +
        printed.body + "\n}\n}\n";
    calls += "  print<" + scalar + ">(" + name + "::f<" + scalar + ">);\n";
  }
  std::string inputs;
  for (const double value : x) inputs += "S(" + number(value) + "), ";
  return includes + dual_number + functions +
         "template <class S> void print(void (*f)(const S*, S*)) {\n  const S x[] = {" + inputs +
         "};\n  S y[" + std::to_string(num_outputs) +
         "];\n  f(x, y);\n  for (const S& value : y) std::printf(\"%a\\n\", static_cast<double>(value));\n}\n"
         "int main() {\n" +
         calls + "}\n";
}

std::vector<double> in_float(const ir::Kernel& kernel, const std::vector<double>& x) {
  const std::vector<float> y = ir::KernelInterpreter<float>(kernel, {{x.begin(), x.end()}}).run().front();
  return {y.begin(), y.end()};
}

std::vector<double> parse(const std::string& output) {
  std::vector<double> values;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) values.push_back(std::strtod(line.c_str(), nullptr));
  return values;
}

/// What the printed kernels compute, one after the other, compiled without warnings.
std::vector<std::vector<double>> compiled(const std::vector<Case>& cases, const std::vector<double>& x,
                                          const std::string& compiler) {
  const compile::Folder folder;
  folder.write("f.cpp", source(cases, x));
  // One rounding per operation, and libm's sine as in the interpreter.
  compile::run(folder, compiler + compile::warning_flags() +
                           " -O1 -ffp-contract=off -DFEATHERLINE_SIMD_SINCOS=0 f.cpp -o f");
  const std::vector<double> values = parse(compile::run(folder, "./f"));
  REQUIRE(values.size() == cases.size() * num_outputs);
  std::vector<std::vector<double>> outputs;
  for (auto first = values.begin(); first != values.end(); first += num_outputs)
    outputs.emplace_back(first, first + num_outputs);
  return outputs;
}

const std::vector<double> inputs{0.3, -1.2, 0.7, 2.5, -0.4, 1.1};

}  // namespace

TEST_CASE("compiled text computes bit for bit what the interpreter computes") {
  struct Choice {
    int max_operations, lanes;
    std::string scalar = "double";
  };
  std::vector<Case> cases;
  for (const auto& [max_operations, lanes, scalar] : {Choice{100000, 1},
                                                      {17, 1},
                                                      {100000, 4},
                                                      {17, 4},
                                                      {17, 3},
                                                      {17, 8},
                                                      {17, 4, "float"},
                                                      {17, 5, "float"},
                                                      {17, 6, "Dual"}}) {
    const auto& in_lanes = lanes;
    CAPTURE(in_lanes);
    const auto& of_scalar = scalar;
    CAPTURE(of_scalar);
    passes::ScheduleOptions options;
    options.max_operations = max_operations;
    RandomFunction function = lanes == 1 ? RandomFunction(11) : RandomFunction(11, lanes);
    const ir::Kernel kernel = passes::schedule(function.make(300), options);
    CHECK(ir::KernelInterpreter<>(kernel, {inputs}).run() == ir::evaluate(kernel, {inputs}));
    if (max_operations == 17) REQUIRE(kernel.straight_lines().size() > 3);
    const std::vector<double> expected =
        scalar == "float" ? in_float(kernel, inputs) : ir::evaluate(kernel, {inputs}).front();
    for (const double value : expected) REQUIRE(std::isfinite(value));
    cases.push_back({kernel, scalar, expected});
  }
  for (const std::string& compiler : compile::compilers()) {
    const std::vector<std::vector<double>> outputs = compiled(cases, inputs, compiler);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      REQUIRE(cases[k].expected.size() == num_outputs);
      for (std::size_t i = 0; i < num_outputs; ++i)
        CHECK_MESSAGE(outputs[k][i] == cases[k].expected[i], compiler << ", case " << k << ", entry " << i);
    }
  }
}

TEST_CASE("loops over limbs compute what lanes compute, but for the order of sums") {
  std::vector<Case> cases;
  for (const int lanes : {2, 3, 4}) {
    passes::ScheduleOptions options;
    options.limb_loops = true;
    const ir::Kernel kernel = passes::schedule(RandomFunction(12, lanes).make(300), options);
    REQUIRE(kernel.straight_lines().front()->loops.size() > 3);
    const std::vector<double> expected = ir::evaluate(kernel, {inputs}).front();
    CHECK(ir::KernelInterpreter<>(kernel, {inputs}).run().front() == expected);
    cases.push_back({kernel, "double", expected});
  }
  for (const std::string& compiler : compile::compilers()) {
    const std::vector<std::vector<double>> outputs = compiled(cases, inputs, compiler);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      REQUIRE(cases[k].expected.size() == num_outputs);
      for (std::size_t i = 0; i < num_outputs; ++i) {
        const double expected = cases[k].expected[i];
        CHECK_MESSAGE(std::abs(outputs[k][i] - expected) <= 1e-12 * std::max(1.0, std::abs(expected)),
                      compiler << ", case " << k << ", entry " << i);
      }
    }
  }
}
