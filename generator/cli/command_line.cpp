#include "cli/commands.hpp"

#include "catalog/functions.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "option_types.hpp"
#include "pipeline.hpp"
#include "support/text.hpp"

#include <map>
#include <ostream>
#include <thread>

namespace featherline::cli {
namespace {

/// What was given, in the order of the table.
using AllGiven = std::map<const Option*, Given>;

[[noreturn]] void refuse(const CommandDoc& command, const std::string& what) {
  throw UsageError(what + "; see featherline " + command.name + " --help");
}

const Option& find_option(const CommandDoc& command, const std::string& flag) {
  const unsigned where = command.command | (command.command == CommandLine::inspect ? places::page : 0);
  Texts names{"--help"};
  for (const Option& option : option_table()) {
    if ((option.where & where) == 0) continue;
    if (option.flag == flag) return option;
    if (option.flag.starts_with("--")) names.push_back(option.flag);
  }
  const std::string nearest = nearest_name(flag, names);
  refuse(command,
         "unknown flag " + in_quotes(flag) + (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

/// "--base fixed", "--base=fixed", "-o DIR", "-oDIR". `word` stands at its last word then.
void read_flag(const CommandDoc& command, Texts::const_iterator& word, Texts::const_iterator end,
               AllGiven& all) {
  const bool is_long = (*word)[1] == '-';
  const std::size_t length = is_long ? std::min(word->find('='), word->size()) : 2;
  const Option& option = find_option(command, word->substr(0, length));
  Given& given = all[&option];
  given.flag = option.flag;
  if (option.type.takes == Takes::nothing) {
    const std::string variant = "[" + (length < word->size() ? word->substr(length + 1) : "") + "]";
    const bool is_next = std::next(word) != end && option.argument == "[" + *std::next(word) + "]";
    if (length < word->size() && option.argument != variant)
      refuse(command, option.flag + (option.argument.empty() ? " takes no value"
                                                             : " takes no value but " + option.argument));
    given.texts.push_back(is_next ? *++word : length < word->size() ? word->substr(length + 1) : "");
  } else if (length < word->size()) {
    given.texts.push_back(word->substr(length + (is_long ? 1 : 0)));
  } else if (++word == end) {
    refuse(command, option.flag + " needs a value: " + option.argument);
  } else {
    given.texts.push_back(*word);
  }
  if (given.texts.size() > 1 && !option.is_repeated()) refuse(command, option.flag + " may be given once");
}

/// Splits the arguments of a command. Nothing if the user asks for help.
std::optional<AllGiven> read_arguments(const CommandDoc& command, const Texts& arguments, Texts& inputs) {
  AllGiven all;
  bool only_inputs = false;  // behind "--"
  for (auto word = arguments.begin() + 1; word != arguments.end(); ++word) {
    if (only_inputs || word->size() < 2 || word->front() != '-')
      inputs.push_back(*word);
    else if (*word == "--")
      only_inputs = true;
    else if (*word == "--help" || *word == "-h")
      return std::nullopt;
    else
      read_flag(command, word, arguments.end(), all);
  }
  if (inputs.empty()) refuse(command, "the file of a robot is required");
  return all;
}

const CommandDoc& find_command(const std::string& name) {
  if (name.starts_with("-")) throw UsageError("unknown flag " + in_quotes(name) + "; see featherline --help");
  Texts names;
  for (const CommandDoc& command : commands()) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  throw UsageError("command: " + refuse_word(name, names));
}

void refuse_page_options(const CommandLine& line, const AllGiven& all) {
  if (line.command != CommandLine::inspect || line.format == CommandLine::Format::html) return;
  for (const auto& [option, given] : all) {
    if ((option->where & CommandLine::inspect) == 0)
      throw UsageError(option->flag + " of inspect is for --format html; add that, or leave " + option->flag +
                       " out");
  }
}

void complete_functions(Options& options) {
  Texts asked = options.named_functions;
  if (asked.empty()) {
    asked = default_functions();
    if (!options.frames.empty()) asked.push_back(catalog::frames.name);
    const auto is_sphere = [](const auto& contact) { return contact.radius > 0.0; };  // only steps take these
    if (std::ranges::any_of(options.contacts, is_sphere))
      asked.push_back(catalog::steps.name);
    else if (!options.contacts.empty())
      asked.push_back(catalog::constraints.name);
  }
  options.functions = resolve_functions(asked);
  check_formulations(options);
}

/// What the user named, or the machine that choices are measured on. Refuses what that cannot have.
void complete_target(CommandLine& line) {
  Options& options = line.options;
  if (options.device && !options.has_binding("cuda"))
    throw UsageError("--target " + cost::name(*options.device) +
                     " is for functions that run on a GPU, which generate --cuda writes; add --cuda to "
                     "generate, or leave out --target");
  if (!options.target && cost::is_cortex_m(options.estimated_target()) &&
      (line.command == CommandLine::tune || !line.choices_file.empty() || options.device))
    options.target = cost::Target::x86_64;
  if (!cost::is_cortex_m(options.estimated_target())) {
    if (options.flash_wait_states == 0) return;
    throw UsageError("--flash-wait-states " + std::to_string(options.flash_wait_states) +
                     ": cycles are predicted for Cortex-M alone, and the target is " +
                     cost::name(options.estimated_target()) +
                     "; add --scalar float --target cortex-m7 or cortex-m4f, or leave it out");
  }
  const std::string name = cost::name(options.estimated_target());
  const std::string is_another = " is another one; leave out one of them";
  if (options.target && line.command == CommandLine::generate &&
      std::ranges::count(options.scalars, "float") == 0)
    throw UsageError("--target " + name + " is estimated in float; add --scalar float");
  if (line.measure) throw UsageError("--measure times on this machine, and --target " + name + is_another);
  if (options.optimise_for == Goal::speed)
    throw UsageError(
        "--optimise-for speed: times are predicted for x86-64 alone; say flops, which the time on " + name +
        " follows, or size");
  if (!line.choices_file.empty())
    throw UsageError("--choices are measured on the machine that runs featherline tune, and --target " +
                     name + is_another);
}

/// tune chooses by cold times for --optimise-for latency, and for nothing else unless the user says so.
void complete_cold(CommandLine& line) {
  if (line.command == CommandLine::compare && line.cold) line.measure = true;
  if (line.command != CommandLine::tune) return;
  if (line.cold && !line.options.optimise_for) line.options.optimise_for = Goal::latency;
  if (line.options.optimise_for == Goal::latency) line.cold = true;
}

void check_outputs(const CommandLine& line) {
  if (!line.dump_after.empty() && line.dump_after != "list")
    one_of("--dump-after", line.dump_after, stage_names());
  if (line.command == CommandLine::generate && line.dump_after.empty() && line.output_folder.empty())
    throw UsageError("-o DIR is missing: name the folder the emitted files go to");
  if (line.command == CommandLine::tune && line.choices_output.empty())
    throw UsageError("-o FILE is missing: name the file that the choices go to");
  if (!line.choices_file.empty() && !line.options.is_for_time())
    throw UsageError(
        "--choices are the fastest formulations, and --optimise-for asks for others; leave out one of them");
  if (!line.depfile.empty() && line.output_folder.empty()) throw UsageError("--depfile needs -o DIR");
  if (line.options.has_binding("casadi") && std::ranges::count(line.options.scalars, "double") == 0)
    throw UsageError("--casadi: CasADi computes in double; add double to --scalar");
  const std::string& name = line.options.name;
  if (line.options.shards > 0 && !name.empty() && emit::emitted_name(name) != name)
    throw UsageError("--name: the name " + name +
                     " is reserved in C++ or its libraries; choose another one with NAME");
}

void refuse_for_several(const CommandLine& line) {
  const Texts& inputs = line.inputs;
  if (std::ranges::count(inputs, "-") > 1)
    throw UsageError("'-' may be given once: standard input can be read once");
  if (inputs.size() < 2) return;
  const std::string one_by_one = std::to_string(inputs.size()) + " are given: run them one by one";
  if (line.format == CommandLine::Format::html)
    throw UsageError("--format html makes one page, for one robot; " + one_by_one);
  for (const auto& [flag, value] : {std::pair{"--name", line.options.name},
                                    {"--depfile", line.depfile},
                                    {"--choices", line.choices_file},
                                    {"-o", line.choices_output}}) {
    if (!value.empty()) throw UsageError(std::string(flag) + " is for one robot; " + one_by_one);
  }
}

}  // namespace

std::vector<std::string> files_read(const CommandLine& line) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    if (!file.empty() && file != "-") files.push_back(file);
  };
  for (const std::string& input : line.inputs) add(input);
  add(line.joint_order_file);
  add(line.choices_file);
  if (line.options.joint_dynamics_file) add(line.options.joint_dynamics_file->file);
  return files;
}

std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out) {
  const auto answer = [&](const std::string& text) {
    out << text;
    return std::nullopt;
  };
  if (arguments.empty()) throw UsageError("A command is required; see featherline --help");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h") return answer(help());
  if (first == "--version") return answer("featherline " + emit::version() + "\n");
  if (first == "--list-options") return answer(option_list(arguments.back()));
  const CommandDoc& command = find_command(first);
  CommandLine line;
  line.command = command.command;
  line.options.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const std::optional<AllGiven> all = read_arguments(command, arguments, line.inputs);
  if (!all) return answer(help(command));
  for (const auto& [option, given] : *all) option->type.parse(given, line);
  refuse_page_options(line, *all);
  complete_functions(line.options);
  complete_cold(line);
  complete_target(line);
  check_outputs(line);
  refuse_for_several(line);
  if (line.dump_after == "list") return answer(join(stage_names(), "\n") + "\n");
  return line;
}

}  // namespace featherline::cli
