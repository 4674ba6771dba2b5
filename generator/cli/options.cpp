#include "cli/options.hpp"

#include "cli/functions.hpp"
#include "cli/nearest_name.hpp"
#include "cli/option_flags.hpp"
#include "cli/option_values.hpp"
#include "pipeline.hpp"
#include "support/diagnostic.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>
#include <utility>

namespace featherline::cli {
namespace {

std::string dashes(const std::string& flag) { return flag.size() == 1 ? "-" + flag : "--" + flag; }

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back(dashes(name));
    for (const std::string& name : option->get_lnames()) names.push_back(dashes(name));
  }
  return names;
}

/// What CLI11 says, with the nearest flag added where a flag is unknown.
UsageError describe(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::string see =
      "; see featherline " + (command == &app ? "" : command->get_name() + " ") + "--help";
  const std::vector<std::string> rest = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || rest.empty())
    return UsageError(error.what() + see);
  const std::string flag = rest.front().substr(0, rest.front().find('='));
  const std::string nearest = nearest_name(flag, flag_names(*command));
  return UsageError("unknown flag " + featherline::quoted(flag) +
                    (nearest.empty() ? "" : "; did you mean " + nearest + "?") + see);
}

int parse_count(const std::string& flag, const std::string& text, int fallback, int least) {
  if (text.empty()) return fallback;
  const double value = parse_number(flag, text);
  if (value != static_cast<int>(value) || value < least || value > 1e9) {
    throw UsageError(flag + ": " + featherline::quoted(text) + " is not a whole number of at least " +
                     std::to_string(least));
  }
  return static_cast<int>(value);
}

std::vector<std::string> parse_scalars(const std::vector<std::string>& words) {
  std::vector<std::string> scalars;
  for (const std::string& word : split_list("--scalar", words)) {
    one_of("--scalar", word, {"double", "float"});
    if (std::find(scalars.begin(), scalars.end(), word) == scalars.end()) scalars.push_back(word);
  }
  return scalars;
}

Options::Format parse_format(const std::string& flag, const std::string& word,
                             const std::vector<std::string>& valid) {
  one_of(flag, word, valid);
  return word == "json"  ? Options::Format::json
         : word == "dot" ? Options::Format::dot
                         : Options::Format::text;
}

void convert_robot_words(Options& options, const Words& words) {
  options.build.floating_base = one_of("--base", words.base, {"fixed", "floating"}) == "floating";
  options.build.mimic_independent =
      one_of("--mimic", words.mimic, {"coupled", "independent"}) == "independent";
  if (!words.gravity.empty()) options.build.gravity = parse_vector("--gravity", words.gravity);
  if (!words.snap_angles.empty()) {
    const double tolerance = parse_number("--snap-angles", words.snap_angles);
    if (tolerance < 0.0 || tolerance >= 0.5) {
      throw UsageError("--snap-angles: " + featherline::quoted(words.snap_angles) +
                       " is not between 0 and 0.5");
    }
    options.build.snap_tolerance = tolerance;
  }
  for (const std::string& error : split_list("--allow", words.allow)) {
    one_of("--allow", error, {"unphysical-inertia"});
    options.build.allow_unphysical_inertia = true;
  }
  options.build.joint_dynamics = options.joint_dynamics == "urdf";
  if (!options.joint_order_file.empty())
    options.build.joint_order = read_joint_order(options.joint_order_file);
  options.diagnostics = parse_format("--diagnostics", words.diagnostics, {"text", "json"});
}

void refuse_for_several(const Options& options) {
  const std::vector<std::string>& inputs = options.inputs;
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw UsageError("- stands twice among the robots; standard input can be read once");
  if (inputs.size() < 2) return;
  for (const auto& [flag, value] : {std::pair{"--name", options.name}, {"--depfile", options.depfile}}) {
    if (!value.empty())
      throw UsageError(std::string(flag) + " is for one robot; " + std::to_string(inputs.size()) +
                       " are given: run them one by one");
  }
}

/// Nothing for an empty word. The names people know from compilers are taken, too.
std::optional<cost::Target> parse_target(const std::string& word, const Options& options) {
  if (word.empty()) return std::nullopt;
  const std::string name = word == "x86_64" ? "x86-64" : word == "cortex-m4" ? "cortex-m4f" : word;
  std::vector<std::string> names;
  for (const cost::TargetName& target : cost::target_names()) names.push_back(target.name);
  one_of("--target", name, names);
  const auto& scalars = options.scalars;
  const bool has_float = std::find(scalars.begin(), scalars.end(), "float") != scalars.end();
  if (options.command == Options::Command::generate && name != "x86-64" && !has_float)
    throw UsageError("--target " + name + " is estimated in float; add --scalar float");
  for (const cost::TargetName& target : cost::target_names()) {
    if (target.name == name) return target.target;
  }
  return std::nullopt;
}

void convert(Options& options, const Words& words) {
  convert_robot_words(options, words);
  const std::vector<std::string> functions = split_list("--functions", words.functions);
  options.functions = resolve_functions(functions.empty() ? default_functions() : functions);
  options.named_functions = functions;
  options.formulations = resolve_formulations(words.formulations);
  if (!words.scalars.empty()) options.scalars = parse_scalars(words.scalars);
  options.inspect_format = parse_format("--format", words.format, {"text", "json", "dot"});
  options.states = parse_count("--states", words.states, 0, 1);
  options.max_stack = parse_bytes("--max-stack", words.max_stack);
  options.max_code = parse_bytes("--max-code", words.max_code);
  options.max_image = parse_bytes("--max-image", words.max_image);
  options.target = parse_target(words.target, options);
  options.seed = static_cast<std::uint32_t>(parse_count("--seed", words.seed, 1, 0));
  if (!options.dump_after.empty()) one_of("--dump-after", options.dump_after, stage_names());
  const bool needs_folder = options.command == Options::Command::generate && options.dump_after.empty();
  if (needs_folder && options.output_folder.empty()) {
    throw UsageError("-o DIR is missing: name the folder the emitted files go to");
  }
  if (!options.depfile.empty() && options.output_folder.empty()) throw UsageError("--depfile needs -o DIR");
  refuse_for_several(options);
}

}  // namespace

std::optional<Options> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out) {
  Options options;
  Words words;
  CLI::App app;
  declare_flags(app, options, words);
  if (!arguments.empty() && arguments.front().rfind('-', 0) != 0) {
    one_of("command", arguments.front(), {"generate", "inspect", "check"});
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them in reverse
  } catch (const CLI::Success& answer) {
    app.exit(answer, out, out);
    return std::nullopt;
  } catch (const CLI::ParseError& error) { throw describe(app, error); }
  if (app.got_subcommand("inspect")) options.command = Options::Command::inspect;
  if (app.got_subcommand("check")) options.command = Options::Command::check;
  if (options.dump_after == "list") {
    out << join(stage_names(), "\n") << '\n';
    return std::nullopt;
  }
  convert(options, words);
  return options;
}

}  // namespace featherline::cli
