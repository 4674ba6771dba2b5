// The C interface of `--c-api`: NAME.h, NAME_c.cpp with sizes and names, and the C functions at the end of the file of
// their template, so that one function more is one file more to compile.
#include "emit/bindings/bindings.hpp"
#include "emit/constants.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace featherline::emit {
namespace {

/// "arm_rnea", "arm_rnea_float".
std::string c_name(const std::string& name, const std::string& function, const std::string& scalar) {
  return name + "_" + function + (scalar == "double" ? "" : "_" + scalar);
}

/// Of a link or a frame, which C callers name by a number.
bool takes_an_index(const Signature& signature) { return !signature.by_value().empty(); }

/// "int arm_frame_jacobian(const double* q, int link, double* J, int frame)".
std::string prototype(const Signature& signature, const std::string& name, const std::string& scalar) {
  const std::string list = argument_list(signature, [&](const Parameter& p) {
    const std::string type = p.kind == ParameterKind::input    ? "const " + scalar + "* "
                             : p.kind == ParameterKind::output ? scalar + "* "
                                                               : "int ";
    return type + p.name;
  });
  return (takes_an_index(signature) ? "int " : "void ") + c_name(name, signature.name, scalar) + "(" + list +
         ")";
}

/// The doc comment of the template with one line more where there is a result.
std::string c_declaration(const Signature& signature, const std::string& name,
                          const std::vector<std::string>& scalars) {
  std::string text = doc_comment(signature, "// ");
  if (takes_an_index(signature)) {
    text += "// Returns 0, or -1 when link or frame does not exist: then nothing is written.\n";
  }
  for (const std::string& scalar : scalars) {
    text += wrap_statement(prototype(signature, name, scalar) + ";", "") + "\n";
  }
  text.pop_back();
  return text;
}

std::string map_prototype(const std::string& output) {
  return "void " + output + "_map(int* index, int* source, int* sign)";
}

/// Sizes of the packed outputs and the functions that tell where their numbers go.
std::string packed_declarations(const LoweredFunction& function, const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < function.packed_maps->size(); ++i) {
    const std::string output = name + "_" + function_name(function) + "_" + function.spec->outputs[i].name;
    text += fmt::format(
        "{1}\nenum {{\n  {0}_entries = {2},\n  {0}_size = {3}\n}};\n{4}\n\n", output,
        fill_lines(fmt::format("Dense entry index[k] is sign[k] times packed entry source[k] for k from 0 to "
                               "{0}_entries - 1, and every other dense entry is zero. The packed array has "
                               "{0}_size entries.",
                               output),
                   "// ", "// "),
        (*function.packed_maps)[i].size(), function.kernel.outputs[i].size,
        wrap_statement(map_prototype(output) + ";", ""));
  }
  return text;
}

std::string argument(const Parameter& p, const std::string& name) {
  if (p.kind == ParameterKind::link) return "static_cast<::" + name + "::Link>(link)";
  if (p.kind == ParameterKind::frame) return "static_cast<featherline::ReferenceFrame>(frame)";
  return p.name;
}

/// Lines that refuse links and frames that do not exist.
std::string guards(const Signature& signature, std::size_t num_links) {
  std::string text;
  for (const Parameter& p : signature.by_value()) {
    const std::string known = p.kind == ParameterKind::link
                                  ? "is_index(link, " + std::to_string(num_links) + ")"
                                  : "is_frame(frame)";
    text +=
        "  if (!featherline::c_interface::" + known + ") return featherline::c_interface::no_such_index;\n";
  }
  return text;
}

std::string c_definition(const Signature& signature, const Request& request, const std::string& scalar) {
  const std::string name = emitted_name(request.name);
  const std::string arguments =
      argument_list(signature, [&](const Parameter& p) { return argument(p, name); });
  return wrap_statement(prototype(signature, name, scalar) + " {", "") + "\n" +
         guards(signature, request.tree->links.size()) +
         wrap_statement("::" + name + "::" + signature.name + "<" + scalar + ">(" + arguments + ");", "  ") +
         (takes_an_index(signature) ? "\n  return 0;\n}" : "\n}");
}

std::string packed_definitions(const LoweredFunction& function, const std::string& name) {
  std::string text;
  for (const catalog::Argument& output : function.spec->outputs) {
    const std::string array = function_name(function) + "_" + output.name;
    const std::string table = "::" + name + "::" + array;
    text += wrap_statement(map_prototype(name + "_" + array) + " {", "") + "\n" +
            wrap_statement("featherline::c_interface::copy_map(" + table + ", " + table +
                               "_entries, index, source, sign);",
                           "  ") +
            "\n}\n\n";
  }
  return text;
}

