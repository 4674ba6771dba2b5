#include "emit/completion.hpp"

#include "emit/literal.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

namespace featherline::emit {
namespace {

std::string tree_name(const FunctionRequest& function) { return function_name(function) + "_tree"; }

/// The table of the tree, for namespace detail.
std::string tree_table(const FunctionRequest& function) {
  const ir::Completion& completion = *function.program.function.completion;
  std::string rows;
  std::vector<std::string> multipliers;
  for (const ir::TreeAxis& axis : completion.axes) {
    rows += fmt::format("      {{{}, {}, {}, {}}},\n", axis.idx_v, axis.parent, axis.first, axis.count);
    multipliers.push_back("Real(" + literal(axis.multiplier) + ")");
  }
  return fmt::format(R"(/// The tree as featherline/vector_loops.hpp walks it.
struct {} {{
  static constexpr int nv = {}, num_axes = {}, max_path = {};
  static constexpr bool coupled = {};
  static constexpr featherline::AxisInfo axes[] = {{
      // idx_v, parent, first, count
{}  }};
  /// Of coupled mimic joints, otherwise 1.
{}
}};
)",
                     tree_name(function), completion.nv, completion.axes.size(), completion.max_path,
                     completion.coupled, rows,
                     wrap_statement("template <class Real> static constexpr Real multipliers[] = {" +
                                        join(multipliers, ", ") + "};",
                                    "  "));
}

std::string call(const FunctionRequest& function, const ir::Completion::Call& call) {
  std::vector<std::string> arguments{"detail::" + tree_name(function) + "{}"};
  arguments.insert(arguments.end(), call.arrays.begin(), call.arrays.end());
  for (const catalog::Argument& output : function.spec->outputs) arguments.push_back(output.name);
  return wrap_statement("featherline::vector_loops::" + call.routine + "(" + join(arguments, ", ") + ");",
                        "  ");
}

}  // namespace

std::string completion_includes(const ir::Program& program) {
  return program.function.completion ? "#include <featherline/vector_loops.hpp>" : "";
}

PrintedProgram complete(PrintedProgram printed, const FunctionRequest& function) {
  const ir::Function& traced = function.program.function;
  if (!traced.completion) return printed;
  std::string arrays;
  for (const ir::Parameter& array : traced.outputs)
    arrays += fmt::format("  S {}[{}];\n", array.name, array.size);
  printed.body = arrays + printed.body;
  for (const ir::Completion::Call& routine : traced.completion->calls)
    printed.body += "\n" + call(function, routine);
  printed.internal = tree_table(function) + (printed.internal.empty() ? "" : "\n" + printed.internal);
  printed.usage.outputs.clear();
  for (int k = 0; k < static_cast<int>(function.spec->outputs.size()); ++k) printed.usage.outputs.insert(k);
  return printed;
}

int completion_entries(const ir::Program& program) {
  if (!program.function.completion) return 0;
  int entries = program.function.completion->stack_entries;
  for (const ir::Parameter& array : program.function.outputs) entries += array.size;
  return entries;
}

}  // namespace featherline::emit
