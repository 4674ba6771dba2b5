// Writes the test that compares every batch function of a robot with its scalar function, after the registry of
// algorithms: what is added there is tested here.
// Usage: write_comparison NAME FUNCTION... > comparison_of_NAME.cpp

#include "algorithms/registry.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

#include <algorithm>
#include <iostream>

using namespace featherline;

namespace {

std::string sizes(const std::vector<algorithms::Argument>& arguments) {
  std::vector<std::string> list;
  for (const algorithms::Argument& a : arguments)
    list.push_back(emit::join(emit::dimensions(a.shape), " * "));
  return "{" + emit::join(list, ", ") + "}";
}

/// "x.in[0], x.in[1], last_link, x.out[0]".
std::string arguments(const algorithms::Algorithm& algorithm) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < algorithm.inputs.size(); ++i) list.push_back("x.in[" + std::to_string(i) + "]");
  if (emit::is_kinematics(algorithm)) list.push_back("static_cast<Link>(num_links - 1)");
  for (std::size_t i = 0; i < algorithm.outputs.size(); ++i)
    list.push_back("x.out[" + std::to_string(i) + "]");
  if (emit::is_jacobian(algorithm)) list.push_back("featherline::ReferenceFrame::local");
  return emit::join(list, ", ");
}

std::string comparison(const std::string& robot, const algorithms::Algorithm& algorithm) {
  const std::string call = algorithm.name + "(count, " + arguments(algorithm) + ", options); }";
  const std::string batch_head =
      "      [](std::ptrdiff_t count, const Arrays<TestType>& x, const featherline::BatchOptions& options) "
      "{\n        ";
  return "TEST_CASE_TEMPLATE(\"" + robot + ": " + algorithm.name + "\", TestType, SCALARS) {\n" +
         "  compare<TestType>({" + sizes(algorithm.inputs) + ", " + sizes(algorithm.outputs) + "},\n" +
         "      [](const Arrays<TestType>& x) { " + algorithm.name + "(" + arguments(algorithm) + "); },\n" +
         batch_head + "batch::" + call + ",\n" + batch_head + "batch::soa::" + call + ");\n}\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string robot = argv[1];
  std::cout << "#include \"batch/compare.hpp\"\n\n#include \"" << robot << ".hpp\"\n\nusing namespace "
            << robot << ";\nusing namespace batch_test;\n\n";
  const std::vector<std::string> functions(argv + 2, argv + argc);
  int written = 0;
  for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
    if (std::find(functions.begin(), functions.end(), algorithm.name) == functions.end()) continue;
    std::cout << comparison(robot, algorithm);
    ++written;
  }
  return written == argc - 2 ? 0 : 1;
}
