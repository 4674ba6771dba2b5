#include "cli/check/entry_comparison.hpp"
#include "cli/host_compiler.hpp"
#include "option_types.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::cli {
namespace {

/// The rows that are wrong. Rows of one function follow one another.
using Rows = std::vector<const Row*>;

/// "  aba (float): a[2] (elbow) is 1.25 and should be 1.5, at state 7"
std::string finding(const Row& row, const model::Tree& tree) {
  const Entry& worst = row.verdict.worst;
  const std::string where = fmt::format("  {}{}: {}", row.function->name, row.form->label(),
                                        entry_name(worst, *row.function, tree));
  if (!std::isfinite(worst.expected))
    return fmt::format("{}: the reference itself is {} at state {}\n", where, worst.expected, row.state);
  if (!std::isfinite(worst.found))
    return fmt::format("{} is {} at state {}: not a number\n", where, worst.found, row.state);
  return fmt::format("{} is {:.10g} and should be {:.10g}, at state {}\n", where, worst.found, worst.expected,
                     row.state);
}

std::vector<std::string> names_of(const Rows& wrong) {
  std::vector<std::string> names;
  for (const Row* row : wrong) {
    if (names.empty() || names.back() != row->function->name) names.push_back(row->function->name);
  }
  return names;
}

/// If some forms of a function are right, its formula is right. The fault is then in what the wrong forms do besides.
std::string good_forms(const std::vector<Row>& rows, const Rows& wrong) {
  std::string text;
  for (const std::string& name : names_of(wrong)) {
    std::vector<std::string> good;
    for (const Row& row : rows) {
      if (row.function->name == name && row.agrees()) good.push_back(name + row.form->label());
    }
    if (!good.empty()) text += fmt::format("  {} agrees: the formula is right there\n", join(good));
  }
  return text;
}

std::string other_formulations(const Rows& wrong, const Emission& emission, const Robot& robot,
                               const Options& options) {
  std::string text;
  for (const std::string& name : names_of(wrong)) {
    const auto facts = std::find_if(emission.facts.begin(), emission.facts.end(),
                                    [&](const emit::FunctionFacts& f) { return f.name == name; });
    const auto row = std::find_if(wrong.begin(), wrong.end(),
                                  [&](const Row* candidate) { return candidate->function->name == name; });
    const catalog::FunctionSpec& spec = *(*row)->function->spec;
    std::vector<std::string> others;
    for (const catalog::Formulation& formulation : spec.formulations) {
      if (facts == emission.facts.end() || formulation.name == facts->formulation) continue;
      if (!applies(formulation, spec, robot.tree, options)) continue;
      others.push_back(fmt::format("--formulation \"{}={}\"", spec.name, formulation.name));
    }
    if (!others.empty())
      text += fmt::format("  {}: another way to compute it: {}\n", name, join(others, " or "));
  }
  return text;
}

/// Advice about CXX: flags in it that let the compiler change results, or else another compiler.
std::string compiler_advice() {
  const std::string compiler = host_compiler();
  for (const char* flag : {"-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-ffinite-math-only"}) {
    if (compiler.find(flag) != std::string::npos)
      return fmt::format("  CXX has {}, which lets the compiler change results: leave it out\n", flag);
  }
  return "  another compiler, or none of your flags, in CXX (now: " + compiler + ")\n";
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

/// The command that shows the fault again and runs nothing else.
std::string repeat_command(const CommandLine& line, const Rows& wrong) {
  Options only = line.options;
  std::erase_if(only.formulations, [&](const auto& forced) {
    return std::none_of(wrong.begin(), wrong.end(),
                        [&](const Row* row) { return row->function->spec->name == forced.first; });
  });
  std::string flags = flags_in_effect(only, names_of(wrong));
  replace(flags, "--choices (given)", "--choices " + shell_word(line.choices_file));
  replace(flags, "--joint-order (given)", "--joint-order " + shell_word(line.joint_order_file));
  if (only.joint_dynamics_file)
    replace(flags, "--joint-dynamics (given)",
            "--joint-dynamics " + shell_word(only.joint_dynamics_file->file));
  int states = 0;
  for (const Row* row : wrong) states = std::max(states, row->function->states);
  return fmt::format("featherline check {} {} --seed {} --states {}", shell_word(line.urdf), flags, line.seed,
                     states);
}

}  // namespace

std::string advice(const std::vector<Row>& rows, const CommandLine& line, const Robot& robot,
                   const Emission& emission) {
  Rows wrong;
  for (const Row& row : rows) {
    if (!row.agrees()) wrong.push_back(&row);
  }
  if (wrong.empty()) return "";
  std::string text = "what is wrong:\n";
  for (const Row* row : wrong) text += finding(*row, robot.tree);
  text += good_forms(rows, wrong) + "what to try:\n";
  if (robot.snapped) text += "  --snap-angles 0: right angles stay as they are written in the URDF\n";
  text += other_formulations(wrong, emission, robot, line.options) + compiler_advice();
  return text + "if it stays, report it with the URDF and\n  " + repeat_command(line, wrong) + "\n";
}

}  // namespace featherline::cli
