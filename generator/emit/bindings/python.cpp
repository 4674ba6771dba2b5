// What Python reads of `--python`: NAME_python.cpp has the tables of featherline/python_table.hpp, NAME.pyi the same
// for people and editors.
#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace featherline::emit {
namespace {

/// Those that C++ does not keep for itself: no parameter of an emitted function has one of the others.
constexpr std::string_view words_of_python[] = {
    "as",     "assert", "async", "await", "def",    "del",      "elif", "except", "finally", "from",
    "global", "import", "in",    "is",    "lambda", "nonlocal", "pass", "raise",  "with",    "yield"};

bool counts_entries(const catalog::Dimension& side) {
  return side == catalog::num_links || side == catalog::num_frames || side == catalog::num_external_forces ||
         side == catalog::num_steps;
}

catalog::Shape python_shape(const catalog::Shape& shape) {
  if (shape == catalog::Shape{1}) return {};
  if (shape.rank() != 2 || !counts_entries(shape.sides()[1])) return shape;
  const catalog::Dimension each = shape.sides()[0], entries = shape.sides()[1];
  return each == 9 ? catalog::Shape{entries, 3, 3} : catalog::Shape{entries, each};
}

/// Whether a shape of Python begins with an entry for each link, frame or step.
bool has_entries_first(const catalog::Shape& shape) {
  return shape.rank() > 1 && counts_entries(shape.sides().front());
}

/// The functions of one source as Python has them. A parameter called by one of its words, "lambda", is "lambda_". One
/// number is not an array. What has an entry for each link, frame or step has these first: p is num_frames x 3, and R,
/// of which C++ has nine numbers each, num_frames x 3 x 3. The number of steps follows from the arrays.
std::vector<Signature> python_signatures(const LoweredFunction& function, const model::Tree& tree) {
  std::vector<Signature> signatures = make_signatures(function, tree);
  for (Signature& signature : signatures) {
    std::erase_if(signature.parameters, [](const Parameter& p) { return p.kind == ParameterKind::steps; });
    for (Parameter& p : signature.parameters) {
      p.name += std::ranges::count(words_of_python, p.name) > 0 ? "_" : "";
      if (!function.packed_maps) p.shape = python_shape(p.shape);  // packed forms are vectors
      if (has_entries_first(p.shape))
        p.shape_text = join(each(p.shape.sides(), &catalog::Dimension::text), " x ");
    }
  }
  return signatures;
}

/// What Python checks of an array.
std::string demand(const LoweredFunction& function, const Parameter& p) {
  for (const catalog::Argument& input : function.spec->inputs) {
    if (p.kind != ParameterKind::input || input.name != p.name) continue;
    if (input.quantity == catalog::Quantity::position) return "table::Demand::unit_quaternions";
    if (input.quantity == catalog::Quantity::active)
      return function.spec->knows_motors ? "table::Demand::weights" : "table::Demand::switches";
  }
  return "table::Demand::none";
}

std::string array_row(const LoweredFunction& function, const Parameter& p, const catalog::Sizes& sizes) {
  const auto sides = each(p.shape.sides(), [&](const auto& side) -> std::string {
    return side == catalog::num_steps ? "table::any_number" : std::to_string(side.size(sizes));
  });
  const bool is_output = p.kind == ParameterKind::output;
  return fmt::format("    {{\"{}\", {}, {}, {}, {}, {{{}}}}},", p.name, is_output, demand(function, p),
                     has_entries_first(p.shape), p.shape.rank(), join(sides, ", "));
}

std::string array_table(const LoweredFunction& function, const Signature& signature,
                        const catalog::Sizes& sizes) {
  std::string rows;
  for (const Parameter& p : signature.of({ParameterKind::input, ParameterKind::output}))
    rows += array_row(function, p, sizes) + "\n";
  return "constexpr table::Array " + signature.name + "_arrays[] = {\n" + rows + "};";
}

std::string adapter(const std::string& function, const std::string& scalar) {
  return "table::Adapter<&" + function + "<" + scalar + ">>::call";
}

/// "{one, prepare, many}", null where the scalar is not emitted.
std::string calls(const Request& request, const Signature& signature, bool has_batch,
                  const std::string& scalar) {
  const auto& scalars = request.options.scalars;
  if (std::ranges::find(scalars, scalar) == scalars.end()) return "{}";
  const std::string many = has_batch ? ",\n      " + adapter("robot::batch::" + signature.name, scalar) : "";
  return "{" + adapter("robot::" + signature.name, scalar) + ",\n      " +
         adapter("robot::prepare::" + signature.name, scalar) + many + "}";
}

std::string function_row(const Request& request, const Signature& signature) {
  const bool has_batch = request.options.has_binding("batch") && !signature.keeps_zeros;
  const auto takes = [&](ParameterKind kind) { return !signature.of({kind}).empty(); };
  return fmt::format("    {{\"{0}\",\n{1},\n     {0}_arrays, {2}, {3}, {4},\n     {5},\n     {6}}},",
                     signature.name, multiline_literal(doc_comment(signature, ""), "     "),
                     takes(ParameterKind::link), takes(ParameterKind::frame), signature.keeps_zeros,
                     calls(request, signature, has_batch, "double"),
                     calls(request, signature, has_batch, "float"));
}

/// Where q has quaternions.
std::vector<std::string> quaternion_rows(const model::Tree& tree) {
  std::vector<std::string> rows;
  for (const int i : independent_joints(tree)) {
    const model::Joint& joint = tree.bodies[index(i)].joint;
    const int entry = joint.row().quaternion();
    if (entry >= 0)
      rows.push_back(fmt::format("{{{}, {}}}", joint.idx_q + entry, string_literal(joint.name)));
  }
  return rows;
}

std::string binding_file(const FileSource& source) {
  const Request& request = source.request;
  const catalog::Sizes sizes = catalog::sizes_of(*request.tree);
  const auto& forces = request.tree->chosen.forces;
  const std::vector<std::string> quaternions = quaternion_rows(*request.tree);
  std::vector<std::string> tables, functions;
  for (const LoweredFunction& function : request.functions) {
    for (const Signature& signature : python_signatures(function, *request.tree)) {
      tables.push_back(array_table(function, signature, sizes));
      functions.push_back(function_row(request, signature));
    }
  }
  return file_text(request, "python/robot_python.cpp",
                   {{"quaternions", quaternions.empty() ? "" : array_body(quaternions, "")},
                    {"external_forces", forces.empty() ? "" : fmt::format("{{{}}}", fmt::join(forces, ", "))},
                    {"tables", join(tables, "\n\n")},
                    {"functions", join(functions, "\n")},
                    {"num_functions", std::to_string(functions.size())}},
                   robot_values(request, "double"));
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

/// The same of `prepare`.
std::string prepare_stub(const Signature& signature) {
  const std::string out = signature.outputs().size() > 1 ? "Sequence[Optional[_Array]]" : "_Array";
  return "    @staticmethod\n    def " + signature.name + "(" + parameters(signature, out) + ") -> None: ...";
}

/// NAME.pyi: what the module holds, for editors and type checkers.
std::string stub_file(const FileSource& source) {
  const Request& request = source.request;
  std::vector<std::string> functions, prepared;
  for (const LoweredFunction& function : request.functions) {
    for (const Signature& signature : python_signatures(function, *request.tree)) {
      functions.push_back(stub(signature));
      prepared.push_back(prepare_stub(signature));
    }
  }
  return render(skeleton("python/robot.pyi"),
                {{"version", version()},
                 {"model", comment_safe(request.model_file)},
                 {"name", emitted_name(request.name)},
                 {"joint_columns", request.tree->joint_columns.empty() ? "" : "yes"},
                 {"functions", join(functions, "\n\n\n")},
                 {"prepared", join(prepared, "\n")}});
}

constexpr FileRule python_files[] = {{Each::robot, "NAME_python.cpp", binding_file},
                                     {Each::robot, "NAME.pyi", stub_file}};

}  // namespace

const Binding python_tables{.name = "python", .option = "python", .files = python_files};

}  // namespace featherline::emit
