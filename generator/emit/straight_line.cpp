#include "emit/identifiers.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <span>
#include <utility>

namespace featherline::emit {
namespace {

using ir::Op;

/// A comment line, or several that hang below the first: "// ---- title ----".
std::string comment_rule(const std::string& title, const std::string& rule) {
  constexpr std::size_t longest = 400;  // names in a title may have any length
  const std::string text = comment_safe(title, longest) + " " + rule;
  return fill_lines(text, "  // " + rule + " ", "  //      ") + "\n";
}

/// A statement, or a few in a line.
std::string cleared_rows(const std::string& buffer, const ir::ZeroRows& rows) {
  constexpr int most_entries = 3;
  std::string entries;
  for (int k = 0; rows.length == 1 && k < rows.count; ++k)
    entries += fmt::format("{}{}[{}] = S(0);", k > 0 ? " " : "", buffer, rows.first + k * rows.stride);
  if (rows.length == 1 && rows.count <= most_entries) return entries;
  const std::string repeats = rows.count == 1 ? "" : fmt::format(", {}, {}", rows.count, rows.stride),
                    first = rows.first == 0 ? "" : fmt::format(" + {}", rows.first);
  return fmt::format("featherline::clear_rows<{}{}>({}{});", rows.length, repeats, buffer, first);
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
    zeros_ = line.zeros;
    if (line.loops.empty()) {
      print_statements(line.statements, 0, line.statements.size());
      result_.body.insert(0, named_angles(result_.usage));
    } else {
      print_with_loops(line);
    }
    print_zeros(line.statements.size());
    return std::move(result_);
  }

 private:
  void print_statements(const std::vector<ir::Statement>& statements, std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end;) {
      print_zeros(k);
      const std::size_t count = in_loop_ ? 0 : ir::scatter_length(kernel_, statements, k);
      if (count == 0)
        print_statement(statements[k++]);
      else
        print_scatter(&statements[k], count), k += count;
    }
  }

  /// Those that stand before statement k or behind it, where a scatter() began before them.
  void print_zeros(std::size_t k) {
    if (zeros_.empty() || zeros_.front().before > k) return;
    line("if (zeros) {");
    for (; !zeros_.empty() && zeros_.front().before <= k; zeros_ = zeros_.subspan(1)) {
      const ir::Clear& clear = zeros_.front().zeros;
      result_.body +=
          stored_zeros(kernel_.output_or_local(clear.buffer).name, ir::rows_of(clear.entries), "    ");
      result_.usage.written.insert(clear.buffer);
    }
    line("}");
    result_.usage.zeros = true;
  }

  /// Names for the sines and cosines that statements with this usage read: references cost nothing.
  std::string named_angles(const Usage& usage) const {
    std::string text;
    for (std::size_t k = 0; k < num_angles_; ++k) {
      const std::string names = expressions_.angle_names(k, usage);
      if (!names.empty()) text += wrap_statement(names + ";", indent()) + "\n";
    }
    return text;
  }

  /// Statements between loops first print to a text of their own, as those in loops, for the angles they name.
  void print_with_loops(const ir::StraightLine& line) {
    std::size_t next = 0;
    for (const ir::LimbLoop& loop : line.loops) {
      print_block(line.statements, next, loop.first);
      print_loop(line.statements, loop);
      next = loop.first + loop.count;
    }
    print_block(line.statements, next, line.statements.size());
  }

  void print_block(const std::vector<ir::Statement>& statements, std::size_t first, std::size_t end) {
    PrintedLine before = std::move(result_);
    result_ = {};
    print_statements(statements, first, end);
    Usage unnamed;
    for (const ir::NodeId id : result_.usage.values) {
      if (named_angles_.count(id) > 0) continue;
      unnamed.values.insert(id);
      if (!in_loop_) named_angles_.insert(id);  // names of a loop end with it
    }
    if (result_.usage.limb_numbers)
      before.body += wrap_statement("const auto& number = limb_numbers[limb];", indent()) + "\n";
    before.body += named_angles(unnamed) + result_.body;
    before.usage.merge(result_.usage);
    before.usage.limb_numbers = false;  // a name of the block
    result_ = std::move(before);
  }

  void print_loop(const std::vector<ir::Statement>& statements, const ir::LimbLoop& loop) {
    for (std::size_t k = loop.first; k < loop.first + loop.count; ++k) {
      const ir::Statement& statement = statements[k];
      if (statement.store >= 0) continue;
      const std::string& name = expressions_.name(statement.value);
      if (kernel_.graph[statement.value].op == ir::Op::lane_sum) line("S " + name + "(0.0);");
      if (expressions_.is_array(statement.value)) line(fmt::format("S {}[{}];", name, loop.lanes));
    }
    line(fmt::format("for (int limb = 0; limb < {}; ++limb) {{", loop.lanes));
    in_loop_ = true;
    print_block(statements, loop.first, loop.first + loop.count);
    in_loop_ = false;
    line("}");
  }

  const char* indent() const { return in_loop_ ? "    " : "  "; }

