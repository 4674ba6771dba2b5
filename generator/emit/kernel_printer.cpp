#include "emit/kernel_printer.hpp"

#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace featherline::emit {
namespace {

constexpr const char* indent = "  ";
constexpr ir::Routine inversions[] = {ir::Routine::minv, ir::Routine::inverse, ir::Routine::inverse_and_parts,
                                      ir::Routine::constrained_columns,
                                      ir::Routine::constrained_columns_behind_base};

/// Type aliases and declarations that a function body with this usage begins with.
std::string opening(const ExpressionPrinter& expressions, const Usage& usage) {
  std::string text;
  for (const int lanes : usage.lanes)
    text += fmt::format("{}using {} = featherline::Lanes<S, {}>;\n", indent, value_type(lanes), lanes);
  // Argument-dependent lookup then finds the functions of any scalar.
  for (const ir::Op op : usage.functions)
    text += fmt::format("{}using {}::{};\n", indent,
                        op == ir::Op::sqrt || op == ir::Op::atan ? "std" : "featherline", ir::name(op));
  for (const std::string& definition : expressions.lane_numbers(usage))
    text += wrap_statement(definition, indent) + "\n";
  return text;
}

/// The statement that tells prepare::F where a body begins or ends.
std::string code_mark(const char* edge, const std::string& code) {
  return wrap_statement(fmt::format("featherline::code_{}<{}, S>();", edge, code), indent) + "\n";
}

/// Prints the steps in their order.
class KernelPrinter {
 public:
  KernelPrinter(const ir::Kernel& kernel, const std::string& name, const EntryNames& entry_names, int jobs,
                const std::string& code)
      : kernel_(kernel),
        name_(name),
        code_(code.empty() ? "detail::" + name + "_code" : code),
        entry_names_(entry_names),
        expressions_(kernel),
        lines_(kernel.straight_lines().size()),
        in_parts_(lines_.size() > 1) {
    const std::vector<const ir::StraightLine*> lines = kernel.straight_lines();
    side_by_side(jobs, lines.size(), [&](std::size_t k) {
      lines_[k] = print_straight_line(kernel_, expressions_, entry_names_, *lines[k]);
    });
  }

  PrintedKernel print() {
    for (const ir::Step& step : kernel_.steps)
      std::visit([this](const auto& kind) { print_step(kind); }, step);
    std::string arrays;
    for (int k = static_cast<int>(kernel_.outputs.size()); k < kernel_.num_outputs_and_locals(); ++k) {
      const ir::Buffer& array = kernel_.output_or_local(k);
      arrays += indent +
                (unrolled_inverse_of(k) ? inertia_type() + " " + array.name
                                        : fmt::format("S {}[{}]", array.name, array.size)) +
                ";\n";
    }
    printed_.body.insert(0, opening(expressions_, printed_.usage) + arrays);
    for (std::string* text : {&printed_.clears, &printed_.body}) {
      if (!text->empty()) text->pop_back();  // the skeleton ends the line
    }
    printed_.internal =
        tables_ + (tables_.empty() || printed_.internal.empty() ? "" : "\n") + printed_.internal;
    return std::move(printed_);
  }

 private:
  void print_step(const ir::Clear& clear) {
    if (std::ranges::any_of(kernel_.calls(),
                            [&](const ir::Call* call) { return clears_itself(*call, clear); }))
      return;
    const ir::Buffer& buffer = kernel_.output_or_local(clear.buffer);
    std::string text;
    if (!clear.entries.empty()) {
      text = stored_zeros(buffer.name, ir::rows_of(clear.entries), indent);
    } else if (const ir::Call* inverse = unrolled_inverse_of(clear.buffer)) {
      text = fmt::format("{}featherline::unrolled_inverse::clear_inertia({}, {});\n", indent,
                         use_table(*inverse->axes, name_ + "_tree"), buffer.name) +
             stored_zeros(buffer.name, zeros_of_paths(clear.buffer, *inverse->axes), indent);
    } else {
      text = fmt::format("{}featherline::clear<{}>({});\n", indent, buffer.size, buffer.name);
    }
    (clear.once ? printed_.clears : printed_.body) += text;
    if (!clear.once) printed_.usage.written.insert(clear.buffer);
  }

  /// Whether the call clears the array when the caller wants zeros. The function then has that argument, too.
  bool clears_itself(const ir::Call& call, const ir::Clear& clear) const {
    const ir::ArrayId array{false, clear.buffer};
    const auto takes = [&](const ir::Call* other) { return std::ranges::count(other->arguments, array) > 0; };
    const auto writes = [&](const ir::Store& store) { return store.buffer == clear.buffer; };
    return !call.body && ir::row(call.routine).clears && clear.once && clear.entries.empty() &&
           call.arguments.back() == array && std::ranges::count_if(kernel_.calls(), takes) == 1 &&
           std::ranges::none_of(kernel_.stores, writes);
  }

