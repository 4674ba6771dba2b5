// NAME::prepare: functions that bring code and outputs of others into the caches.
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

#include <map>

#include <cstdint>
#include <vector>

namespace featherline::emit {
namespace {

/// "const S*, Link, S*": types alone.
std::string types(const Signature& signature) {
  return argument_list(signature, [](const Parameter& p) { return type_of(p, "S"); });
}

/// The same with defaults.
std::string parameters(const Signature& signature) {
  return argument_list(signature, [](const Parameter& p) { return type_of(p, "S") + default_argument(p); });
}

std::string line(const std::string& statement) { return wrap_statement(statement, "  ") + "\n"; }

/// By name, the code for so many angles of the function, and of its internal functions.
std::map<std::string, int> sincos_codes(const ir::Kernel& kernel) {
  std::map<std::string, int> codes;
  if (kernel.num_angles() > 0) codes["sincos"] = kernel.num_angles();
  for (const ir::Kernel* body : kernel.bodies()) {
    if (body->num_angles() > 0) codes["sincos_of_" + body->name] = body->num_angles();
  }
  return codes;
}

/// Statements that read the code.
std::string touch_code(const LoweredFunction& function) {
  std::vector<std::string> codes{"code"};
  if (function.kernel.walk() != nullptr) codes.emplace_back("steps");
  for (const auto& [code, angles] : sincos_codes(function.kernel)) codes.push_back(code);
  std::string text;
  for (const std::string& code : codes)
    text += line("featherline::touch_code<detail::" + function_name(function) + "_" + code + ", S>();");
  return text;
}

std::string touch_outputs(const Signature& signature, const catalog::Sizes& sizes) {
  std::string text;
  for (const Parameter& output : signature.outputs())
    text += line(fmt::format("featherline::touch<{}>({});", output.shape.size(sizes), output.name));
  return text;
}

/// Calls the function, whose results are forgotten. Nothing if there are none: a robot that cannot move has Jacobians
/// without columns.
std::string call(const Signature& signature, const catalog::Sizes& sizes, const std::string& robot) {
  std::int64_t end = 0;
  const std::string arguments = argument_list(signature, [&](const Parameter& p) {
    if (p.kind == ParameterKind::steps) return p.name + " < 1 ? 0 : 1";  // there is room for one
    if (p.kind != ParameterKind::output) return p.name;
    const std::int64_t begin = end;
    end += p.shape.size(sizes);
    return begin == 0 ? std::string("results") : fmt::format("results + {}", begin);
  });
  if (end == 0) return {};
  return fmt::format("  if constexpr (featherline::prepare_calls<S, {0}>) {{\n    S results[{0}] = {{}};\n",
                     end) +
         wrap_statement(
             "featherline::as_called(::" + robot + "::" + signature.name + "<S>)(" + arguments + ");",
             "    ") +
         "\n  }\n";
}

}  // namespace

std::string code_number(const std::string& robot, const std::string& code) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : robot + "::" + code) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return std::to_string(hash & 0x7fffffffU);  // assemblers print it as an int
}

std::string prepare_declarations(const Request& request) {
  const auto declared = [](const Signature& signature) {
    return "template <class S>\n" +
           wrap_statement("void " + signature.name + "(" + parameters(signature) + ");", "");
  };
  return join(each(make_signatures(request), declared), "\n\n");
}

std::string code_definitions(const Request& request, const LoweredFunction& function, int code_bytes) {
  // A call out of cold caches, in us, of a function that reads no line ahead, and of one that does (AMD EPYC): ur5
  // rnea_derivatives (7 KB) 1.9, 2.0; hyq rnea_derivatives (16 KB) 4.3, 4.0; talos_reduced aba (45 KB) 7.5, 5.8. Warm
  // it takes a fifth to a third longer.
  constexpr int least_bytes = 16 * 1024;
  const bool ahead = request.options.goal() == Goal::latency && code_bytes >= least_bytes;
  const std::string robot = emitted_name(request.name);
  const std::string name = function_name(function);
  const auto code = [&](const char* what, const std::string& number) {
    return fmt::format("FEATHERLINE_CODE({}_{}, {}, {});\n", name, what, number,
                       ahead && what == std::string("code"));
  };
  std::string text = code("code", code_number(robot, name));
  if (function.kernel.walk() != nullptr) text += code("steps", code_number(robot, "steps"));
  for (const auto& [name_of_code, angles] : sincos_codes(function.kernel))
    text += code(name_of_code.c_str(), std::to_string(angles));
  return text;
}

std::string prepare_definitions(const Request& request, const LoweredFunction& function) {
  const catalog::Sizes sizes = catalog::sizes_of(*request.tree);
  const auto definition = [&](const Signature& signature) {
    const std::string called = call(signature, sizes, emitted_name(request.name));
    const std::string list = called.empty() ? types(signature) : parameter_list(signature, "S");
    return "template <class S>\n" + wrap_statement("void " + signature.name + "(" + list + ") {", "") + "\n" +
           touch_code(function) + (called.empty() ? "" : called + touch_outputs(signature, sizes)) + "}";
  };
  return join(each(make_signatures(function, *request.tree), definition), "\n\n");
}

}  // namespace featherline::emit
