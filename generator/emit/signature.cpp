#include "emit/signature.hpp"

#include "emit/program_printer.hpp"
#include "emit/text.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

const SignatureParameter link_parameter{ParameterKind::link, "link", "",
                                        "any link of the URDF, merged ones included"};
const SignatureParameter frame_parameter{ParameterKind::frame, "frame", "",
                                         "reference point and axes of the velocity"};

std::string type_of(const SignatureParameter& parameter, const std::string& scalar) {
  switch (parameter.kind) {
    case ParameterKind::input:
      return "const " + scalar + "*";
    case ParameterKind::output:
      return scalar + "*";
    case ParameterKind::link:
      return "Link";
    case ParameterKind::frame:
      return "featherline::ReferenceFrame";
    case ParameterKind::count:
      return "std::ptrdiff_t";
    case ParameterKind::options:
      return "const featherline::BatchOptions&";
  }
  throw InternalError("a parameter has no kind");
}

std::string default_argument(const SignatureParameter& parameter) {
  if (parameter.kind == ParameterKind::frame) return " = featherline::ReferenceFrame::local_world_aligned";
  return parameter.kind == ParameterKind::options ? " = {}" : "";
}

SignatureParameter output_parameter(const FunctionRequest& function, std::size_t index) {
  const algorithms::Argument& a = function.algorithm->outputs[index];
  if (!function.packed_maps) return {ParameterKind::output, a.name, a.shape, a.doc};
  const int size = function.program.function.outputs[index].size;
  return {ParameterKind::output, a.name, std::to_string(size),
          a.doc + "; its structural non-zeros, placed by " + function_name(function) + "_" + a.name};
}

bool is_used(const Signature& signature, std::size_t index, const Usage& usage) {
  const ParameterKind kind = signature.parameters[index].kind;
  if (kind != ParameterKind::input && kind != ParameterKind::output) return true;
  int position = 0;  // among the parameters of its kind
  for (std::size_t i = 0; i < index; ++i) position += signature.parameters[i].kind == kind ? 1 : 0;
  return (kind == ParameterKind::input ? usage.inputs : usage.outputs).count(position) > 0;
}

}  // namespace

std::string doc_comment(const Signature& signature, const std::string& prefix) {
  std::size_t width = 0;
  for (const SignatureParameter& p : signature.parameters) width = std::max(width, p.name.size());
  const std::string hanging = prefix + "  " + std::string(width + 2, ' ');
  std::string text = fill_lines(comment_safe(signature.brief, 500), prefix, prefix) + "\n";
  for (const SignatureParameter& p : signature.parameters) {
    const std::string shape = p.shape.empty() ? "" : " (" + p.shape + ")";
    const std::string direction = p.kind == ParameterKind::output ? "out" : "in";
    const std::string head = prefix + "  " + p.name + std::string(width + 2 - p.name.size(), ' ');
    text += fill_lines(comment_safe(direction + shape + ": " + p.doc, 500), head, hanging) + "\n";
  }
  text += prefix + "Inputs and outputs must not overlap.\n";
  if (!signature.source.empty()) {
    text += fill_lines("Source: " + comment_safe(signature.source, 500), prefix, prefix) + "\n";
  }
  return text;
}

bool is_kinematics(const algorithms::Algorithm& algorithm) { return algorithm.formulations.empty(); }
bool is_jacobian(const algorithms::Algorithm& algorithm) { return algorithm.name == "frame_jacobian"; }

std::string function_name(const FunctionRequest& function) {
  return function.algorithm->name + (function.packed_maps ? "_packed" : "");
}

Signature make_signature(const FunctionRequest& function) {
  const algorithms::Algorithm& algorithm = *function.algorithm;
  Signature signature{function_name(function), algorithm.brief, algorithm.source, {}};
  const auto add = [&](SignatureParameter p) { signature.parameters.push_back(std::move(p)); };
  for (const algorithms::Argument& a : algorithm.inputs) add({ParameterKind::input, a.name, a.shape, a.doc});
  if (is_kinematics(algorithm)) add(link_parameter);
  for (std::size_t i = 0; i < algorithm.outputs.size(); ++i) add(output_parameter(function, i));
  if (is_jacobian(algorithm)) add(frame_parameter);
  return signature;
}

std::string parameter_list(const Signature& signature, const std::string& scalar) {
  std::vector<std::string> list;
  for (const SignatureParameter& p : signature.parameters) list.push_back(type_of(p, scalar) + " " + p.name);
  return join(list, ", ");
}

std::string instantiations(const Signature& signature, const std::vector<std::string>& scalars,
                           const std::string& prefix) {
  std::vector<std::string> lines;
  for (const std::string& scalar : scalars) {
    std::vector<std::string> types;
    for (const SignatureParameter& p : signature.parameters) types.push_back(type_of(p, scalar));
    lines.push_back(wrap_statement(
        prefix + "template void " + signature.name + "<" + scalar + ">(" + join(types, ", ") + ");", ""));
  }
  return join(lines, "\n");
}

std::string template_declaration(const Signature& signature) {
  std::vector<std::string> list;
  for (const SignatureParameter& p : signature.parameters) {
    list.push_back(type_of(p, "S") + " " + p.name + default_argument(p));
  }
  return "template <class S>\n" +
         wrap_statement("void " + signature.name + "(" + join(list, ", ") + ");", "");
}

std::string declaration(const Signature& signature, const std::vector<std::string>& scalars) {
  return doc_comment(signature, "/// ") + template_declaration(signature) + "\n" +
         instantiations(signature, scalars, "extern ");
}

std::string definition_head(const Signature& signature, const Usage& usage) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const SignatureParameter& p = signature.parameters[i];
    const std::string type = type_of(p, "S");
    const bool pointer = type.back() == '*';
    list.push_back(pointer ? pointer_parameter(type, p.name, is_used(signature, i, usage))
                           : type + " " + p.name);
  }
  return wrap_statement("void " + signature.name + "(" + join(list, ", ") + ") {", "");
}

std::vector<std::string> dimensions(const std::string& shape) {
  std::vector<std::string> list;
  std::string rest = shape.substr(0, shape.find(','));
  for (std::size_t cut = rest.find(" x "); cut != rest.npos; cut = rest.find(" x ")) {
    list.push_back(rest.substr(0, cut));
    rest.erase(0, cut + 3);
  }
  list.push_back(rest);
  return list;
}

}  // namespace featherline::emit