  /// The only call that reads a local array, if it inverts it by code that knows the tree. The array's type is then
  /// unrolled_inverse::Inertia: the compiler has to know the entries that are stored to, unlike in loops over limbs.
  const ir::Call* unrolled_inverse_of(int buffer) const {
    const auto is_cleared = [&](const ir::Clear* clear) { return clear->buffer == buffer; };
    const auto is_vector = [&](const ir::Store& s) { return s.buffer == buffer && s.stride == 1; };
    if (index(buffer) < kernel_.outputs.size() || kernel_.has_limb_loops() ||
        std::ranges::none_of(kernel_.steps_of<ir::Clear>(), is_cleared) ||
        std::ranges::any_of(kernel_.stores, is_vector))
      return nullptr;
    const ir::Call* only = nullptr;
    for (const ir::Call* call : kernel_.calls()) {
      const ir::ArrayId M{false, buffer};
      if (std::ranges::count(call->arguments, M) == 0) continue;
      const bool inverts = std::ranges::find(inversions, call->routine) != std::end(inversions) &&
                           call->arguments.front() == M && header_of(*call) != "vector_loops";
      if (only || !inverts) return nullptr;
      only = call;
    }
    return only;
  }
  std::string inertia_type() const {
    return fmt::format("featherline::unrolled_inverse::Inertia<detail::{}_tree, S>", name_);
  }

  /// Parameters of a part's internal function, or the arguments of the call to it: only what it uses.
  std::string part_interface(const Usage& usage, bool declare) const {
    std::vector<std::string> list;
    const auto add = [&](const std::string& type, const std::string& name) {
      list.push_back(declare ? pointer_parameter(type, name, true) : name);
    };
    for (const int k : usage.inputs) add("const S*", kernel_.inputs[index(k)].name);
    if (usage.sines) add("const S*", "sn");
    if (usage.cosines) add("const S*", "cs");
    if (usage.workspace) add("S*", "ws");
    for (const int k : usage.written)
      add(unrolled_inverse_of(k) ? inertia_type() + "&" : "S*", kernel_.output_or_local(k).name);
    if (usage.zeros) list.emplace_back(declare ? "bool zeros" : "zeros");
    return join(list, ", ");
  }

  /// Entries of M that the tree does not make zero, but nothing is stored to.
  std::vector<ir::ZeroRows> zeros_of_paths(int buffer, const ir::AxisTable& axes) const {
    std::vector<bool> is_zero = axes.related();
    for (const ir::Store& s : kernel_.stores) {
      if (s.buffer != buffer || kernel_.graph.is_zero(s.value)) continue;
      for (const int entry : kernel_.entries(s)) is_zero[index(entry)] = false;
    }
    std::vector<ir::ZeroRows> zeros;
    for (int k = 0; k < static_cast<int>(is_zero.size()); ++k) {
      if (is_zero[index(k)]) zeros.push_back({k});
    }
    return zeros;
  }

  /// The one call that evaluates all sines and cosines, of inputs where they are if possible.
  void print_step(const ir::SinCos& sincos) {
    const int count = kernel_.num_angles();
    std::vector<std::string> angles;
    for (std::size_t k = 0; k < sincos.angles.size(); ++k) {
      for (std::string& angle : expressions_.angle(k, printed_.usage)) angles.push_back(std::move(angle));
    }
    std::string source = "angle";
    if (const std::optional<ir::Place> place = kernel_.angles_in_place()) {
      source = kernel_.inputs[index(place->buffer)].name;
      if (place->entry > 0) source += " + " + std::to_string(place->entry);
    } else {
      line(fmt::format("const S angle[{}] = {{{}}};", count, join(angles, ", ")));
    }
    line(fmt::format("S sn[{0}], cs[{0}];", count));
    line(fmt::format("featherline::sincos<{}>({}, sn, cs);", count, source));
  }

  /// static constexpr ... limb_numbers[4][2] = {{...}, ...};
  void print_limb_numbers() {
    const std::vector<std::vector<std::string>> numbers = expressions_.limb_numbers();
    if (numbers.empty()) return;
    const auto rows = each(numbers, [](const auto& limb) { return "{" + join(limb, ", ") + "}"; });
    line("using Number = featherline::LimbNumber<S>;");
    line(fmt::format("static constexpr Number limb_numbers[{}][{}] = {{{}}};", numbers.size(),
                     numbers.front().size(), join(rows, ", ")));
  }

