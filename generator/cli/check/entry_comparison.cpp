#include "cli/check/check.hpp"

#include "cli/output_files.hpp"
#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <span>

namespace featherline::cli {
namespace {

using reference::Outputs;
using reference::State;

/// Judges one function at one state in one scalar. If quarter turns can be made exact, a function may have been emitted
/// for the robot with exact turns or for the robot as written. The results must then be right for one of the two.
struct StateJudge {
  const reference::OutputFunction& function;
  const Robot& robot;
  const State& state;
  Precision precision;
  Judge as_written{function, robot.tree, state, precision};
  std::optional<Judge> snapped = {};

  Verdict judge(const Outputs& emitted) {
    const Verdict verdict = as_written.judge(emitted);
    if (verdict.worst_share <= 0.1 || verdict.whole() > 1.0 || !robot.snapped) return verdict;
    if (!snapped) snapped.emplace(function, *robot.snapped, state, precision);
    const Verdict other = snapped->judge(emitted);
    return other.worst_share < verdict.worst_share ? other : verdict;
  }
};

/// Results of the size of `outputs`, from number `first` of the driver's file on.
Outputs read_results(std::ifstream& file, std::size_t first, Outputs outputs) {
  file.seekg(static_cast<std::streamoff>(first * sizeof(double)));
  for (reference::OutputArray& array : outputs) {
    file.read(reinterpret_cast<char*>(array.values.data()),
              static_cast<std::streamsize>(array.values.size() * sizeof(double)));
  }
  if (!file) throw InternalError("the driver wrote fewer results than states");
  return outputs;
}

/// Judges the results of a form at the state of number `index`. A batch has the first states several times.
void judge_form(Row& row, StateJudge& judge, int index, std::ifstream& file) {
  const CheckedFunction& function = *row.function;
  const int calls = function.calls(*row.form);
  for (int run = 0; run < row.form->runs(); ++run) {
    for (int call = index; call < calls; call += function.states) {
      const auto calls_before = static_cast<std::size_t>(run * calls + call);
      row.add(judge.judge(read_results(file, row.first + function.total_size() * calls_before,
                                       judge.as_written.expected())),
              index);
    }
  }
}

/// Judges the rows of one function that are in the scalar.
void judge_scalar(const std::string& scalar, std::span<Row> rows, const Robot& robot, const State& state,
                  int index, std::ifstream& file) {
  const auto is_in_scalar = [&](const Row& row) { return row.form->scalar == scalar; };
  if (std::ranges::none_of(rows, is_in_scalar)) return;
  StateJudge judge{*rows.front().function->reference, robot, state, scalar == "float" ? of_float : of_double};
  for (Row& row : rows) {
    if (is_in_scalar(row)) judge_form(row, judge, index, file);
  }
}

/// "elbow", or "ball[2]" if the joint has several velocities.
std::string coordinate_name(const model::Tree& tree, std::size_t k) {
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    const auto first = static_cast<std::size_t>(joint.idx_v), size = static_cast<std::size_t>(joint.nv);
    if (joint.mimics >= 0 || k < first || k >= first + size) continue;
    return size == 1 ? joint.name : fmt::format("{}[{}]", joint.name, k - first);
  }
  return std::to_string(k);
}

/// The shape of the array that the entry is in. The array is one that is compared, or the residual of an equation.
catalog::Shape shape_of(const Entry& entry, const CheckedFunction& function, const model::Tree& tree) {
  for (const catalog::Argument& array : function.reference->compared_arrays(function.spec->outputs)) {
    if (array.name == entry.array) return array.shape;
  }
  using catalog::nv;
  return entry.array_size > static_cast<std::size_t>(tree.nv) ? catalog::Shape{nv, nv} : catalog::Shape{nv};
}

/// Names of the coordinates of an entry: one for each side of the array that counts coordinates.
std::vector<std::string> coordinates(const catalog::Shape& shape, std::size_t index,
                                     const model::Tree& tree) {
  std::vector<std::string> names;
  for (const catalog::Dimension& side : shape.sides()) {
    const auto extent = static_cast<std::size_t>(side.size(catalog::sizes_of(tree)));
    if (side.of == catalog::nv.of)
      names.push_back(coordinate_name(tree, index % extent % static_cast<std::size_t>(tree.nv)));
    index /= extent;
  }
  return names;
}

}  // namespace

