#include "emit/bindings/python_stub.hpp"

#include "emit/files.hpp"
#include "emit/names.hpp"
#include "emit/text.hpp"

#include <algorithm>
#include <iterator>

namespace featherline::emit {
namespace {

/// Those that C++ does not keep for itself: no parameter of an emitted function has one of the others.
constexpr std::string_view words_of_python[] = {
    "as",     "assert", "async", "await", "def",    "del",      "elif", "except", "finally", "from",
    "global", "import", "in",    "is",    "lambda", "nonlocal", "pass", "raise",  "with",    "yield"};

bool is_word_of_python(const std::string& name) {
  return std::find(std::begin(words_of_python), std::end(words_of_python), name) != std::end(words_of_python);
}

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

/// Names that begin with an underscore are not there when the module runs.
std::string result_name(const Signature& signature) { return "_" + signature.name + "_result"; }

/// The named tuple of functions with several outputs.
std::string result_class(const Signature& signature) {
  std::string text = "class " + result_name(signature) + "(NamedTuple):\n";
  for (const Parameter& p : signature.outputs()) text += "    " + p.name + ": _Array\n";
  return text + "\n";
}

std::string stub(const Signature& signature) {
  const std::vector<Parameter> outputs = signature.outputs();
  const bool several = outputs.size() > 1;
  const std::string result = several ? result_name(signature) : "_Array";
  const std::string out = several ? "Sequence[Optional[_Array]]" : "_Array";
  return (several ? result_class(signature) : "") + "def " + signature.name + "(" +
         parameters(signature, out) + ") -> " + result + ":\n" + docstring(signature) + "\n    ...";
}

}  // namespace

std::vector<Signature> python_signatures(const FunctionRequest& function) {
  std::vector<Signature> signatures = make_signatures(function);
  for (Signature& signature : signatures) {
    for (Parameter& p : signature.parameters) p.name += is_word_of_python(p.name) ? "_" : "";
  }
  return signatures;
}

std::string python_stub_file(const FileSource& source) {
  const Request& request = source.request;
  std::vector<std::string> functions;
  for (const FunctionRequest& function : request.functions) {
    for (const Signature& signature : python_signatures(function)) functions.push_back(stub(signature));
  }
  return render(skeleton("python/robot.pyi"), {{"version", version()},
                                               {"urdf", comment_safe(request.urdf_file)},
                                               {"name", emitted_name(request.name)},
                                               {"functions", join(functions, "\n\n\n")}});
}

}  // namespace featherline::emit
