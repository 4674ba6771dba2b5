// The C interface of `--c-api`: NAME.h, NAME_c.cpp with sizes and names, and the C functions at the end of the file of
// their template, so that one function more is one file more to compile.
#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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
    const std::string type = p.is_number()                     ? scalar + " "
                             : p.kind == ParameterKind::input  ? "const " + scalar + "* "
                             : p.kind == ParameterKind::output ? scalar + "* "
                                                               : "int ";
    return type + p.name;
  });
  return (takes_an_index(signature) ? "int " : "void ") + c_name(name, signature.name, scalar) + "(" + list +
         ")";
}

/// NAME_prepare_F, which calls NAME::prepare::F.
Signature prepared(Signature signature) {
  signature.name = "prepare_" + signature.name;
  return signature;
}

/// The doc comment of the template with one line more where there is a result.
std::string c_declaration(const Signature& signature, const std::string& name,
                          const std::vector<std::string>& scalars) {
  std::string text = doc_comment(signature, "// ");
  if (takes_an_index(signature)) {
    text += "// Returns 0, or -1 when link or frame does not exist: then nothing is written.\n";
  }
  const auto declared = [&](const std::string& scalar) {
    return wrap_statement(prototype(signature, name, scalar) + ";", "") + "\n" +
           wrap_statement(prototype(prepared(signature), name, scalar) + ";", "");
  };
  return text + join(each(scalars, declared), "\n");
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

/// Calls `callee` of the namespace NAME.
std::string c_definition(const Signature& signature, const std::string& callee, const Request& request,
                         const std::string& scalar) {
  const std::string name = emitted_name(request.name);
  const std::string arguments =
      argument_list(signature, [&](const Parameter& p) { return argument(p, name); });
  // NAME_casadi.c has functions of the same names.
  const std::string weak = request.options.has_binding("casadi") ? "[[gnu::weak]] " : "";
  return wrap_statement(weak + prototype(signature, name, scalar) + " {", "") + "\n" +
         guards(signature, request.tree->links.size()) +
         wrap_statement("::" + name + "::" + callee + "<" + scalar + ">(" + arguments + ");", "  ") +
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
  std::vector<std::string> lines;
  for (const auto& [name, value] : further_sizes(request.functions, *request.tree)) {
    if (!value.empty()) lines.push_back("  " + robot + "_" + name + " = " + value + ",");
  }
  return join(lines, "\n");
}

/// Of the constants: float where no function is in double.
std::string constant_scalar(const Request& request) {
  const std::vector<std::string>& scalars = request.options.scalars;
  const bool has_double = std::ranges::find(scalars, "double") != scalars.end();
  return has_double ? "double" : "float";
}

/// Enumerators of links, and of what the user chose: forces, parameters, frames and constraints.
std::vector<Replacement> enumerators(const model::Tree& tree, const std::string& name) {
  const std::vector<std::string> link_names = link_enumerators(tree), frame_names = frame_enumerators(tree);
  Namer parameter_namer("parameter"), constraint_namer("constraint");
  std::vector<std::string> links, forces, frames, constraints;
  for (const std::string& link : link_names)
    links.push_back(fmt::format("  {}_LINK_{} = {}", name, link, links.size()));
  for (const int link : tree.chosen.forces)
    forces.push_back(fmt::format("  {}_FORCE_{} = {}", name, link_names[index(link)], forces.size()));
  for (const model::ChosenFrame& frame : tree.frames.chosen)
    frames.push_back(fmt::format("  {0}_POSE_OF_{1} = {2},\n  {0}_ROW_OF_{1} = {3}", name,
                                 frame_names[frames.size()], frames.size(), frame.first_row));
  for (const model::Constraint& constraint : tree.constraints.all)
    constraints.push_back(fmt::format("  {0}_CONSTRAINT_{1} = {2},\n  {0}_LAMBDA_OF_{1} = {3}", name,
                                      constraint_namer.take(constraint.name), constraints.size(),
                                      constraint.first_row));
  const auto parameter = [&](const model::Parameter& p) {
    return fmt::format("  {}_PARAMETER_{} = {}", name, parameter_namer.take(p.name), p.index);
  };
  return {{"links", join(links, ",\n")},
          {"forces", join(forces, ",\n")},
          {"parameters", join(each(model::parameters(tree), parameter), ",\n")},
          {"frames", join(frames, ",\n")},
          {"constraints", join(constraints, ",\n")}};
}

std::string header_file(const FileSource& source) {
  const Request& request = source.request;
  const std::string name = emitted_name(request.name), scalar = constant_scalar(request);
  const model::Tree& tree = *request.tree;
  std::vector<std::string> declarations;
  for (const LoweredFunction& f : request.functions) {
    std::string packed = f.packed_maps ? packed_declarations(f, name) : "";
    for (const Signature& signature : make_signatures(f, tree))
      declarations.push_back(std::exchange(packed, "") +
                             c_declaration(signature, name, request.options.scalars));
  }
  std::vector<Replacement> values = enumerators(tree, name);
  values.insert(values.end(), {{"scalar", scalar},
                               {"further_sizes", further_size_enumerators(request, name)},
                               {"row_meanings", row_meanings(tree, "//")},
                               {"declarations", join(declarations, "\n\n")}});
  return file_text(request, "c/robot.h", std::move(values), robot_values(request, scalar));
}

/// "1, 2, 3": a number of each entry.
template <class List, class Number>
std::string numbers(const List& list, const Number& number) {
  return join(each(list, [&](const auto& entry) { return std::to_string(std::invoke(number, entry)); }),
              ", ");
}

std::string source_file(const FileSource& source) {
  using model::Constraint, model::ChosenFrame;
  const Request& request = source.request;
  const model::Tree& tree = *request.tree;
  const auto& frames = tree.frames.chosen;
  const auto& constraints = tree.constraints.all;
  const auto name = [](const auto& entry) { return string_literal(entry.name); };
  const auto type = [](const Constraint& c) { return string_literal(model::kind_of(c.type).name); };
  const std::string scalar = constant_scalar(request);
  const auto joint = [&](int i) {
    const model::Joint& found = tree.bodies[index(i)].joint;
    return joint_literal(found, string_literal(model::name(found.type)), scalar, true);
  };
  return file_text(request, "c/robot_c.cpp",
                   {{"scalar", scalar},
                    {"joints", array_body(each(independent_joints(tree), joint), "{}")},
                    {"num_parents", std::to_string(tree.bodies.size())},
                    {"force_links", numbers(tree.chosen.forces, std::identity())},
                    {"num_named_parameters", std::to_string(model::parameters(tree).size())},
                    {"frame_names", array_body(each(frames, name), "\"\"")},
                    {"frame_axes_number", std::to_string(static_cast<int>(tree.frames.axes))},
                    {"frame_links", numbers(frames, &ChosenFrame::link)},
                    {"frame_num_rows", numbers(frames, &ChosenFrame::num_rows)},
                    {"frame_first_rows", numbers(frames, &ChosenFrame::first_row)},
                    {"constraint_names", array_body(each(constraints, name), "\"\"")},
                    {"constraint_types", array_body(each(constraints, type), "\"\"")},
                    {"constraint_num_rows", numbers(constraints, &Constraint::num_rows)},
                    {"constraint_first_rows", numbers(constraints, &Constraint::first_row)},
                    {"constraint_normal_rows", numbers(constraints, &Constraint::normal_row)}},
                   robot_values(request, scalar));
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
      text += c_definition(signature, signature.name, request, scalar) + "\n\n" +
              c_definition(prepared(signature), "prepare::" + signature.name, request, scalar) + "\n\n";
  }
  text.resize(text.size() - 2);
  return "\n" + render(skeleton("c/functions"), {{"name", name}, {"functions", text}});
}

constexpr FileRule c_files[] = {{Each::robot, "NAME.h", header_file},
                                {Each::robot, "NAME_c.cpp", source_file}};

}  // namespace

const Binding c_interface{.name = "c_interface",
                          .option = "c-api",
                          .files = c_files,
                          .source_includes = includes,
                          .source_functions = functions};

}  // namespace featherline::emit
