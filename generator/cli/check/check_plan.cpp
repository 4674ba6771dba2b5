#include "cli/check/check.hpp"
#include "cli/compilers.hpp"
#include "option_types.hpp"
#include "support/diagnostic.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace featherline::cli {
namespace {

/// A whole vector of the widest instruction set in float (16 states), and a few states more.
constexpr int least_batch = 19;

constexpr const char* set_names[] = {"baseline", "avx2", "avx512"};

/// All forms that the options emit and that this machine can run. `nonzeros`: also those without structural zeros.
std::vector<Form> make_forms(const Options& options, bool nonzeros) {
  std::vector<Form> forms;
  const auto add = [&](Form form) {
    forms.push_back(form);
    form.nonzeros = true;
    if (nonzeros) forms.push_back(form);
  };
  for (const std::string& scalar : options.scalars) {
    add({Form::Kind::plain, scalar});
    if (options.has_binding("c-api")) add({Form::Kind::c, scalar});
    if (!options.has_binding("batch")) continue;
    for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
      if (is_supported(set)) forms.push_back({Form::Kind::batch, scalar, set});
    }
  }
  return forms;
}

CheckedFunction checked_function(const emit::FunctionFacts& facts, const catalog::FunctionSpec& spec,
                                 const CommandLine& line, const model::Tree& tree) {
  const reference::OutputFunction* judge = reference::find_outputs(spec.name);
  if (judge == nullptr) throw InternalError("no reference for " + spec.name);
  constexpr int states_by_order[] = {100, 10, 2};  // the reference takes longer for higher derivatives
  const int states = line.states > 0 ? line.states : states_by_order[spec.group.order];
  CheckedFunction function{facts.name, facts.name != spec.name, &spec, judge, states};
  function.forms = make_forms(line.options, !facts.nonzeros.empty());
  if (spec.takes_link) function.repeats *= tree.links.size();
  if (spec.has_reference_frame_argument) function.repeats *= 3;
  for (const catalog::Argument& output : spec.outputs)
    function.sizes.push_back(static_cast<std::size_t>(output.shape.size(catalog::sizes_of(tree))));
  return function;
}

/// Takes fewer states if all results together would pass 320 MB (100,000 links).
void limit_states(std::vector<CheckedFunction>& functions, bool chosen_by_user) {
  constexpr std::size_t most_numbers = 40'000'000;
  std::size_t numbers = 1;
  for (const CheckedFunction& function : functions) {
    for (const Form& form : function.forms)
      numbers += function.total_size() * static_cast<std::size_t>(form.runs());
  }
  const int most = std::max(2, static_cast<int>(most_numbers / numbers));
  for (CheckedFunction& function : functions) {
    if (!chosen_by_user) function.states = std::min(function.states, most);
    function.batch_count = std::max(function.states, std::min(least_batch, most));
  }
}

}  // namespace

std::string Form::label() const {
  std::vector<std::string> words;
  if (kind == Kind::c) words.push_back("C");
  if (kind == Kind::batch) words.insert(words.end(), {"batch", set_names[static_cast<int>(set)]});
  if (nonzeros) words.push_back("nonzeros");
  if (scalar != "double") words.push_back(scalar);
  return words.empty() ? "" : " (" + join(words) + ")";
}

std::size_t CheckedFunction::total_size() const {
  return repeats * std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

std::vector<CheckedFunction> plan_check(const CommandLine& line,
                                        const std::vector<emit::FunctionFacts>& facts,
                                        const model::Tree& tree) {
  std::vector<CheckedFunction> functions = each(facts, [&](const emit::FunctionFacts& function) {
    return checked_function(function, catalog::with_chosen_parts(*catalog::find(function.name), tree), line,
                            tree);
  });
  limit_states(functions, line.states > 0);
  return functions;
}

namespace {

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

/// If some forms of a function are right, its formula is right. The fault is then in what the wrong forms do besides.
std::string good_forms(const std::vector<Row>& rows, const CheckedFunction& function) {
  std::vector<std::string> good;
  for (const Row& row : rows) {
    if (row.function == &function && row.agrees()) good.push_back(function.name + row.form->label());
  }
  return good.empty() ? "" : fmt::format("  {} agrees: the formula is right there\n", join(good));
}

std::string other_formulations(const CheckedFunction& function, const Emission& emission, const Robot& robot,
                               const Options& options) {
  const auto facts = std::ranges::find_if(
      emission.facts, [&](const emit::FunctionFacts& f) { return f.name == function.name; });
  const catalog::FunctionSpec& spec = *function.spec;
  std::vector<std::string> others;
  for (const catalog::Formulation& formulation : spec.formulations) {
    if (formulation.name != facts->formulation && applies(formulation, spec, robot.tree, options))
      others.push_back(fmt::format("--formulation \"{}={}\"", spec.name, formulation.name));
  }
  if (others.empty()) return "";
  return fmt::format("  {}: another way to compute it: {}\n", function.name, join(others, " or "));
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

/// The command that shows the fault again and runs nothing else. `functions` are those that are wrong.
std::string repeat_command(const CommandLine& line, const std::vector<const CheckedFunction*>& functions) {
  Options only = line.options;
  std::erase_if(only.formulations, [&](const auto& forced) {
    return std::ranges::none_of(functions,
                                [&](const CheckedFunction* f) { return f->spec->name == forced.first; });
  });
  std::vector<std::string> names;
  int states = 0;
  for (const CheckedFunction* function : functions) {
    names.push_back(function->name);
    states = std::max(states, function->states);
  }
  std::string flags = flags_in_effect(only, names);
  const auto& dynamics = only.joint_dynamics_file;
  for (const auto& [flag, file] : {std::pair{"--choices ", line.choices_file},
                                   {"--joint-order ", line.joint_order_file},
                                   {"--joint-dynamics ", dynamics ? dynamics->file : ""}}) {
    const std::string without_file = std::string(flag) + "(given)";
    const std::size_t at = flags.find(without_file);
    if (at != std::string::npos) flags.replace(at, without_file.size(), flag + shell_word(file));
  }
  return fmt::format("featherline check {} {} --seed {} --states {}", shell_word(line.model), flags,
                     line.seed, states);
}

}  // namespace

std::string advice(const std::vector<Row>& rows, const CommandLine& line, const Robot& robot,
                   const Emission& emission) {
  std::string findings, good, others;
  std::vector<const CheckedFunction*> wrong;  // rows of one function follow one another
  for (const Row& row : rows) {
    if (row.agrees()) continue;
    findings += finding(row, robot.tree);
    if (!wrong.empty() && wrong.back() == row.function) continue;
    wrong.push_back(row.function);
    good += good_forms(rows, *row.function);
    others += other_formulations(*row.function, emission, robot, line.options);
  }
  if (wrong.empty()) return "";
  std::string text = "what is wrong:\n" + findings + good + "what to try:\n";
  if (robot.snapped) text += "  --snap-angles 0: right angles stay as they are written in the robot's file\n";
  return text + others + compiler_advice() + "if it stays, report it with the robot's file and\n  " +
         repeat_command(line, wrong) + "\n";
}

}  // namespace featherline::cli
