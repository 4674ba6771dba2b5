#include "emit/batch.hpp"

#include "emit/files.hpp"
#include "emit/render.hpp"
#include "emit/signature.hpp"
#include "emit/spread_rows.hpp"
#include "emit/text.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

struct WideSet {
  const char *stem, *tag;
};
constexpr WideSet wide_sets[] = {{"avx2", "Avx2"}, {"avx512", "Avx512"}};

/// What the kernel calls: the packed form where there is one.
FunctionRequest kernel_function(const FunctionRequest& function) {
  if (!function.batch_form) return function;
  return {function.algorithm, function.batch_form->program, function.batch_form->maps};
}

bool is_asked_for(const Request& request, const FunctionRequest& function) {
  return std::any_of(request.functions.begin(), request.functions.end(),
                     [&](const FunctionRequest& f) { return function_name(f) == function_name(function); });
}

Signature batch_signature(const FunctionRequest& function) {
  Signature signature = make_signature(function);
  signature.parameters.insert(signature.parameters.begin(), {ParameterKind::count, "count", "", ""});
  signature.parameters.push_back({ParameterKind::options, "options", "", ""});
  return signature;
}

std::vector<SignatureParameter> parameters(const Signature& signature, ParameterKind kind) {
  std::vector<SignatureParameter> list;
  std::copy_if(signature.parameters.begin(), signature.parameters.end(), std::back_inserter(list),
               [&](const SignatureParameter& p) { return p.kind == kind; });
  return list;
}

/// "nv * nv" of "nv x nv, column-major".
std::string size_expression(const SignatureParameter& parameter) {
  return join(dimensions(parameter.shape), " * ");
}

std::string size_list(const std::vector<SignatureParameter>& list) {
  std::vector<std::string> sizes;
  for (const SignatureParameter& p : list) sizes.push_back(size_expression(p));
  return "{" + (sizes.empty() ? "0" : join(sizes, ", ")) + "}";
}

/// "in, in + nq, in + nq + nv": where each array of `list` begins.
std::vector<std::string> array_starts(const std::string& base, const std::vector<SignatureParameter>& list) {
  std::vector<std::string> starts;
  std::string start = base;
  for (const SignatureParameter& p : list) {
    starts.push_back(start);
    start += " + " + size_expression(p);
  }
  return starts;
}

/// Link and frame are the same for all states: members of the kernel.
std::vector<std::string> by_value_arguments(const Signature& signature) {
  std::vector<std::string> names;
  for (const SignatureParameter& p : signature.parameters) {
    if (p.kind == ParameterKind::link || p.kind == ParameterKind::frame) names.push_back(p.name);
  }
  return names;
}

std::string kernel_members(const Signature& signature) {
  std::string text;
  if (!parameters(signature, ParameterKind::link).empty()) text += "  Link link;\n";
  if (!parameters(signature, ParameterKind::frame).empty()) text += "  featherline::ReferenceFrame frame;\n";
  return text;
}

/// The call of the function on the arrays of one block; `rows` of a packed form are its own outputs.
std::string kernel_call(const std::string& robot, const Signature& called) {
  std::vector<std::string> inputs = array_starts("in", parameters(called, ParameterKind::input));
  std::vector<std::string> outputs = array_starts("rows", parameters(called, ParameterKind::output));
  std::vector<std::string> arguments;
  std::size_t i = 0, o = 0;
  for (const SignatureParameter& p : called.parameters) {
    arguments.push_back(p.kind == ParameterKind::input    ? inputs[i++]
                        : p.kind == ParameterKind::output ? outputs[o++]
                                                          : p.name);
  }
  return wrap_statement("::" + robot + "::" + called.name + "(" + join(arguments, ", ") + ");", "    ");
}

