// NAME::prepare: functions that bring code and outputs of others into the caches.
#include "emit/function_files.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace featherline::emit {
namespace {

/// "const S*, Link, S* J, featherline::ReferenceFrame": outputs have their names in definitions, and arguments their
/// defaults in declarations.
std::string parameters(const Signature& signature, bool declared) {
  return argument_list(signature, [&](const Parameter& p) -> std::string {
    if (p.kind == ParameterKind::input) return "const S*";
    if (p.kind == ParameterKind::output) return declared ? "S*" : "S* " + p.name;
    const std::string type = type_of(p, "S");
    return declared ? type + default_argument(p) : type;
  });
}

std::string head(const Signature& signature, bool declared) {
  return "template <class S>\n" + wrap_statement("void " + signature.name + "(" +
                                                     parameters(signature, declared) + ")" +
                                                     (declared ? ";" : " {"),
                                                 "");
}

}  // namespace

std::string code_number(const std::string& robot, const std::string& code) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : robot + "::" + code) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return std::to_string(hash & 0x7fffffffU);  // assemblers print it as an int
}

std::string prepare_declarations(const Request& request) {
  return join(each(make_signatures(request), [](const Signature& s) { return head(s, true); }), "\n\n");
}

std::string prepare_definitions(const Request& request, const LoweredFunction& function) {
  const catalog::Sizes sizes = catalog::sizes_of(*request.tree);
  const auto touch_code = [](const std::string& code) {
    return wrap_statement("featherline::touch_code<detail::" + code + ", S>();", "  ") + "\n";
  };
  const auto definition = [&](const Signature& signature) {
    std::string text = head(signature, false) + "\n" + touch_code(function_name(function) + "_code");
    if (function.kernel.walk() != nullptr) text += touch_code("kinematics_code");
    for (const Parameter& output : signature.outputs())
      text += fmt::format("  featherline::touch<{}>({});\n", output.shape.size(sizes), output.name);
    return text + "}";
  };
  return join(each(make_signatures(function, *request.tree), definition), "\n\n");
}

}  // namespace featherline::emit
