#include "emit/bindings/python_stub.hpp"

#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
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

/// "q: ArrayLike, link: Link, frame: Frame = ..., *, out: ... = None, threads: int = 1".
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
  return list + (list.empty() ? "" : ", ") + "*, out: Optional[" + out + "] = None, threads: int = 1";
}

/// Text between triple quotes, indented.
std::string docstring(const Signature& signature) {
  const std::string doc = doc_comment(signature, "    ");
  return "    \"\"\"" + doc.substr(4) + "    \"\"\"";
}

/// Names that begin with an underscore are not there when the module runs.
std::string result_name(const Signature& signature) { return "_" + signature.name + "_result"; }

/// A number of one state is an array of many.
std::string result_type(const Parameter& output) {
  return output.shape.rank() == 0 ? "Union[float, _Array]" : "_Array";
}

/// The named tuple of functions with several outputs.
std::string result_class(const Signature& signature) {
  std::string text = "class " + result_name(signature) + "(NamedTuple):\n";
  for (const Parameter& p : signature.outputs()) text += "    " + p.name + ": " + result_type(p) + "\n";
  return text + "\n";
}

std::string stub(const Signature& signature) {
  const std::vector<Parameter> outputs = signature.outputs();
  const bool several = outputs.size() > 1;
  const std::string result = several ? result_name(signature) : result_type(outputs.front());
  const std::string out = several ? "Sequence[Optional[_Array]]" : "_Array";
  return (several ? result_class(signature) : "") + "def " + signature.name + "(" +
         parameters(signature, out) + ") -> " + result + ":\n" + docstring(signature) + "\n    ...";
}

bool counts_entries(const catalog::Dimension& side) {
  using Of = catalog::Dimension::Of;
  return side.factor == 1 &&
         (side.of == Of::num_links || side.of == Of::num_frames || side.of == Of::num_external_forces);
}

catalog::Shape python_shape(const catalog::Shape& shape) {
  if (shape == catalog::Shape{1}) return {};
  if (shape.rank() != 2 || !counts_entries(shape.sides()[1])) return shape;
  const catalog::Dimension each = shape.sides()[0], entries = shape.sides()[1];
  return each == 9 ? catalog::Shape{entries, 3, 3} : catalog::Shape{entries, each};
}

std::string entries_text(const catalog::Shape& shape) {
  std::vector<std::string> sides;
  for (const catalog::Dimension& side : shape.sides()) sides.push_back(side.text());
  return join(sides, " x ");
}

}  // namespace

bool has_entries_first(const catalog::Shape& shape) {
  return shape.rank() > 1 && counts_entries(shape.sides().front());
}

std::vector<Signature> python_signatures(const LoweredFunction& function, const model::Tree& tree) {
  std::vector<Signature> signatures = make_signatures(function, tree);
  for (Signature& signature : signatures) {
    for (Parameter& p : signature.parameters) {
      p.name += is_word_of_python(p.name) ? "_" : "";
      if (!function.packed_maps) p.shape = python_shape(p.shape);  // packed forms are vectors
      if (has_entries_first(p.shape)) p.shape_text = entries_text(p.shape);
    }
  }
  return signatures;
}

std::string python_stub_file(const FileSource& source) {
  const Request& request = source.request;
  std::vector<std::string> functions;
  for (const LoweredFunction& function : request.functions) {
    for (const Signature& signature : python_signatures(function, *request.tree))
      functions.push_back(stub(signature));
  }
  return render(skeleton("python/robot.pyi"), {{"version", version()},
                                               {"urdf", comment_safe(request.urdf_file)},
                                               {"name", emitted_name(request.name)},
                                               {"functions", join(functions, "\n\n\n")}});
}

}  // namespace featherline::emit