  void print_step(const ir::StraightLine& statements) {
    if (!statements.loops.empty()) print_limb_numbers();
    const PrintedLine text = std::move(lines_[index(num_printed_++)]);
    if (!in_parts_) {
      printed_.body += text.body;
      printed_.usage.merge(text.usage);
      return;
    }
    if (num_printed_ == 1 && kernel_.workspace_size > 0)
      printed_.body += fmt::format("{}S ws[{}];  // values that cross from one part to another\n", indent,
                                   kernel_.workspace_size);
    const std::string name = name_ + "_part" + std::to_string(num_printed_);
    add_internal(name, part_interface(text.usage, true), opening(expressions_, text.usage) + text.body);
    line("detail::" + name + "(" + part_interface(text.usage, false) + ");");
    Usage passed = text.usage;
    passed.functions.clear();
    passed.lanes.clear();
    passed.lane_numbers.clear();
    printed_.usage.merge(passed);
  }

  void print_step(const ir::Call& call) {
    if (call.body) return print_body_call(call);
    std::vector<std::string> arguments;
    std::string routine = "featherline::" + qualified_name(call);
    if (call.walk) routine += "<detail::Kinematics>";
    const std::string joints = call.num_joints > 0 ? fmt::format("{}, ", call.num_joints) : "";
    std::string coordinates;
    for (const int k : call.coordinates) coordinates += fmt::format(", {}", k);
    if (call.num_points > 0)
      routine += call.axes ? fmt::format("<{}{}>", call.num_points, coordinates)
                           : fmt::format("<{}, {}{}>", call.num_points, joints, code_);
    if (call.axes) arguments.push_back(use_table(*call.axes, name_ + "_tree"));
    if (call.panels) arguments.push_back(use_table(*call.panels, name_ + "_panels"));
    auto array = call.arguments.begin();
    for (const ir::Shape shape : ir::row(call.routine).arguments) {
      arguments.push_back(shape == ir::Shape::link    ? "static_cast<int>(link)"
                          : shape == ir::Shape::frame ? "frame"
                                                      : use(*array++));
    }
    if (std::ranges::any_of(kernel_.clears(),
                            [&](const ir::Clear* clear) { return clears_itself(call, *clear); })) {
      arguments.emplace_back("zeros");
      printed_.usage.zeros = true;
    }
    if (!printed_.body.empty() && (call.axes || call.panels)) printed_.body += "\n";
    line(routine + "(" + join(arguments, ", ") + ");");
  }

  /// detail::aba_derivatives_column(solver, b + 36, da_dq + 108);
  void print_body_call(const ir::Call& call) {
    const std::string name = name_ + "_" + call.body->name;
    if (bodies_.insert(call.body.get()).second) print_body(*call.body, name);
    std::vector<std::string> arguments;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      arguments.push_back(use(call.arguments[k]) +
                          (call.first[k] == 0 ? "" : " + " + std::to_string(call.first[k])));
    }
    if (call.condition) {
      const std::string stretch = use(*call.condition);
      line(fmt::format("if (!featherline::all_bent<{}>({}))", kernel_.array(*call.condition).size, stretch));
    }
    line(std::string(call.condition ? "  " : "") + "detail::" + name + "(" + join(arguments, ", ") + ");");
  }
  void print_body(const ir::Kernel& body, const std::string& name) {
    const PrintedKernel text = print_kernel(body, name, {}, 1, code_);
    if (text.usage.zeros) throw InternalError("the body " + name + " is not told whether to store zeros");
    std::vector<std::string> parameters;
    for (int k = 0; k < static_cast<int>(body.inputs.size()); ++k)
      parameters.push_back(
          pointer_parameter("const S*", body.inputs[index(k)].name, text.usage.inputs.contains(k)));
    for (const ir::Buffer& output : body.outputs)
      parameters.push_back(pointer_parameter("S*", output.name, true));
    if (!text.internal.empty()) printed_.internal += (printed_.internal.empty() ? "" : "\n") + text.internal;
    const std::string clears = text.clears + (text.clears.empty() ? "" : "\n");
    add_internal(name, join(parameters, ", "), clears + text.body + "\n");
  }

  void add_internal(const std::string& name, const std::string& parameters, const std::string& body) {
    const std::string head = "FEATHERLINE_NOINLINE void " + name + "(" + parameters + ") {";
    printed_.internal += std::string(printed_.internal.empty() ? "" : "\n") + "template <class S>\n" +
                         wrap_statement(head, "") + "\n" + code_mark("begins", code_) + body +
                         code_mark("ends", code_) + "}\n";
  }

