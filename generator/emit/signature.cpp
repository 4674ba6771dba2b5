#include "emit/function_files.hpp"

#include "emit/kernel_printer.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::emit {

std::string type_of(const Parameter& parameter, const std::string& scalar) {
  switch (parameter.kind) {
    case ParameterKind::input:
      return parameter.is_number() ? scalar : "const " + scalar + "*";
    case ParameterKind::output:
      return scalar + "*";
    case ParameterKind::link:
      return "Link";
    case ParameterKind::frame:
      return "featherline::ReferenceFrame";
    case ParameterKind::steps:
      return "int";
    case ParameterKind::count:
      return "std::ptrdiff_t";
    case ParameterKind::zeros:
      return "bool";
    case ParameterKind::options:
      return "const featherline::BatchOptions&";
  }
  throw InternalError("a parameter has no kind");
}

std::string default_argument(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::frame) return " = featherline::ReferenceFrame::local_world_aligned";
  return parameter.kind == ParameterKind::options ? " = {}" : "";
}

std::string doc_comment(const Signature& signature, const std::string& prefix) {
  std::size_t width = 0;
  for (const Parameter& p : signature.parameters) width = std::max(width, p.doc.empty() ? 0 : p.name.size());
  const std::string hanging = prefix + "  " + std::string(width + 2, ' ');
  std::string text = fill_lines(comment_safe(signature.brief, 500), prefix, prefix) + "\n";
  for (const Parameter& p : signature.parameters) {
    if (p.doc.empty()) continue;
    const std::string sides = p.shape_text.empty() ? p.shape.text() : p.shape_text;
    const std::string shape = p.shape.rank() == 0 ? "" : " (" + sides + ")";
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

std::vector<Parameter> Signature::of(std::initializer_list<ParameterKind> kinds) const {
  std::vector<Parameter> list;
  std::ranges::copy_if(parameters, std::back_inserter(list),
                       [&](const Parameter& p) { return std::ranges::find(kinds, p.kind) != kinds.end(); });
  return list;
}

Signature make_signature(const catalog::FunctionSpec& function, const model::Tree* robot) {
  Signature signature{function.name, function.brief, function.source, {}};
  const auto add = [&](ParameterKind kind, const catalog::Argument& a) {
    signature.parameters.push_back({kind, a.name, a.shape, a.text(robot)});
  };
  for (const catalog::Argument& input : robot == nullptr ? function.inputs : inputs_of(function, *robot))
    add(ParameterKind::input, input);
  if (function.repeats)
    signature.parameters.push_back({ParameterKind::steps, "N", {}, "number of steps; 0 or less: none"});
  if (function.takes_link)
    signature.parameters.push_back(
        {ParameterKind::link, "link", {}, "any link of the robot, merged ones included"});
  for (const catalog::Argument& output : function.outputs) add(ParameterKind::output, output);
  if (function.has_reference_frame_argument)
    signature.parameters.push_back(
        {ParameterKind::frame, "frame", {}, "reference point and axes of the velocity"});
  return signature;
}

Signature make_signature(const LoweredFunction& function, const model::Tree& tree) {
  Signature signature = make_signature(*function.spec, &tree);
  signature.source = catalog::source_of(*function.spec, function.kernel.formulation);
  if (!function.packed_maps) return signature;
  signature.name = function_name(function);
  std::size_t k = 0;
  for (Parameter& p : signature.parameters) {
    if (p.kind != ParameterKind::output) continue;
    p.shape = {function.kernel.outputs[k++].size};
    p.doc += "; its structural non-zeros, placed by " + signature.name + "_" + p.name;
  }
  return signature;
}

std::vector<Signature> make_signatures(const LoweredFunction& function, const model::Tree& tree) {
  std::vector<Signature> signatures{make_signature(function, tree)};
  if (!has_nonzeros_form(function)) return signatures;
  Signature signature = signatures.front();
  signature.name = catalog::nonzeros_name(*function.spec);
  signature.brief =
      function.spec->name +
      " for arrays that are used again: it writes only the structural non-zeros of the outputs. All "
      "other entries have to be zero: set the arrays to zero once, before the first call.";
  signature.source.clear();
  signature.keeps_zeros = true;
  for (Parameter& p : signature.parameters) p.doc.clear();  // as above
  signatures.push_back(std::move(signature));
  return signatures;
}

Signature one_step(Signature signature) {
  signature.name += "_step";
  std::erase_if(signature.parameters, [](const Parameter& p) { return p.kind == ParameterKind::steps; });
  return signature;
}

Signature with_zeros(Signature signature) {
  signature.name += "_or_all";
  signature.parameters.push_back({ParameterKind::zeros, "zeros"});
  return signature;
}

std::vector<Signature> make_signatures(const Request& request) {
  std::vector<Signature> all;
  for (const LoweredFunction& function : request.functions)
    for (Signature& signature : make_signatures(function, *request.tree)) all.push_back(std::move(signature));
  return all;
}

std::string parameter_list(const Signature& signature, const std::string& scalar) {
  return argument_list(signature, [&](const Parameter& p) { return type_of(p, scalar) + " " + p.name; });
}

std::string instantiations(const Signature& signature, const std::vector<std::string>& scalars,
                           const std::string& prefix) {
  const auto line = [&](const std::string& scalar) {
    const std::string types =
        argument_list(signature, [&](const Parameter& p) { return type_of(p, scalar); });
    return wrap_statement(prefix + "template void " + signature.name + "<" + scalar + ">(" + types + ");",
                          "");
  };
  return join(each(scalars, line), "\n");
}

std::string template_declaration(const Signature& signature) {
  const std::string list = argument_list(
      signature, [](const Parameter& p) { return type_of(p, "S") + " " + p.name + default_argument(p); });
  return "template <class S>\n" + wrap_statement("void " + signature.name + "(" + list + ");", "");
}

std::string declaration(const Signature& signature, const std::vector<std::string>& scalars) {
  return doc_comment(signature, "/// ") + template_declaration(signature) + "\n" +
         instantiations(signature, scalars, "extern ");
}

std::string definition_head(const Signature& signature, const Usage* usage) {
  int num_inputs = 0, num_outputs = 0;
  std::string numbers;  // as the arrays of one entry that kernels read
  const std::string list = argument_list(signature, [&](const Parameter& p) {
    const std::string type = type_of(p, "S");
    if (p.is_number() && usage != nullptr) {
      numbers += "\n  const S " + p.name + "[] = {" + p.name + "_number};";
      return type + " " + p.name + "_number";
    }
    if (p.is_number()) return type + " " + p.name;
    if (p.kind == ParameterKind::input)
      return pointer_parameter(type, p.name, usage == nullptr || usage->inputs.count(num_inputs++) > 0);
    if (p.kind == ParameterKind::output)
      return pointer_parameter(type, p.name, usage == nullptr || usage->written.count(num_outputs++) > 0);
    return type + " " + p.name;
  });
  return wrap_statement("FEATHERLINE_FUNCTION void " + signature.name + "(" + list + ") {", "") + numbers;
}

}  // namespace featherline::emit