  void print_statement(const ir::Statement& statement) {
    print_section(statement.value);
    Usage usage;
    if (statement.store < 0) {
      const std::string definition = expressions_.definition(statement.value, usage);
      print_loads(usage);
      line(defined(statement.value, definition) + ";", other_names(kernel_.graph, statement.value));
      const auto save = saves_.find(statement.value);
      if (save != saves_.end()) print_save(statement.value, save->second);
    } else {
      const ir::Store& store = store_of(statement);
      const std::string value = expressions_.value(store.value, usage);
      print_loads(usage);
      usage.written.insert(store.buffer);
      const std::string entry =
          store.stride == 0 ? std::to_string(store.entry) : limb_index(store.entry, store.stride);
      line(kernel_.output_or_local(store.buffer).name + "[" + entry + "] = " + value + ";",
           store.stride == 0 ? entry_name(store) : scatter_remark(store, store));
    }
    result_.usage.merge(usage);
  }

  const ir::Store& store_of(const ir::Statement& statement) const {
    return kernel_.stores.at(index(statement.store));
  }

  /// scatter(dtau_dq + 108, 54, F2_x, F2_y)
  void print_scatter(const ir::Statement* statements, std::size_t count) {
    print_section(statements->value);
    const ir::Store& first = store_of(*statements);
    Usage usage;
    std::string values;
    for (std::size_t k = 0; k < count; ++k) {
      values += ", " + expressions_.value(statements[k].value, usage);
      if (kernel_.graph.is_constant(statements[k].value))
        usage.lanes.insert(kernel_.graph[first.value].lanes);
    }
    print_loads(usage);
    usage.written.insert(first.buffer);
    const std::string place = fmt::format("{} + {}", kernel_.output_or_local(first.buffer).name, first.entry);
    line(count == 1 && first.stride == 1
             ? fmt::format("({}).store({});", expressions_.value(first.value, usage), place)
             : fmt::format("scatter({}, {}{});", place, first.stride, values),
         scatter_remark(first, store_of(statements[count - 1])));
    result_.usage.merge(usage);
  }

  /// "root_joint.x, lf_haa_joint to root_joint.z, lf_haa_joint; other limbs alike"
  std::string scatter_remark(const ir::Store& first, const ir::Store& last) const {
    const std::string begin = entry_name(first), end = entry_name(last);
    if (begin.empty()) return "";
    return begin + (begin == end ? "" : " to " + end) + "; other limbs alike";
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

  /// "const S w3_x = ...", or a term of a sum over limbs.
  std::string defined(ir::NodeId id, const std::string& definition) {
    const std::string& name = expressions_.name(id);
    if (in_loop_ && kernel_.graph[id].op == ir::Op::lane_sum)
      return name + " = " + name + " + (" + definition + ")";
    if (in_loop_)
      return (expressions_.is_array(id) ? name + "[limb]" : "const S " + name) + " = " + definition;
    return declared(id) + " = " + definition;
  }

  /// "const S w3_x"
  std::string declared(ir::NodeId id) {
    const int lanes = kernel_.graph[id].lanes;
    if (lanes > 1) result_.usage.lanes.insert(lanes);
    return "const " + expressions_.type(id) + " " + expressions_.name(id);
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
    if (graph[id].op == Op::neg && kernel_.inlined[id]) id = graph[id].a;  // the sign belongs to the store
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
    const std::string text = wrap_statement(statement, indent());
    const std::size_t last_line = text.size() - (text.rfind('\n') + 1);
    if (remark.empty()) {
      result_.body += text + "\n";
    } else if (last_line + remark.size() + 5 <= longest_line) {
      result_.body += text + "  // " + remark + "\n";
    } else {
      result_.body += std::string(indent()) + "// " + remark + "\n" + text + "\n";
    }
  }

  const ir::Kernel& kernel_;
  const ExpressionPrinter& expressions_;
  const EntryNames& entry_names_;
  std::size_t num_angles_;
  PrintedLine result_;
  std::map<ir::NodeId, int> loads_, saves_;  ///< slots; loads_ of what is not loaded yet
  std::string title_, sweep_;
  bool in_loop_ = false;
  std::set<ir::NodeId> named_angles_;        ///< that have a name already
  std::span<const ir::ZerosBetween> zeros_;  ///< that are not printed yet
};

}  // namespace

std::string stored_zeros(const std::string& buffer, const std::vector<ir::ZeroRows>& zeros,
                         const char* indent) {
  constexpr std::size_t longest_line = 110;
  std::string text, line;
  for (const ir::ZeroRows& rows : zeros) {
    const std::string store = cleared_rows(buffer, rows);
    if (!line.empty() && line.size() + 1 + store.size() > longest_line)
      text += std::exchange(line, "") + "\n";
    line += (line.empty() ? indent : " ") + store;
  }
  return text + (line.empty() ? line : line + "\n");
}

PrintedLine print_straight_line(const ir::Kernel& kernel, const ExpressionPrinter& expressions,
                                const EntryNames& entry_names, const ir::StraightLine& line) {
  return LinePrinter(kernel, expressions, entry_names).print(line);
}

}  // namespace featherline::emit
