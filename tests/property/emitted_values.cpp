// What the generator emits with default options, run by the interpreter, against the values of an independent library.
#include "expected_values.hpp"
#include "ir/interpreter.hpp"
#include "support/as_emitted.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

namespace property::emitted_values {

using namespace featherline;
using Eigen::VectorXd;

namespace {

constexpr double tolerance = 1e-10;

using Arrays = std::vector<std::vector<double>>;

Robot read(const test::ReferenceFile& file) {
  Diagnostics findings;
  Options options;
  options.build.floating_base = file.floating_base;
  options.build.mimic_independent = true;
  return read_robot(file.urdf.string(), options, findings);
}

VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

const VectorXd& named(const std::vector<std::pair<std::string, VectorXd>>& values, const std::string& name) {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
  REQUIRE(found != values.end());
  return found->second;
}

/// The form without structural zeros leaves entries as they are, or writes the dense form's value. Returns how many it
/// leaves. All of them are zeros of the dense form.
int count_untouched(const ir::Kernel& kernel, const Arrays& inputs, const Arrays& dense) {
  constexpr double sentinel = 7.25;
  Arrays before;
  for (const std::vector<double>& array : dense) before.emplace_back(array.size(), sentinel);
  const Arrays found = ir::KernelInterpreter<>(kernel, inputs).run_nonzeros(before);
  int count = 0, wrong = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (std::size_t i = 0; i < found[k].size(); ++i) {
      const bool untouched = found[k][i] == sentinel;
      count += untouched ? 1 : 0;
      wrong += dense[k][i] == (untouched ? 0.0 : found[k][i]) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  return count;
}

/// The outputs of the kernel by name; of the Coriolis matrix, which is not unique, also its product with v.
std::map<std::string, VectorXd> run(const LoweredFunction& request, const test::Expected& expected) {
  const ir::Kernel& kernel = request.kernel;
  Arrays inputs;
  for (const ir::Buffer& input : kernel.inputs) {
    const VectorXd& value = named(expected.inputs, input.name);
    inputs.emplace_back(value.begin(), value.end());
  }
  const Arrays arrays = ir::KernelInterpreter<>(kernel, inputs).run();
  if (kernel.has_nonzeros_form()) CHECK(count_untouched(kernel, inputs, arrays) > 0);
  std::map<std::string, VectorXd> outputs;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    outputs[request.spec->outputs[k].name] = vector_of(arrays[k]);
  if (expected.function == "coriolis_matrix") {
    const VectorXd& v = named(expected.inputs, "v");
    const VectorXd& C = outputs.at("C");
    outputs["C v"] = Eigen::Map<const Eigen::MatrixXd>(C.data(), v.size(), v.size()) * v;
  }
  return outputs;
}

std::vector<std::string> functions_of(const test::ReferenceFile& file) {
  std::vector<std::string> names;
  for (const test::Expected& expected : test::expected_values(file, file.samples.front()))
    names.push_back(expected.function);
  return names;
}

}  // namespace

TEST_CASE("every function agrees with the independent library at 1e-10") {
  std::map<std::string, int> compared;
  double worst = 0.0;
  std::string where;
  for (const test::ReferenceFile& file : test::load_references()) {
    CAPTURE(file.name);
    Options options;
    options.functions = functions_of(file);
    const std::vector<LoweredFunction> requests = test::lower_as_emitted(read(file), options);
    CHECK(requests.size() == options.functions.size());
    for (const test::ReferenceSample& sample : file.samples) {
      const std::vector<test::Expected> all = test::expected_values(file, sample);
      for (const LoweredFunction& request : requests) {
        const std::string& function = request.spec->name;
        CAPTURE(function);
        const auto expected =
            std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.function == function; });
        REQUIRE(expected != all.end());
        const std::map<std::string, VectorXd> outputs = run(request, *expected);
        for (const auto& [name, values] : expected->outputs) {
          const auto& which = name;
          CAPTURE(which);
          REQUIRE(outputs.count(name) == 1);
          const double error = test::relative_error(outputs.at(name), values);
          CHECK(error <= tolerance);
          if (error > worst) worst = error, where = file.name + " " + function + " " + name;
        }
        ++compared[function];
      }
    }
  }
  MESSAGE("largest error " << worst << ": " << where);
  CHECK(compared.size() == 20);
  for (const auto& [function, count] : compared) {
    const auto& in_function = function;
    CAPTURE(in_function);
    CHECK(count >= 8);
  }
}

}  // namespace property::emitted_values
