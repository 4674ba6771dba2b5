// NAME_eigen.hpp: every function with Eigen types.
#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "support/diagnostic.hpp"

namespace featherline::emit {
namespace {

/// ", nv, nv * nv": rows and columns of an array behind its scalar; a vector has rows alone.
std::string sizes(const Parameter& parameter) {
  std::string text;
  for (const catalog::Dimension& side : parameter.shape.sides()) {
    const std::string size = side == catalog::num_steps ? "Eigen::Dynamic" : side.text();
    text += (text.find(',', 1) == std::string::npos ? ", " : " * ") + size;
  }
  return text;
}

struct ViewParameter {
  std::string type, declaration, argument;
};

/// `first_output`: the type of the first output.
ViewParameter view_parameter(const Parameter& p, std::size_t index, bool keeps_zeros,
                             const std::string& first_output) {
  const std::string type = "T" + std::to_string(index + 1);
  switch (p.kind) {
    case ParameterKind::input:
      if (p.is_number())
        return {"", "view::Scalar<" + first_output + "> " + p.name, "view::value(" + p.name + ")"};
      return {type, "const Eigen::DenseBase<" + type + ">& " + p.name,
              "view::input<S" + sizes(p) + ">(" + p.name + ")"};
    case ParameterKind::steps:
      return {"", "", "view::value(N)"};
    case ParameterKind::output:
      if (p.has_steps())
        return {type, type + "&& " + p.name,
                "view::steps<S, " + p.shape.sides().front().text() + ">(std::forward<" + type + ">(" +
                    p.name + "), N)"};
      return {type, type + "&& " + p.name,
              (keeps_zeros ? "view::kept<S" : "view::output<S") + sizes(p) + ">(std::forward<" + type + ">(" +
                  p.name + "))"};
    case ParameterKind::link:
      return {"", "Link " + p.name, "view::value(" + p.name + ")"};
    case ParameterKind::frame:
      return {"",
              "featherline::ReferenceFrame " + p.name + " = featherline::ReferenceFrame::local_world_aligned",
              "view::value(" + p.name + ")"};
    default:
      throw InternalError("the Eigen view has no such parameter");
  }
}

std::string view(const Signature& signature, const std::string& name) {
  std::vector<std::string> types, declarations, arguments{"::" + name + "::" + signature.name + "<S>"};
  const auto is_output = [](const Parameter& p) { return p.kind == ParameterKind::output; };
  const auto first = std::ranges::find_if(signature.parameters, is_output) - signature.parameters.begin();
  const std::string first_output = "T" + std::to_string(first + 1);
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const ViewParameter p = view_parameter(signature.parameters[i], i, signature.keeps_zeros, first_output);
    if (!p.type.empty()) types.push_back("class " + p.type);
    if (!p.declaration.empty()) declarations.push_back(p.declaration);
    arguments.push_back(p.argument);
  }
  const auto steps = std::ranges::find_if(signature.parameters, &Parameter::has_steps);
  const std::string count = steps == signature.parameters.end()
                                ? ""
                                : "\n  const int N = static_cast<int>(" + steps->name + ".cols());";
  return "template <" + join(types, ", ") + ">\n" +
         wrap_statement("void " + signature.name + "(" + join(declarations, ", ") + ") {", "") +
         "\n  using S = view::Scalar<" + first_output + ">;" + count + "\n" +
         wrap_statement("view::call(" + join(arguments, ", ") + ");", "  ") + "\n}";
}

std::string view_file(const FileSource& source) {
  const std::string name = emitted_name(source.request.name);
  const auto views = each(make_signatures(source.request), [&](const Signature& s) { return view(s, name); });
  return file_text(source.request, "eigen/robot_eigen.hpp", {{"functions", join(views, "\n\n")}});
}

constexpr FileRule eigen_files[] = {{Each::robot, "NAME_eigen.hpp", view_file}};

}  // namespace

const Binding eigen_view{.name = "eigen", .files = eigen_files};

}  // namespace featherline::emit
