#include "emit/bindings/bindings.hpp"
#include "emit/files.hpp"
#include "emit/kernel_printer.hpp"
#include "emit/render.hpp"
#include "emit/robot_names.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

std::string internal_namespace(const std::string& name, const std::string& functions) {
  return functions.empty() ? ""
                           : render(skeleton("cpp/internal"), {{"name", name}, {"functions", functions}});
}

}  // namespace

std::string definitions_file(const Request& request) {
  const std::string name = emitted_name(request.name);
  std::vector<std::string> includes;
  for (const FunctionRequest& f : request.functions) {
    includes.push_back("#include \"" + name + "_" + function_name(f) + ".ipp\"");
  }
  return render(skeleton("cpp/robot.ipp"),
                {{"banner", banner(request)}, {"name", name}, {"includes", join(includes, "\n")}});
}

std::string function_definition_file(const Request& request, const FunctionRequest& function,
                                     const FunctionFacts& facts) {
  const std::string name = emitted_name(request.name);
  const PrintedKernel printed =
      print_kernel(function.kernel, facts.name, entry_names(function, *request.tree));
  return render(skeleton("cpp/function.ipp"),
                {{"banner", banner(request)},
                 {"name", name},
                 {"includes", includes_of(function.kernel, name)},
                 {"version_check", version_check()},
                 {"internal", internal_namespace(name, printed.internal)},
                 {"function", facts.name},
                 {"formulation", comment_safe(facts.formulation)},
                 {"flops", std::to_string(facts.flops)},
                 {"sincos", std::to_string(facts.sincos)},
                 {"head", definition_head(make_signature(function), printed.usage)},
                 {"body", printed.body}});
}

std::string function_source_file(const Request& request, const FunctionRequest& function) {
  return render(skeleton("cpp/function.cpp"),
                {{"banner", banner(request)},
                 {"binding_includes", added_by_bindings(request, &Binding::source_includes, function)},
                 {"binding_functions", added_by_bindings(request, &Binding::source_functions, function)},
                 {"name", emitted_name(request.name)},
                 {"function", function_name(function)},
                 {"instantiations", instantiations(make_signature(function), request.options.scalars)}});
}

}  // namespace featherline::emit
