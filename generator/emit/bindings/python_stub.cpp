#include "emit/bindings/python_stub.hpp"

#include "emit/files.hpp"
#include "emit/names.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

/// "q: ArrayLike, link: Link, frame: Frame = ..., *, out: ... = None".
std::string parameters(const Signature& signature, const std::string& out) {
  std::string list = argument_list(signature, [](const Parameter& p) -> std::string {
    switch (p.kind) {
      case ParameterKind::input:
        return p.name + ": ArrayLike";
      case ParameterKind::link:
        return "link: Union[str, int]";
      case ParameterKind::frame:
        return "frame: str = \"local_world_aligned\"";
      default:
        return "";
    }
  });
  return list + (list.empty() ? "" : ", ") + "*, out: Optional[" + out + "] = None";
}

/// Text between triple quotes, indented.
std::string docstring(const Signature& signature) {
  const std::string doc = doc_comment(signature, "    ");
  return "    \"\"\"" + doc.substr(4) + "    \"\"\"";
}

/// The named tuple of functions with several outputs.
std::string result_class(const Signature& signature) {
  std::string text = "class " + signature.name + "_result(NamedTuple):\n";
  for (const Parameter& p : signature.outputs()) text += "    " + p.name + ": Array\n";
  return text + "\n";
}

std::string stub(const Signature& signature) {
  const std::vector<Parameter> outputs = signature.outputs();
  const bool several = outputs.size() > 1;
  const std::string result = several ? signature.name + "_result" : "Array";
  const std::string out = several ? "Sequence[Optional[Array]]" : "Array";
  return (several ? result_class(signature) : "") + "def " + signature.name + "(" +
         parameters(signature, out) + ") -> " + result + ":\n" + docstring(signature) + "\n    ...";
}

}  // namespace

std::string python_stub_file(const FileSource& source) {
  const Request& request = source.request;
  std::vector<std::string> functions;
  for (const FunctionRequest& function : request.functions) {
    for (const Signature& signature : make_signatures(function)) functions.push_back(stub(signature));
  }
  return render(skeleton("python/robot.pyi"), {{"version", version()},
                                               {"urdf", comment_safe(request.urdf_file)},
                                               {"name", emitted_name(request.name)},
                                               {"functions", join(functions, "\n\n\n")}});
}

}  // namespace featherline::emit