/// "  arm_num_bodies = 7,": sizes that only some functions have.
std::string further_size_enumerators(const Request& request, const std::string& robot) {
  return join(each(further_sizes(request),
                   [&](const auto& size) {
                     return "  " + robot + "_" + size.first + " = " + std::to_string(size.second) + ",";
                   }),
              "\n");
}

/// Of the constants: float where no function is in double.
std::string constant_scalar(const Request& request) {
  const std::vector<std::string>& scalars = request.options.scalars;
  const bool has_double = std::find(scalars.begin(), scalars.end(), "double") != scalars.end();
  return has_double ? "double" : "float";
}

std::string header_file(const FileSource& source) {
  const Request& request = source.request;
  const std::string name = emitted_name(request.name);
  const model::Tree& tree = *request.tree;
  std::vector<std::string> links, declarations;
  const std::vector<std::string> enumerators = link_enumerators(tree);
  for (std::size_t i = 0; i < enumerators.size(); ++i) {
    links.push_back("  " + name + "_LINK_" + enumerators[i] + " = " + std::to_string(i));
  }
  for (const LoweredFunction& f : request.functions) {
    std::string packed = f.packed_maps ? packed_declarations(f, name) : "";
    for (const Signature& signature : make_signatures(f, *request.tree))
      declarations.push_back(std::exchange(packed, "") +
                             c_declaration(signature, name, request.options.scalars));
  }
  return file_text(request, "c/robot.h",
                   {{"scalar", constant_scalar(request)},
                    {"nq", std::to_string(tree.nq)},
                    {"nv", std::to_string(tree.nv)},
                    {"further_sizes", further_size_enumerators(request, name)},
                    {"num_joints", std::to_string(independent_joints(tree).size())},
                    {"num_links", std::to_string(tree.links.size())},
                    {"links", join(links, ",\n")},
                    {"chosen_inputs", c_declarations_of_chosen(tree, name, constant_scalar(request))},
                    {"declarations", join(declarations, "\n\n")}});
}

std::string source_file(const FileSource& source) {
  const Request& request = source.request;
  const model::Tree& tree = *request.tree;
  const std::string name = emitted_name(request.name), scalar = constant_scalar(request);
  return file_text(request, "c/robot_c.cpp",
                   {{"scalar", scalar},
                    {"chosen_inputs", c_getters_of_chosen(tree, name, scalar)},
                    {"nq", std::to_string(tree.nq)},
                    {"nv", std::to_string(tree.nv)},
                    {"num_joints", std::to_string(independent_joints(tree).size())},
                    {"num_links", std::to_string(tree.links.size())},
                    {"joint_names", joint_name_rows(tree)},
                    {"link_names", link_name_rows(tree)},
                    {"neutral", neutral_rows(tree, scalar)},
                    {"total_mass", literal(total_mass(tree), scalar)},
                    {"num_parents", std::to_string(tree.bodies.size())},
                    {"parents", parent_rows(tree)}});
}

std::string includes(const Request& request, const LoweredFunction& function) {
  std::string lines;
  if (function.packed_maps) lines += "\n#include \"" + packed_index_file_name(request, function) + "\"\n";
  if (function.packed_maps || takes_an_index(make_signature(function, *request.tree)))
    lines += "\n#include <featherline/c_interface.hpp>";
  return lines;
}

std::string functions(const Request& request, const LoweredFunction& function) {
  const std::string name = emitted_name(request.name);
  std::string text = function.packed_maps ? packed_definitions(function, name) : "";
  for (const Signature& signature : make_signatures(function, *request.tree)) {
    for (const std::string& scalar : request.options.scalars)
      text += c_definition(signature, request, scalar) + "\n\n";
  }
  text.resize(text.size() - 2);
  return "\n" + render(skeleton("c/functions"), {{"name", name}, {"functions", text}});
}

constexpr FileRule c_files[] = {{Each::robot, "NAME.h", header_file},
                                {Each::robot, "NAME_c.cpp", source_file}};

}  // namespace

extern const Binding c_interface;
const Binding c_interface{.name = "c_interface",
                          .option = "c-api",
                          .files = c_files,
                          .source_includes = includes,
                          .source_functions = functions};

}  // namespace featherline::emit
