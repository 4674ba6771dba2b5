#include "emit/program_printer.hpp"

#include "emit/text.hpp"
#include "support/diagnostic.hpp"

#include <map>

namespace featherline::emit {
namespace {

using ir::Op;

constexpr const char* indent = "  ";

struct PrintedPart {
  std::string body;
  Usage usage;
};

/// A comment line, or several that hang below the first: "// ---- title ----".
std::string comment_rule(const std::string& title, const std::string& rule) {
  constexpr std::size_t longest = 400;  // names in a title may have any length
  const std::string text = comment_safe(title, longest) + " " + rule;
  return fill_lines(text, std::string(indent) + "// " + rule + " ", std::string(indent) + "//      ") + "\n";
}

/// Prints the statements of one part, with a comment wherever the sweep or the body changes.
class PartPrinter {
 public:
  PartPrinter(const ir::Program& program, const ExpressionPrinter& expressions, const EntryNames& entry_names)
      : program_(program), expressions_(expressions), entry_names_(entry_names) {}

  PrintedPart print(const ir::Part& part) {
    for (const ir::Transfer& load : part.loads) loads_.emplace(load.value, load.slot);
    for (const ir::Transfer& save : part.saves) saves_.emplace(save.value, save.slot);
    for (const ir::Statement& statement : part.statements) print_statement(statement);
    result_.body.insert(0, named_angles());
    return std::move(result_);
  }

 private:
  /// Names for the sines and cosines that the part reads: references cost nothing.
  std::string named_angles() const {
    std::string text;
    for (std::size_t k = 0; k < program_.angles.size(); ++k) {
      const std::string names = expressions_.angle_names(k, result_.usage);
      if (!names.empty()) text += wrap_statement("const S " + names + ";", indent) + "\n";
    }
    return text;
  }

  void print_statement(const ir::Statement& statement) {
    print_section(statement.value);
    Usage usage;
    if (statement.store < 0) {
      const std::string& name = expressions_.name(statement.value);
      const std::string definition = expressions_.definition(statement.value, usage);
      print_loads(usage);
      line("const S " + name + " = " + definition + ";");
      const auto save = saves_.find(statement.value);
      if (save != saves_.end()) line(workspace(save->second) + " = " + name + ";");
    } else {
      const ir::Store& store = program_.function.stores.at(static_cast<std::size_t>(statement.store));
      const std::string value = expressions_.value(store.value, usage);
      print_loads(usage);
      usage.outputs.insert(store.parameter);
      const std::string& array = program_.function.outputs.at(static_cast<std::size_t>(store.parameter)).name;
      line(array + "[" + std::to_string(store.entry) + "] = " + value + ";", entry_name(store));
    }
    result_.usage.merge(usage);
  }

  /// Of the values that a statement mentions for the first time, those that come from other parts.
  void print_loads(const Usage& usage) {
    for (const ir::NodeId id : usage.values) {
      const auto load = loads_.find(id);
      if (load == loads_.end()) continue;
      line("const S " + expressions_.name(id) + " = " + workspace(load->second) + ";");
      loads_.erase(load);
    }
  }

  void print_section(ir::NodeId id) {
    const ir::Graph& graph = program_.function.graph;
    const ir::Node& node = graph[id];
    if (node.op == Op::constant || node.op == Op::input) return;  // shared by all sections
    const std::string& title = graph.sections()[node.section];
    const std::string& sweep = graph.sweep(node.section);
    if (title == title_ && sweep == sweep_) return;
    if (sweep != sweep_ && !sweep.empty()) result_.body += comment_rule(sweep, "====");
    if (!title.empty()) result_.body += comment_rule(title, "----");
    title_ = title;
    sweep_ = sweep;
  }

  std::string entry_name(const ir::Store& store) const {
    return entry_names_ ? entry_names_(store.parameter, store.entry) : "";
  }

  std::string workspace(int slot) {
    result_.usage.workspace = true;
    return "ws[" + std::to_string(slot) + "]";
  }

  /// A statement with `remark` behind it, or above where that would be too long.
  void line(const std::string& statement, const std::string& remark = "") {
    constexpr std::size_t longest_line = 110;
    const std::string text = wrap_statement(statement, indent);
    const std::size_t last_line = text.size() - (text.rfind('\n') + 1);
    if (remark.empty()) {
      result_.body += text + "\n";
    } else if (last_line + remark.size() + 5 <= longest_line) {
      result_.body += text + "  // " + remark + "\n";
    } else {
      result_.body += std::string(indent) + "// " + remark + "\n" + text + "\n";
    }
  }

