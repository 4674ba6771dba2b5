// Writes the test that compares every batch function of a robot with its scalar function, after the catalogue
// of functions: what is added there is tested here. Packed forms are not compared; batch_test.cpp has functions that
// repeat. Usage: write_comparison NAME FUNCTION|GROUP... > comparison_of_NAME.cpp

#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "support/argument_sizes.hpp"

#include <iostream>

using namespace featherline;

namespace {

/// "x.in[0], x.in[1], last_link, x.out[0]".
std::string arguments(const catalog::FunctionSpec& function) {
  int i = 0, o = 0;
  return emit::argument_list(emit::make_signature(function), [&](const emit::Parameter& p) -> std::string {
    switch (p.kind) {
      case emit::ParameterKind::input:
        return "x.in[" + std::to_string(i++) + "]";
      case emit::ParameterKind::output:
        return "x.out[" + std::to_string(o++) + "]";
      case emit::ParameterKind::link:
        return "static_cast<Link>(num_links - 1)";
      default:
        return "featherline::ReferenceFrame::local";
    }
  });
}

std::string comparison(const std::string& robot, const catalog::FunctionSpec& algorithm) {
  const std::string call = algorithm.name + "(count, " + arguments(algorithm) + ", options); }";
  const std::string batch_head =
      "      [](std::ptrdiff_t count, const Arrays<TestType>& x, const featherline::BatchOptions& options) "
      "{\n        ";
  return "TEST_CASE_TEMPLATE(\"" + robot + ": " + algorithm.name + "\", TestType, SCALARS) {\n" +
         "  compare<TestType>({" + test::argument_sizes(algorithm.inputs) + ", " +
         test::argument_sizes(algorithm.outputs) + "},\n" + "      [](const Arrays<TestType>& x) { " +
         algorithm.name + "(" + arguments(algorithm) + "); },\n" + batch_head + "batch::" + call + ",\n" +
         batch_head + "batch::soa::" + call + ");\n}\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string robot = argv[1];
  std::cout << "#include \"batch/compare.hpp\"\n\n#include \"" << robot << ".hpp\"\n\nusing namespace "
            << robot << ";\nusing namespace batch_test;\n\n";
  for (const std::string& name : cli::resolve_functions({argv + 2, argv + argc})) {
    const catalog::FunctionSpec& algorithm = *catalog::find(name);
    const bool exists = !catalog::is_of_all_joints(algorithm);  // no loops are eliminated
    if (algorithm.name == name && exists && !algorithm.repeats) std::cout << comparison(robot, algorithm);
  }
  return 0;
}
