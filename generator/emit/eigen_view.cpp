#include "emit/files.hpp"
#include "emit/render.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

std::string product(const std::vector<std::string>& dims) {
  return dims.size() < 2 ? "1" : join({dims.begin() + 1, dims.end()}, " * ");
}

std::string view_type(const SignatureParameter& parameter, const std::string& scalar) {
  if (parameter.kind == ParameterKind::link) return "Link";
  if (parameter.kind == ParameterKind::frame) return "featherline::ReferenceFrame";
  const std::vector<std::string> dims = dimensions(parameter.shape);
  const std::string size = "<" + scalar + ", " + dims.front() + ", " + product(dims) + ">";
  if (parameter.kind == ParameterKind::input) return "const Input" + size + "&";
  return dims.size() == 1 ? "OutputVector<" + scalar + ", " + dims.front() + ">" : "OutputMatrix" + size;
}

std::string view(const Signature& signature, const std::string& name, const std::string& scalar) {
  std::vector<std::string> parameters, arguments;
  for (const SignatureParameter& p : signature.parameters) {
    const bool by_value = p.kind == ParameterKind::link || p.kind == ParameterKind::frame;
    const std::string standard =
        p.kind == ParameterKind::frame ? " = featherline::ReferenceFrame::local_world_aligned" : "";
    parameters.push_back(view_type(p, scalar) + " " + p.name + standard);
    arguments.push_back(by_value ? p.name : p.name + ".data()");
  }
  return wrap_statement("inline void " + signature.name + "(" + join(parameters, ", ") + ") {", "") + "\n" +
         wrap_statement("::" + name + "::" + signature.name + "(" + join(arguments, ", ") + ");", "  ") +
         "\n}";
}

}  // namespace

std::string eigen_file(const Request& request) {
  const std::string name = emitted_name(request.name);
  std::vector<std::string> views;
  for (const FunctionRequest& f : request.functions) {
    for (const std::string& scalar : request.scalars) {
      views.push_back(view(make_signature(f), name, scalar));
    }
  }
  return render(skeleton("robot_eigen.hpp"),
                {{"banner", banner(request)}, {"name", name}, {"functions", join(views, "\n\n")}});
}

}  // namespace featherline::emit
