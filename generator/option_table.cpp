#include "option_table.hpp"

#include "catalog/functions.hpp"
#include "model/chosen_inputs.hpp"
#include "model/joint_roles.hpp"
#include "option_types.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace featherline::cli {
namespace {

// Words that other tables know.

std::string describe_axes() {
  Texts all;
  for (const auto& [name, axes] : model::frame_axes_names())
    all.push_back(name + ": " + model::describe(axes) + (all.empty() ? " (default)" : ""));
  return join(all, "; ");
}

using Format = CommandLine::Format;

std::vector<Option> make_table() {
  using enum CommandLine::Command;
  using namespace places;
  constexpr unsigned robot = every_command | keyword | robot_flags;
  constexpr unsigned functions = generate | page | check | tune | compare | keyword;
  constexpr unsigned forms = generate | check | tune | flags;
  return {
      {"-o", generate, value(Takes::word, &CommandLine::output_folder, &Given::text)},
      {"-o", tune, value(Takes::word, &CommandLine::choices_output, &Given::text)},

      // how the robot is understood
      {"--base", robot | always,
       word_of(&model::BuildOptions::floating_base, Words<bool>{{"fixed", false}, {"floating", true}})},
      {"--mimic", robot | always,
       word_of(&model::BuildOptions::mimic_independent,
               Words<bool>{{"coupled", false}, {"independent", true}})},
      {"--gravity", robot | always, gravity()},
      {"--snap-angles", robot, value(Takes::number, &model::BuildOptions::snap_tolerance, tolerance_of)},
      {"--allow", robot, allowed()},
      {"--xacro-args", robot | cmake, value(Takes::word, &Options::xacro_arguments, &Given::text)},
      {"--joint-dynamics", robot, joint_dynamics()},
      {"--joint-order", robot, joint_order()},
      {"--lock", robot | cmake, items(Takes::pairs, locks, model::parse_locks)},
      {"--lock-all-but", robot | cmake | not_empty, list(Takes::names, free_joints)},
      {"--external-forces", robot | cmake, list(Takes::names, &Options::external_forces)},
      {"--parameters", robot | cmake, list(Takes::names, &Options::parameters)},
      {"--frames", robot | cmake, items(Takes::list, &Options::frames, model::parse_frames)},
      {"--frame-axes", robot | cmake, word_of(&Options::frame_axes, model::frame_axes_names())},
      {"--frame-parts", robot | cmake,
       list(Takes::list, &Options::frame_parts, names_of(model::frame_parts()))},
      {"--regressor-columns", robot | cmake,
       list(Takes::list, &Options::regressor_columns, model::joint_column_words())},
      {"--contacts", robot | cmake, items(Takes::list, &Options::contacts, model::parse_contacts)},
      {"--eliminate", robot | cmake, list(Takes::names, &Options::eliminate)},
      {"--stabilisation", robot | cmake, stabilisation()},
      {"--contact-joints", robot | cmake | not_empty,
       list(Takes::list, &Options::contact_joints, {model::joint_limits, model::joint_friction})},
      {"--actuated", robot | cmake | not_empty, list(Takes::names, &Options::actuated)},
      {"--integrator", robot | cmake,
       word_of(&Options::integrator,
               Words<model::Integrator>{{"semi_implicit", model::Integrator::semi_implicit},
                                        {"rk4", model::Integrator::rk4}})},

      // which functions, in which forms
      {"--lanes", functions | robot_flags,
       word_of(&Options::lanes, Words<bool>{{"auto", true}, {"off", false}})},
      {"--name", generate | check | tune | keyword, value(Takes::word, &Options::name, &Given::text)},
      {"--scalar", forms | keyword | always, scalars()},
      {"--target", generate | page | check | compare | flags, target()},
      {"--flash-wait-states", generate | page | compare | flags, count(&Options::flash_wait_states, 0, 100)},
      {"--c-api", forms | cmake, binding("c-api")},
      {"--batch", forms | keyword | cmake, binding("batch")},
      {"--python", forms | cmake, binding("python")},
      {"--casadi", forms | cmake, binding("casadi")},
      {"--cuda", forms | cmake, binding("cuda")},
      {"--functions", functions | flags | always | not_empty, list(Takes::list, &Options::named_functions)},
      {"--with-derivatives", functions | flags, makes(&Options::with_derivatives)},
      {"--formulation", functions | flags, formulations()},
      {"--optimise-for", functions | flags, word_of(&Options::optimise_for, goal_names)},
      {"--choices", (functions & ~tune) | flags, choices()},
      {"--max-code", functions | flags, value(Takes::number, &Options::max_code, bytes_of)},
      {"--max-stack", generate | keyword, value(Takes::number, &CommandLine::max_stack, bytes_of)},
      {"--max-image", generate | keyword, value(Takes::number, &CommandLine::max_image, bytes_of)},
      {"--shards", generate | flags, count(&Options::shards, 1, 1'000)},
      {"--no-verify", functions | flags, makes(&Options::verify, false)},

      // what the command does and says
      {"--format", inspect,
       word_of(&CommandLine::format, Words<Format>{{"text", Format::text},
                                                   {"json", Format::json},
                                                   {"dot", Format::dot},
                                                   {"html", Format::html}})},
      {"--trajectory", page, value(Takes::word, &CommandLine::trajectory_file, &Given::text)},
      {"--format", compare,
       word_of(
           &CommandLine::format,
           Words<Format>{{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}})},
      {"--measure", compare, makes(&CommandLine::measure)},
      {"--cold", tune | compare, makes(&CommandLine::cold)},
      {"--states", check, count(&CommandLine::states, 1, 1'000'000)},  // all of them are in memory
      {"--seed", check | tune | compare, count(&CommandLine::seed, 0, std::numeric_limits<int>::max())},
      {"--size", check, makes(&CommandLine::size)},
      {"--keep", check | tune, makes(&CommandLine::keep)},
      {"--jobs", generate, count(&Options::jobs, 1, 1'000)},
      {"--depfile", generate, value(Takes::word, &CommandLine::depfile, &Given::text)},
      {"--dump-after", generate, value(Takes::word, &CommandLine::dump_after, &Given::text)},
      {"--force", generate | tune, makes(&CommandLine::force)},
      {"--no-report", generate, makes(&CommandLine::report, false)},
      {"--quiet", generate | tune, makes(&CommandLine::quiet)},
      {"--accept", every_command | keyword | cmake,
       list(Takes::list, &CommandLine::accepted, {std::begin(finding_names), std::end(finding_names)})},
      {"--werror", every_command | keyword, makes(&CommandLine::warnings_are_errors)},
      {"--diagnostics", every_command,
       word_of(&CommandLine::diagnostics,
               Words<CommandLine::Findings>{{"text", CommandLine::Findings::text},
                                            {"full", CommandLine::Findings::full},
                                            {"json", CommandLine::Findings::json}})},
  };
}

/// The same with what templates/help/options.in says of each, in the same order.
std::vector<Option> with_words(std::vector<Option> options) {
  auto option = options.begin();
  for (const std::string& line : split_at(std::string(skeleton("help/options")), '\n')) {
    if (line.starts_with("  ") && option != options.begin()) {
      std::string& words = std::prev(option)->words;
      words += (words.empty() ? "" : " ") + line.substr(2);
    } else if (!line.empty() && !line.starts_with('#')) {
      const std::size_t end = std::min(line.find(' '), line.size());
      if (option == options.end() || option->flag != line.substr(0, end))
        throw InternalError("templates/help/options.in has other options than the table: " + line);
      option++->argument = line.substr(std::min(end + 1, line.size()));
    }
  }
  if (option != options.end())
    throw InternalError("templates/help/options.in lacks the option " + option->flag);
  for (Option& entry : options)
    entry.words = fmt::format(fmt::runtime(entry.words), fmt::arg("axes", describe_axes()),
                              fmt::arg("parts", join(names_of(model::frame_parts()))),
                              fmt::arg("columns", join(model::joint_column_words())),
                              fmt::arg("functions", join(default_functions(), ",")));
  return options;
}

/// The options of these places as they stand on a command line, without those at their defaults.
std::string printed(const Options& options, unsigned where) {
  CommandLine defaults, line;
  line.options = options;
  Texts words;
  for (const Option& option : option_table()) {
    if ((option.where & where) == 0) continue;
    const Texts values = option.type.print(line);
    if ((option.where & places::always) == 0 && values == option.type.print(defaults)) continue;
    for (const std::string& value : values) words.push_back(option.flag + (value.empty() ? "" : " " + value));
  }
  return join(words, " ");
}

}  // namespace

std::vector<std::string> default_functions() {
  Texts names;
  for (const catalog::Group& group : catalog::groups()) {
    if (group.by_default) names.push_back(group.name);
  }
  return names;
}

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = with_words(make_table());
  return table;
}

}  // namespace featherline::cli

namespace featherline {

Options::Options() = default;

Options Options::for_devices() const {
  Options options = *this;
  options.lanes = false;
  options.optimise_for = Goal::flops;
  options.max_code = 0;
  options.formulations.clear();
  options.choices.clear();
  options.bindings.clear();
  return options;
}

const std::string* Options::demanded_formulation(const std::string& function) const {
  for (const auto* demands : {&formulations, &choices}) {
    const auto found = demands->find(function);
    if (found != demands->end()) return &found->second;
  }
  return nullptr;
}

std::string robot_flags(const Options& options) { return cli::printed(options, cli::places::robot_flags); }

std::string flags_in_effect(const Options& options, const std::vector<std::string>& functions) {
  Options with_functions = options;
  with_functions.named_functions = functions;
  return cli::printed(with_functions, cli::places::robot_flags | cli::places::flags);
}

}  // namespace featherline
