#include "emit/straight_line.hpp"

#include "emit/text.hpp"

#include <fmt/format.h>

#include <map>

namespace featherline::emit {
namespace {

using ir::Op;

constexpr const char* indent = "  ";

/// A comment line, or several that hang below the first: "// ---- title ----".
std::string comment_rule(const std::string& title, const std::string& rule) {
  constexpr std::size_t longest = 400;  // names in a title may have any length
  const std::string text = comment_safe(title, longest) + " " + rule;
  return fill_lines(text, std::string(indent) + "// " + rule + " ", std::string(indent) + "//      ") + "\n";
}

/// Prints the statements, with a comment wherever the sweep or the body changes.
class LinePrinter {
 public:
  LinePrinter(const ir::Kernel& kernel, const ExpressionPrinter& expressions, const EntryNames& entry_names)
      : kernel_(kernel),
        expressions_(expressions),
        entry_names_(entry_names),
        num_angles_(kernel.angles().size()) {}

  PrintedLine print(const ir::StraightLine& line) {
    for (const ir::Transfer& load : line.loads) loads_.emplace(load.value, load.slot);
    for (const ir::Transfer& save : line.saves) saves_.emplace(save.value, save.slot);
    for (const ir::Statement& statement : line.statements) print_statement(statement);
    result_.body.insert(0, named_angles());
    return std::move(result_);
  }

 private:
  /// Names for the sines and cosines that the statements read: references cost nothing.
  std::string named_angles() const {
    std::string text;
    for (std::size_t k = 0; k < num_angles_; ++k) {
      const std::string names = expressions_.angle_names(k, result_.usage);
      if (!names.empty()) text += wrap_statement(names + ";", indent) + "\n";
    }
    return text;
  }

  void print_statement(const ir::Statement& statement) {
    print_section(statement.value);
    Usage usage;
    if (statement.store < 0) {
      const std::string definition = expressions_.definition(statement.value, usage);
      print_loads(usage);
      line(declared(statement.value) + " = " + definition + ";");
      const auto save = saves_.find(statement.value);
      if (save != saves_.end()) print_save(statement.value, save->second);
    } else {
      const ir::Store& store = kernel_.stores.at(static_cast<std::size_t>(statement.store));
      const std::string value = expressions_.value(store.value, usage);
      print_loads(usage);
      usage.written.insert(store.buffer);
      line(kernel_.written(store.buffer).name + "[" + std::to_string(store.entry) + "] = " + value + ";",
           entry_name(store));
    }
    result_.usage.merge(usage);
  }

  /// Of the values that a statement mentions for the first time, those that come from other parts.
  void print_loads(const Usage& usage) {
    for (const ir::NodeId id : usage.values) {
      const auto load = loads_.find(id);
      if (load == loads_.end()) continue;
      print_load(id, load->second);
      loads_.erase(load);
    }
  }

  /// "const S w3_x"
  std::string declared(ir::NodeId id) {
    const int lanes = kernel_.graph[id].lanes;
    if (lanes > 1) result_.usage.lanes.insert(lanes);
    return "const " + value_type(lanes) + " " + expressions_.name(id);
  }

  void print_load(ir::NodeId id, int slot) {
    result_.usage.workspace = true;
    const int lanes = kernel_.graph[id].lanes;
    line(declared(id) + " = " +
         (lanes == 1 ? fmt::format("ws[{}];", slot)
                     : fmt::format("{}::load(ws + {});", value_type(lanes), slot)));
  }

  void print_save(ir::NodeId id, int slot) {
    result_.usage.workspace = true;
    const std::string& name = expressions_.name(id);
    line(kernel_.graph[id].lanes == 1 ? fmt::format("ws[{}] = {};", slot, name)
                                      : fmt::format("{}.store(ws + {});", name, slot));
  }

  void print_section(ir::NodeId id) {
    const ir::Graph& graph = kernel_.graph;
    const ir::Node& node = graph[id];
    if (node.op == Op::constant && !title_.empty()) print_title("entries that are constant");
    if (node.op == Op::constant || node.op == Op::input) return;  // shared by all sections
    const std::string& title = graph.sections()[node.section];
    const std::string& sweep = graph.sweep(node.section);
    if (title == title_ && sweep == sweep_) return;
    if (sweep != sweep_ && !sweep.empty()) result_.body += comment_rule(sweep, "====");
    sweep_ = sweep;
    title_.clear();
    if (!title.empty()) print_title(title);
  }

  void print_title(const std::string& title) {
    if (title != title_) result_.body += comment_rule(title, "----");
    title_ = title;
  }

  std::string entry_name(const ir::Store& store) const {
    const bool is_output = store.buffer < static_cast<int>(kernel_.outputs.size());
    return is_output && entry_names_ ? entry_names_(store.buffer, store.entry) : "";
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

  const ir::Kernel& kernel_;
  const ExpressionPrinter& expressions_;
  const EntryNames& entry_names_;
  std::size_t num_angles_;
  PrintedLine result_;
  std::map<ir::NodeId, int> loads_, saves_;  ///< slots; loads_ of what is not loaded yet
  std::string title_, sweep_;
};

}  // namespace

PrintedLine print_straight_line(const ir::Kernel& kernel, const ExpressionPrinter& expressions,
                                const EntryNames& entry_names, const ir::StraightLine& line) {
  return LinePrinter(kernel, expressions, entry_names).print(line);
}

}  // namespace featherline::emit