  /// The argument for a table, which is defined once: all calls of a kernel walk the same tree.
  template <class Table>
  std::string use_table(const Table& table, const std::string& name) {
    if (table_names_.insert(name).second)
      tables_ += (tables_.empty() ? "" : "\n") + table_text(table, name, code_);
    return "detail::" + name + "{}";
  }

  /// The name of the array, which the function uses.
  const std::string& use(ir::ArrayId array) {
    (array.is_input ? printed_.usage.inputs : printed_.usage.written).insert(array.index);
    return kernel_.array(array).name;
  }

  void line(const std::string& statement) { printed_.body += wrap_statement(statement, indent) + "\n"; }

  const ir::Kernel& kernel_;
  const std::string& name_;
  const std::string code_;
  const EntryNames& entry_names_;
  ExpressionPrinter expressions_;
  std::vector<PrintedLine> lines_;
  bool in_parts_;        ///< each straight line is an internal function
  int num_printed_ = 0;  ///< of lines_
  std::string tables_;
  std::set<std::string> table_names_;   ///< in tables_
  std::set<const ir::Kernel*> bodies_;  ///< in printed_.internal
  PrintedKernel printed_;
};

}  // namespace

/// Whether something holds for the kernel or for a body of its calls.
template <class Holds>
static bool any_body(const ir::Kernel& kernel, const Holds& holds) {
  const auto in_body = [&](const ir::Kernel* body) { return any_body(*body, holds); };
  return holds(kernel) || std::ranges::any_of(kernel.bodies(), in_body);
}

template <class Holds>
static bool any_node(const ir::Kernel& kernel, const Holds& holds) {
  return any_body(kernel, [&](const ir::Kernel& body) {
    for (ir::NodeId id = 0; id < body.graph.size(); ++id) {
      if (holds(body.graph[id])) return true;
    }
    return false;
  });
}

bool has_lanes(const ir::Kernel& kernel) {
  return any_node(kernel, [](const ir::Node& node) { return node.lanes > 1; });
}

static bool has_pivots(const ir::Kernel& kernel) {
  return any_node(kernel, [](const ir::Node& node) { return node.op == ir::Op::pivot_inverse; }) ||
         any_body(kernel, [](const ir::Kernel& body) {
           return std::ranges::any_of(body.calls(), [](const ir::Call* call) { return !!call->condition; });
         });
}

static bool stores_rows_of_zeros(const ir::Kernel& kernel) {
  const auto in_rows = [](const ir::Clear* clear) { return !clear->entries.empty(); };
  return any_body(kernel,
                  [&](const ir::Kernel& body) { return std::ranges::any_of(body.clears(), in_rows); });
}

std::string pointer_parameter(const std::string& type, const std::string& name, bool used) {
  return type + " FEATHERLINE_RESTRICT " + (used ? name : "/*" + name + "*/");
}

PrintedKernel print_kernel(const ir::Kernel& kernel, const std::string& name, const EntryNames& entry_names,
                           int jobs, const std::string& code) {
  return KernelPrinter(kernel, name, entry_names, jobs, code).print();
}

static void add_headers(const ir::Kernel& kernel, std::set<std::string>& headers) {
  for (const ir::Call* call : kernel.calls()) {
    if (call->axes != nullptr || call->panels != nullptr || call->num_points > 0)
      headers.insert(header_of(*call));
  }
  for (const ir::Kernel* body : kernel.bodies()) add_headers(*body, headers);
}

std::string includes_of(const ir::Kernel& kernel, const std::string& robot) {
  std::vector<std::string> lines;
  if (has_lanes(kernel)) lines.emplace_back("#include <featherline/lanes.hpp>");
  if (stores_rows_of_zeros(kernel)) lines.emplace_back("#include <featherline/clear_rows.hpp>");
  if (has_pivots(kernel)) lines.emplace_back("#include <featherline/pivot.hpp>");
  if (any_node(kernel, [](const ir::Node& node) { return ir::is_stumpff(node.op); }))
    lines.emplace_back("#include <featherline/stumpff.hpp>");
  std::set<std::string> headers;
  add_headers(kernel, headers);
  for (const std::string& header : headers) lines.push_back("#include <featherline/" + header + ".hpp>");
  if (kernel.walk() != nullptr) lines.push_back("#include \"" + robot + "_pose_steps.ipp\"");
  return join(lines, "\n");
}

}  // namespace featherline::emit
