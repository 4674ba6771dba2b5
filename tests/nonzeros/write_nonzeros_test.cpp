// Writes a test of every function of a robot that has the form without structural zeros.
// Usage: write_nonzeros_test MANIFEST > TEST.cpp

#include "catalog/functions.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "support/argument_sizes.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>

using namespace featherline;

namespace {

/// "in[0].data(), in[1].data(), out[0].data()"
std::string arguments(const catalog::FunctionSpec& function) {
  int i = 0, o = 0;
  return emit::argument_list(emit::make_signature(function), [&](const emit::Parameter& p) {
    return p.is_number()                          ? fmt::format("in[{}][0]", i++)
           : p.kind == emit::ParameterKind::input ? fmt::format("in[{}].data()", i++)
                                                  : fmt::format("out[{}].data()", o++);
  });
}

std::string test_case(const std::string& robot, const catalog::FunctionSpec& function,
                      const std::string& nonzeros) {
  std::vector<std::string> indices;
  for (const catalog::Argument& output : function.outputs) {
    const std::string table = packed_name(function) + "_" + output.name;
    indices.push_back("{" + table + ", " + table + "_entries}");
  }
  const auto call = [&](const std::string& name) {
    return "[](const Arrays& in, Arrays& out) { " + name + "(" + arguments(function) + "); }";
  };
  return fmt::format(
      "TEST_CASE(\"{}: {}\") {{\n  compare({{{},\n    {},\n    {{{}}},\n    {},\n    {}}});\n}}\n\n", robot,
      nonzeros, test::argument_sizes(function.inputs), test::argument_sizes(function.outputs),
      featherline::join(indices, ", "), call(function.name), call(nonzeros));
}

}  // namespace

int main(int, char** argv) {
  std::ifstream file(argv[1]);
  const nlohmann::json manifest = nlohmann::json::parse(file);
  const std::string robot = manifest["name"];
  std::cout << "#include \"nonzeros.hpp\"\n\n#include \"" << robot << ".hpp\"\n\nnamespace nonzeros_test::of_"
            << robot << " {\nusing namespace " << robot << ";\n\n";
  for (const auto& [name, facts] : manifest["functions"].items()) {
    if (facts.contains("nonzeros")) std::cout << test_case(robot, *catalog::find(name), facts["nonzeros"]);
  }
  std::cout << "}\n";
  return 0;
}
