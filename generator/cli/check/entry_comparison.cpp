#include "cli/check/entry_comparison.hpp"

#include "cli/text_table.hpp"
#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ostream>

namespace featherline::cli {
namespace {

using reference::Outputs;
using reference::State;

/// Reads numbers from any place in the driver's file.
class Results {
 public:
  explicit Results(const std::filesystem::path& file) : in_(file, std::ios::binary) {}

  Outputs read(std::size_t first, const Outputs& shape) {
    in_.seekg(static_cast<std::streamoff>(first * sizeof(double)));
    Outputs outputs = shape;
    for (reference::OutputArray& array : outputs) {
      in_.read(reinterpret_cast<char*>(array.values.data()),
               static_cast<std::streamsize>(array.values.size() * sizeof(double)));
    }
    if (!in_) throw InternalError("the driver wrote fewer results than states");
    return outputs;
  }

 private:
  std::ifstream in_;
};

/// Judges one function at one state in one scalar. If quarter turns can be made exact, a function may have been emitted
/// for the robot with exact turns or for the robot as written. The results must then be right for one of the two.
class StateJudge {
 public:
  StateJudge(const CheckedFunction& function, const Robot& robot, const State& state,
             const Precision& precision)
      : function_(*function.reference),
        robot_(robot),
        state_(state),
        precision_(precision),
        as_written_(function_, robot.tree, state, precision) {}

  const Outputs& expected() const { return as_written_.expected(); }

  Verdict judge(const Outputs& emitted) {
    const Verdict verdict = as_written_.judge(emitted);
    if (verdict.worst_share <= 0.1 || verdict.whole() > 1.0 || !robot_.snapped) return verdict;
    if (!snapped_) snapped_.emplace(function_, *robot_.snapped, state_, precision_);
    const Verdict other = snapped_->judge(emitted);
    return other.worst_share < verdict.worst_share ? other : verdict;
  }

 private:
  const reference::OutputFunction& function_;
  const Robot& robot_;
  const State& state_;
  Precision precision_;
  Judge as_written_;
  std::optional<Judge> snapped_;
};

/// All rows of one function. Its results begin at number `first` of the file.
class FunctionComparison {
 public:
  FunctionComparison(const CheckedFunction& function, const Robot& robot, std::size_t first, Results& results)
      : function_(function), robot_(robot), results_(results) {
    for (const Form& form : function.forms) {
      rows_.emplace_back();
      rows_.back().function = &function;
      rows_.back().form = &form;
      starts_.push_back(first);
      first += numbers(form) * static_cast<std::size_t>(form.runs());
    }
    end_ = first;
  }

  void compare_at(const State& state, int index) {
    compare_scalar("double", of_double, state, index);
    compare_scalar("float", of_float, reference::rounded_to_float(state), index);
  }
  const std::vector<Row>& rows() const { return rows_; }
  std::size_t end() const { return end_; }

 private:
  /// How many numbers one run of a form writes.
  std::size_t numbers(const Form& form) const {
    return function_.total_size() * static_cast<std::size_t>(function_.calls(form));
  }

  void compare_scalar(const std::string& scalar, const Precision& precision, const State& state, int index) {
    std::optional<StateJudge> judge;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].form->scalar != scalar) continue;
      if (!judge) judge.emplace(function_, robot_, state, precision);
      compare_form(r, *judge, index);
    }
  }

  void compare_form(std::size_t r, StateJudge& judge, int index) {
    const Form& form = *rows_[r].form;
    for (int run = 0; run < form.runs(); ++run) {
      for (int call = index; call < function_.calls(form); call += function_.states) {
        const std::size_t first = starts_[r] + numbers(form) * static_cast<std::size_t>(run) +
                                  function_.total_size() * static_cast<std::size_t>(call);
        rows_[r].add(judge.judge(results_.read(first, judge.expected())), index);
      }
    }
  }

  const CheckedFunction& function_;
  const Robot& robot_;
  Results& results_;
  std::vector<Row> rows_;
  std::vector<std::size_t> starts_;
  std::size_t end_ = 0;
};

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
  Results file(results);
  std::vector<Row> rows;
  std::size_t first = 0;
  for (const CheckedFunction& function : functions) {
    FunctionComparison comparison(function, robot, first, file);
    for (int s = 0; s < function.states; ++s) {
      if (s % 100 == 0) progress.show(fmt::format("comparing {}, state {}", function.name, s));
      comparison.compare_at(states[static_cast<std::size_t>(s)], s);
    }
    rows.insert(rows.end(), comparison.rows().begin(), comparison.rows().end());
    first = comparison.end();
  }
  return rows;
}

namespace {

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
    if (side.of == catalog::Dimension::Of::nv)
      names.push_back(coordinate_name(tree, index % extent % static_cast<std::size_t>(tree.nv)));
    index /= extent;
  }
  return names;
}

}  // namespace

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
  constexpr auto left = TextTable::Side::left, right = TextTable::Side::right;
  TextTable table({{"function", left},
                   {"states", right},
                   {"relative error", right},
                   {"allowed", right},
                   {"entries", right},
                   {"residual", right},
                   {"worst entry", left}});
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