std::string kernel_file(const Request& request, const FunctionRequest& function) {
  const std::string name = emitted_name(request.name);
  const Signature signature = make_signature(function);
  const FunctionRequest kernel = kernel_function(function);
  const std::vector<SignatureParameter> inputs = parameters(signature, ParameterKind::input);
  const std::vector<SignatureParameter> outputs = parameters(signature, ParameterKind::output);
  std::string num_rows = "featherline::batch::sum(outputs, num_outputs)";
  std::string row = "  [[gnu::always_inline]] static constexpr int row(int i) { return i; }", further_rows;
  if (function.batch_form) {
    const SpreadRows spread(kernel, function.batch_form->dense_sizes);
    num_rows = std::to_string(spread.count());
    row = spread.table();
    further_rows = spread.further_rows();
  }
  return render(skeleton("batch_kernel.ipp"), {{"banner", banner(request)},
                                               {"name", name},
                                               {"function", signature.name},
                                               {"kernel", function_name(kernel)},
                                               {"members", kernel_members(signature)},
                                               {"nq", std::to_string(request.tree->nq)},
                                               {"nv", std::to_string(request.tree->nv)},
                                               {"num_inputs", std::to_string(inputs.size())},
                                               {"inputs", size_list(inputs)},
                                               {"num_outputs", std::to_string(outputs.size())},
                                               {"outputs", size_list(outputs)},
                                               {"num_rows", num_rows},
                                               {"row", row},
                                               {"call", kernel_call(name, make_signature(kernel))},
                                               {"further_rows", further_rows}});
}

std::string names(const std::vector<SignatureParameter>& list) {
  std::vector<std::string> texts;
  for (const SignatureParameter& p : list) texts.push_back(p.name);
  return "{" + join(texts, ", ") + "}";
}

std::string run_call(const Signature& signature, const char* stride) {
  return wrap_statement("featherline::batch::run<S>(detail::" + signature.name + "_kernel{" +
                            join(by_value_arguments(signature), ", ") + "}, {" +
                            names(parameters(signature, ParameterKind::input)) + ", " +
                            names(parameters(signature, ParameterKind::output)) + ", count, " + stride +
                            "}, options);",
                        "  ");
}

std::string dispatch_file(const Request& request, const FunctionRequest& function) {
  const Signature signature = batch_signature(function);
  const std::string head =
      wrap_statement("void " + signature.name + "(" + parameter_list(signature, "S") + ") {", "");
  return render(skeleton("batch.cpp"),
                {{"banner", banner(request)},
                 {"name", emitted_name(request.name)},
                 {"function", signature.name},
                 {"head", head},
                 {"call", run_call(signature, "0")},
                 {"call_soa", run_call(signature, "featherline::batch::stride(count, options)")},
                 {"instantiations", instantiations(signature, request.options.scalars)}});
}

std::string wide_file(const Request& request, const FunctionRequest& function, const WideSet& set) {
  std::vector<std::string> lines;
  for (const std::string& scalar : request.options.scalars) {
    lines.push_back(wrap_statement("template void run_wide<" + std::string(set.tag) + ", " + scalar +
                                       ", Kernel>(const Kernel&, const Job<" + scalar +
                                       ">&, std::ptrdiff_t, std::ptrdiff_t);",
                                   ""));
  }
  return render(skeleton("batch_wide.cpp"), {{"banner", banner(request)},
                                             {"set", set.stem},
                                             {"name", emitted_name(request.name)},
                                             {"function", function_name(function)},
                                             {"instantiations", join(lines, "\n")}});
}

}  // namespace

std::vector<std::string> batch_file_names(const Request& request, const FunctionRequest& function) {
  const std::string name = emitted_name(request.name);
  const std::string stem = name + "_batch_" + function_name(function);
  std::vector<std::string> names{stem + ".ipp", stem + ".cpp"};
  for (const WideSet& set : wide_sets) names.push_back(stem + "_" + set.stem + ".cpp");
  const FunctionRequest kernel = kernel_function(function);
  if (!is_asked_for(request, kernel)) names.push_back(name + "_" + function_name(kernel) + ".ipp");
  return names;
}

std::vector<File> batch_files(const Request& request, const FunctionRequest& function) {
  std::vector<std::string> texts{kernel_file(request, function), dispatch_file(request, function)};
  for (const WideSet& set : wide_sets) texts.push_back(wide_file(request, function, set));
  const FunctionRequest kernel = kernel_function(function);
  if (!is_asked_for(request, kernel)) {
    texts.push_back(function_definition_file(request, kernel, facts(request, kernel)));
  }
  const std::vector<std::string> names = batch_file_names(request, function);
  std::vector<File> files;
  for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], texts[i]});
  return files;
}

std::string batch_declarations(const Request& request) {
  std::vector<std::string> list;
  for (const FunctionRequest& function : request.functions) {
    const Signature signature = batch_signature(function);
    list.push_back(template_declaration(signature) + "\n" +
                   instantiations(signature, request.options.scalars, "extern "));
  }
  return render(skeleton("batch.hpp"), {{"declarations", join(list, "\n\n")}});
}

}  // namespace featherline::emit