  const ir::Program& program_;
  const ExpressionPrinter& expressions_;
  const EntryNames& entry_names_;
  PrintedPart result_;
  std::map<ir::NodeId, int> loads_, saves_;  ///< slots; loads_ of what is not loaded yet
  std::string title_, sweep_;
};

/// Lets argument-dependent lookup find the sqrt of any scalar.
std::string using_sqrt(const Usage& usage) {
  return usage.sqrt ? std::string(indent) + "using std::sqrt;\n" : "";
}

/// Parameters of a part's internal function, or the arguments of the call to it: only what it uses.
std::string part_interface(const ir::Function& function, const Usage& usage, bool declare) {
  std::vector<std::string> list;
  const auto add = [&](const char* type, const std::string& name) {
    list.push_back(declare ? pointer_parameter(type, name, true) : name);
  };
  for (const int i : usage.inputs) add("const S*", function.inputs[static_cast<std::size_t>(i)].name);
  if (usage.sines) add("const S*", "sn");
  if (usage.cosines) add("const S*", "cs");
  if (usage.workspace) add("S*", "ws");
  for (const int i : usage.outputs) add("S*", function.outputs[static_cast<std::size_t>(i)].name);
  return join(list, ", ");
}

bool is_input(const ir::Graph& graph, ir::NodeId id, ir::NodeId parameter, ir::NodeId entry) {
  const ir::Node& node = graph[id];
  return node.op == Op::input && node.a == parameter && node.b == entry;
}

/// "q + 7" if the angles are consecutive entries of one input, which sincos can then read in place; else "".
std::string angles_in_place(const ir::Program& program) {
  const ir::Graph& graph = program.function.graph;
  const ir::Node first = graph[program.angles.front()];
  if (first.op != Op::input) return "";
  for (std::size_t k = 0; k < program.angles.size(); ++k) {
    if (!is_input(graph, program.angles[k], first.a, first.b + static_cast<ir::NodeId>(k))) return "";
  }
  return program.function.inputs[first.a].name + (first.b == 0 ? "" : " + " + std::to_string(first.b));
}

/// The one call that evaluates all sines and cosines.
std::string print_angles(const ir::Program& program, const ExpressionPrinter& expressions, Usage& usage) {
  if (program.angles.empty()) return "";
  const std::string count = std::to_string(program.angles.size());
  std::vector<std::string> angles;
  for (std::size_t k = 0; k < program.angles.size(); ++k) angles.push_back(expressions.angle(k, usage));
  std::string text;
  std::string source = angles_in_place(program);
  if (source.empty()) {
    source = "angle";
    text += wrap_statement("const S angle[" + count + "] = {" + join(angles, ", ") + "};", indent) + "\n";
  }
  return text + indent + "S sn[" + count + "], cs[" + count + "];\n" + indent + "featherline::sincos<" +
         count + ">(" + source + ", sn, cs);\n";
}

/// Clears the outputs whose structural zeros are not stored.
std::string print_clears(const ir::Program& program, Usage& usage) {
  std::string text;
  for (const int p : program.cleared) {
    const ir::Parameter& output = program.function.outputs.at(static_cast<std::size_t>(p));
    usage.outputs.insert(p);
    text += std::string(indent) + "featherline::clear<" + std::to_string(output.size) + ">(" + output.name +
            ");\n";
  }
  return text;
}

std::string internal_function(const ir::Program& program, const PrintedPart& part, const std::string& name) {
  const std::string head = "FEATHERLINE_NOINLINE void " + name + "(";
  return "template <class S>\n" +
         wrap_statement(head + part_interface(program.function, part.usage, true) + ") {", "") + "\n" +
         using_sqrt(part.usage) + part.body + "}\n";
}

/// Several parts: one internal function each, called in turn on a common workspace.
PrintedProgram print_parts(const ir::Program& program, const ExpressionPrinter& expressions,
                           const EntryNames& entry_names, const std::string& stem) {
  PrintedProgram printed;
  std::string calls;
  Usage all;
  for (std::size_t k = 0; k < program.parts.size(); ++k) {
    const PrintedPart part = PartPrinter(program, expressions, entry_names).print(program.parts[k]);
    const std::string name = stem + "_part" + std::to_string(k + 1);
    printed.internal += (k > 0 ? "\n" : "") + internal_function(program, part, name);
    calls +=
        wrap_statement("detail::" + name + "(" + part_interface(program.function, part.usage, false) + ");",
                       indent) +
        "\n";
    all.merge(part.usage);
  }
  Usage angle_usage;
  printed.body = print_clears(program, angle_usage) + print_angles(program, expressions, angle_usage);
  printed.body.insert(0, using_sqrt(angle_usage));
  if (all.workspace) {
    printed.body += std::string(indent) + "S ws[" + std::to_string(program.workspace_size) +
                    "];  // values that " + "cross from one part to another\n";
  }
  printed.body += calls;
  all.merge(angle_usage);
  printed.usage = all;
  return printed;
}

PrintedProgram print_single(const ir::Program& program, const ExpressionPrinter& expressions,
                            const EntryNames& entry_names) {
  PrintedProgram printed;
  printed.body = print_clears(program, printed.usage) + print_angles(program, expressions, printed.usage);
  if (!program.parts.empty()) {
    const PrintedPart part = PartPrinter(program, expressions, entry_names).print(program.parts.front());
    printed.body += part.body;
    printed.usage.merge(part.usage);
  }
  printed.body.insert(0, using_sqrt(printed.usage));
  return printed;
}

}  // namespace

std::string pointer_parameter(const std::string& type, const std::string& name, bool used) {
  return type + " FEATHERLINE_RESTRICT " + (used ? name : "/*" + name + "*/");
}

PrintedProgram print_program(const ir::Program& program, const std::string& name,
                             const EntryNames& entry_names) {
  const ExpressionPrinter expressions(program);
  PrintedProgram printed = program.parts.size() > 1 ? print_parts(program, expressions, entry_names, name)
                                                    : print_single(program, expressions, entry_names);
  if (!printed.body.empty()) printed.body.pop_back();  // the template ends the line
  return printed;
}

}  // namespace featherline::emit