void Row::add(const Verdict& more, int at_state) {
  const bool is_worst = more.worst_share > verdict.worst_share;
  if (verdict.worst_share < 0.0 || more.whole() > verdict.whole()) {
    verdict.relative = more.relative;
    verdict.allowed = more.allowed;
  }
  verdict.entries = std::max(verdict.entries, more.entries);
  if (more.residual) verdict.residual = std::max(verdict.residual.value_or(0.0), *more.residual);
  if (!is_worst) return;
  verdict.worst_share = more.worst_share;
  verdict.worst = more.worst;
  state = at_state;
}

std::vector<Row> compare_results(const Robot& robot, const std::vector<CheckedFunction>& functions,
                                 const std::vector<State>& states, const std::filesystem::path& results,
                                 Progress& progress) {
  std::ifstream file(results, std::ios::binary);
  std::vector<Row> rows;
  std::size_t first = 0;
  for (const CheckedFunction& function : functions) {
    const std::size_t first_row = rows.size();
    for (const Form& form : function.forms) {
      rows.push_back({&function, &form, first});
      first += function.num_results(form);
    }
    for (int s = 0; s < function.states; ++s) {
      if (s % 100 == 0) progress.show(fmt::format("comparing {}, state {}", function.name, s));
      const State& state = states[static_cast<std::size_t>(s)];
      const std::span<Row> own = std::span(rows).subspan(first_row);
      judge_scalar("double", own, robot, state, s, file);
      judge_scalar("float", own, robot, reference::rounded_to_float(state), s, file);
    }
  }
  return rows;
}

std::string entry_name(const Entry& entry, const CheckedFunction& function, const model::Tree& tree) {
  if (entry.array_size == 0) return "-";  // no joint moves
  constexpr const char* frames[] = {"local_world_aligned", "local", "world"};
  const catalog::Shape shape = shape_of(entry, function, tree);
  const auto size = static_cast<std::size_t>(shape.size(catalog::sizes_of(tree)));
  const std::size_t index = entry.index % size, call = entry.index / size;
  std::vector<std::string> names = coordinates(shape, index, tree);
  if (function.spec->takes_link)
    names.insert(names.begin(), "link " + tree.links[call % tree.links.size()].name);
  if (function.spec->has_reference_frame_argument) names.emplace_back(frames[call / tree.links.size()]);
  const std::string array =
      entry.array.find(' ') == std::string::npos ? entry.array : "(" + entry.array + ")";
  return fmt::format("{}[{}]", array, index) +
         (names.empty() ? "" : fmt::format(" ({})", fmt::join(names, ", ")));
}

bool print_table(const std::vector<Row>& rows, const model::Tree& tree, std::ostream& out) {
  TextTable table({left("function"), right("states"), right("relative error"), right("allowed"),
                   right("entries"), right("residual"), left("worst entry")});
  bool all_agree = true, any_float = false;
  for (const Row& row : rows) {
    all_agree = all_agree && row.agrees();
    any_float = any_float || row.form->scalar == "float";
    table.add({row.function->name + row.form->label(), std::to_string(row.function->states),
               fmt::format("{:.1e}", row.verdict.relative), fmt::format("{:.0e}", row.verdict.allowed),
               fmt::format("{:.1e}", row.verdict.entries),
               row.verdict.residual ? fmt::format("{:.1e}", *row.verdict.residual) : "-",
               fmt::format("{} of state {}{}", entry_name(row.verdict.worst, *row.function, tree), row.state,
                           row.agrees() ? "" : "  FAILED")});
  }
  out << table.text("");
  out << fmt::format("{}: max |x - ref| / max(1, max |ref|) is allowed up to {:.0e}{}\n",
                     all_agree ? "agreed" : "DISAGREED", of_double.relative,
                     any_float ? ", in float up to what rounding does to this robot" : "");
  out << "entries, residual: the worst entry's own error, and that of M a + bias - tau row by row, as shares "
         "of what is allowed; above 1 is wrong\n";
  return all_agree;
}

}  // namespace featherline::cli
