#include "emit/batch.hpp"
#include "emit/files.hpp"
#include "emit/literal.hpp"
#include "emit/render.hpp"
#include "emit/robot_names.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"
#include "model/joint_type.hpp"

#include <featherline/version.hpp>

#include <algorithm>

namespace featherline::emit {
namespace {

using Row = std::vector<std::string>;

/// Rows as aligned comment lines: the first and the last column to the left, the others to the right.
std::string comment_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> width(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    std::string line = "//";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(c + 1 == row.size() ? 0 : width[c] - row[c].size(), ' ');
      line += "  " + (c == 0 ? row[c] + padding : padding + row[c]);
    }
    lines.push_back(line);
  }
  return join(lines, "\n");
}

std::string function_table(const std::vector<FunctionFacts>& facts) {
  std::vector<Row> rows{{" function", "flops", "sincos", "statements", "formulation"}};
  for (const FunctionFacts& f : facts) {
    rows.push_back({" " + f.name, std::to_string(f.flops), std::to_string(f.sincos),
                    std::to_string(f.statements), comment_safe(f.formulation)});
  }
  return comment_table(rows);
}

/// "    a,\n    b,"; a single `placeholder` where there is nothing, since C++ has no empty arrays.
std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder) {
  if (entries.empty()) return "    " + placeholder + "  // there is none: num_... is 0";
  return "    " + join(entries, ",\n    ") + ",";
}

std::string joint_entry(const model::Joint& joint) {
  const auto number = [](int value) { return std::to_string(value); };
  const std::vector<std::string> fields = {std::string("featherline::JointType::") + model::name(joint.type),
                                           number(joint.idx_q),
                                           number(joint.nq),
                                           number(joint.idx_v),
                                           number(joint.nv),
                                           literal_or_infinity(joint.limits.lower),
                                           literal_or_infinity(joint.limits.upper),
                                           literal_or_infinity(joint.limits.velocity),
                                           literal_or_infinity(joint.limits.effort)};
  return wrap_statement("{" + join(fields, ", ") + "}", "    ").substr(4);
}

std::vector<std::string> string_literals(const std::vector<std::string>& texts) {
  std::vector<std::string> literals;
  for (const std::string& text : texts) literals.push_back(string_literal(text));
  return literals;
}

std::vector<std::string> joint_names(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const int i : independent_joints(tree))
    names.push_back(tree.bodies[static_cast<std::size_t>(i)].joint.name);
  return names;
}

std::vector<std::string> link_names(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) names.push_back(link.name);
  return names;
}

/// Index arrays of one packed function.
std::string packed_indices(const FunctionRequest& function) {
  std::vector<std::string> arrays;
  for (std::size_t i = 0; i < function.packed_maps->size(); ++i) {
    const std::string& output = function.algorithm->outputs[i].name;
    const std::string name = function_name(function) + "_" + output;
    std::string entries;
    for (const passes::PackedEntry& entry : (*function.packed_maps)[i]) {
      entries += "{" + std::to_string(entry.dense_index) + "," + std::to_string(entry.packed_index) + "," +
                 (entry.negated ? "-1" : "1") + "}, ";
    }
    const std::string count = std::to_string((*function.packed_maps)[i].size());
    arrays.push_back("/// Where the numbers of " + output + " go, see featherline::unpack(); the rest of " +
                     output + " is zero.\ninline constexpr int " + name + "_entries = " + count +
                     ";\ninline constexpr featherline::PackedEntry " + name + "[] = {\n" +
                     fill_lines(entries.empty() ? "{}" : entries, "    ", "    ") + "\n};");
  }
  return join(arrays, "\n\n");
}

std::string declarations(const Request& request) {
  std::vector<std::string> list;
  for (const FunctionRequest& f : request.functions) {
    if (f.packed_maps) list.push_back(packed_indices(f));
    list.push_back(declaration(make_signature(f), request.scalars));
  }
  return join(list, "\n\n");
}

/// The options as given, except that lists too long for a line get spaces where they may break.
std::string options_comment(const Request& request) {
  constexpr std::size_t longest_word = 60;
  std::string text = request.options.empty() ? "none" : comment_safe(request.options, 1000);
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.find(' ', begin), text.size());
    for (std::size_t i = begin; end - begin > longest_word && i < end; ++i) {
      if (text[i] != ',') continue;
      text.insert(++i, " ");
      ++end;
    }
    begin = end + 1;
  }
  return fill_lines("Options: " + text, "// ", "//   ");
}

std::string gravity(const model::Tree& tree) {
  return literal(tree.gravity.x()) + ", " + literal(tree.gravity.y()) + ", " + literal(tree.gravity.z());
}

}  // namespace

std::string version() {
  return std::to_string(FEATHERLINE_VERSION_MAJOR) + "." + std::to_string(FEATHERLINE_VERSION_MINOR) + "." +
         std::to_string(FEATHERLINE_VERSION_PATCH);
}

std::string banner(const Request& request) {
  std::string text = render(skeleton("banner"), {{"version", version()},
                                                 {"urdf", comment_safe(request.urdf_file)},
                                                 {"sha256", comment_safe(request.urdf_sha256)}});
  text.pop_back();  // the skeleton that takes it ends the line
  return text;
}

std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts) {
  const model::Tree& tree = *request.tree;
  std::vector<std::string> joints;
  const std::vector<int> independent = independent_joints(tree);
  for (const int i : independent)
    joints.push_back(joint_entry(tree.bodies[static_cast<std::size_t>(i)].joint));
  const bool has_mimics = independent.size() != tree.bodies.size();
  return render(skeleton("robot.hpp"),
                {{"banner", banner(request)},
                 {"options", options_comment(request)},
                 {"table", function_table(facts)},
                 {"major", std::to_string(FEATHERLINE_VERSION_MAJOR)},
                 {"minor", std::to_string(FEATHERLINE_VERSION_MINOR)},
                 {"version", version()},
                 {"robot", comment_safe(tree.name.empty() ? request.name : tree.name)},
                 {"gravity", gravity(tree)},
                 {"scalars", join(request.scalars, " and ")},
                 {"name", emitted_name(request.name)},
                 {"nq", std::to_string(tree.nq)},
                 {"nv", std::to_string(tree.nv)},
                 {"num_joints", std::to_string(independent.size())},
                 {"num_links", std::to_string(tree.links.size())},
                 {"joints_note", has_mimics ? "; mimic joints are driven by these and are not listed" : ""},
                 {"joint_names", array_body(string_literals(joint_names(tree)), "\"\"")},
                 {"joints", array_body(joints, "{}")},
                 {"links", "  " + join(link_enumerators(tree), ",\n  ") + ","},
                 {"link_names", array_body(string_literals(link_names(tree)), "\"\"")},
                 {"declarations", declarations(request)},
                 {"batch_include", request.batch ? "#include <featherline/batch.hpp>" : ""},
                 {"batch", request.batch ? batch_declarations(request) : ""}});
}

}  // namespace featherline::emit
