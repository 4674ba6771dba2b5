#include "cli/check/check.hpp"

#include "support/diagnostic.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <numeric>

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

}  // namespace featherline::cli
