#include "cli/flag_values.hpp"

#include "catalog/functions.hpp"
#include "cli/function_words.hpp"
#include "emit/bindings/bindings.hpp"
#include "pipeline.hpp"
#include "support/diagnostic.hpp"
#include "support/nearest_name.hpp"
#include "support/side_by_side.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

namespace featherline::cli {
namespace {

constexpr int most_jobs = 1'000;
constexpr int most_states = 1'000'000;  // all of them are in memory
constexpr double most_bytes = 1000.0 * 1024 * 1024;

std::string trim(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The words between commas. "\\," is a comma inside a word: links may have one in their names.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (is_escaped) ++i;
    if (text[i] == ',' && !is_escaped)
      items.emplace_back();
    else
      items.back() += text[i];
  }
  std::transform(items.begin(), items.end(), items.begin(), trim);
  return items;
}

/// "a,b, c" becomes {"a", "b", "c"}, over all uses of the flag. Throws for an empty item.
std::vector<std::string> split_list(const std::string& flag, const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) {
    for (const std::string& item : split(text)) {
      if (item.empty()) throw UsageError(flag + ": " + in_quotes(text) + " has an empty item; write A,B,C");
      items.push_back(item);
    }
  }
  return items;
}

/// The whole text as one finite number.
double parse_number(const std::string& flag, const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    throw UsageError(flag + ": " + in_quotes(text) + " is not a finite number");
  }
  return value;
}

/// Three numbers, "X,Y,Z".
model::Vector3 parse_vector(const std::string& flag, const std::string& text) {
  const std::vector<std::string> items = split(text);
  if (items.size() != 3) throw UsageError(flag + ": " + in_quotes(text) + " is not of the form X,Y,Z");
  return {parse_number(flag, items[0]), parse_number(flag, items[1]), parse_number(flag, items[2])};
}

/// Joint names, one on each line. Blank lines and lines that begin with # are skipped.
std::vector<std::string> read_joint_order(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    const std::string name = trim(line);
    if (!name.empty() && name.front() != '#') names.push_back(name);
  }
  if (!in.eof()) {  // a folder can be opened, too, but not read
    throw UsageError("--joint-order: " + in_quotes(file) +
                     " cannot be read; name a text file with one joint name a line");
  }
  return names;
}

/// The lines of a file for model::set_joint_dynamics.
Options::JointDynamicsFile read_joint_dynamics(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.fail()) {
    throw UsageError("--joint-dynamics: " + in_quotes(file) +
                     " cannot be read; give off, urdf, or a file with lines " +
                     "JOINT DAMPING FRICTION ARMATURE");
  }
  return {file, text.str()};
}

/// Compares before it converts: a number that an int cannot hold has no conversion.
int parse_count(const std::string& flag, const std::string& text, int fallback, int least, int most) {
  if (text.empty()) return fallback;
  const double value = parse_number(flag, text);
  if (!(value >= least && value <= most) || value != std::floor(value)) {
    throw UsageError(flag + ": " + in_quotes(text) + " is not a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most));
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

CommandLine::Format parse_format(const std::string& flag, const std::string& word,
                                 const std::vector<std::string>& valid) {
  one_of(flag, word, valid);
  return word == "json"       ? CommandLine::Format::json
         : word == "dot"      ? CommandLine::Format::dot
         : word == "html"     ? CommandLine::Format::html
         : word == "markdown" ? CommandLine::Format::markdown
                              : CommandLine::Format::text;
}

void convert_frame_words(const RawFlags& words, Options& options) {
  for (const std::string& text : words.frames) {
    for (model::FrameRequest& frame : model::parse_frames(text)) options.frames.push_back(std::move(frame));
  }
  std::vector<std::string> parts;
  for (const model::FramePart& part : model::frame_parts()) parts.push_back(part.name);
  for (const std::string& part : split_list("--frame-parts", words.frame_parts))
    options.frame_parts.push_back(one_of("--frame-parts", part, parts));
  for (const std::string& text : words.contacts) {
    for (model::FrameRequest& contact : model::parse_contacts(text))
      options.contacts.push_back(std::move(contact));
  }
  if (!words.stabilisation.empty()) {
    const std::size_t comma = words.stabilisation.find(',');
    if (std::count(words.stabilisation.begin(), words.stabilisation.end(), ',') != 1)
      throw UsageError("--stabilisation: " + in_quotes(words.stabilisation) +
                       " is not two numbers; write KP,KD [1/s^2, 1/s]");
    options.kp = parse_number("--stabilisation", words.stabilisation.substr(0, comma));
    options.kd = parse_number("--stabilisation", words.stabilisation.substr(comma + 1));
    if (!(options.kp >= 0.0 && options.kd >= 0.0))
      throw UsageError(
          "--stabilisation: " + in_quotes(words.stabilisation) +
          " has a negative gain, which would drive constraints apart; write KP,KD of at least 0");
  }
  std::vector<std::string> names;
  for (const model::FrameAxesName& entry : model::frame_axes_names()) names.push_back(entry.name);
  if (!words.frame_axes.empty()) one_of("--frame-axes", words.frame_axes, names);
  for (const model::FrameAxesName& entry : model::frame_axes_names()) {
    if (entry.name == words.frame_axes) options.frame_axes = entry.axes;
  }
}

/// The values that say how the URDF is understood.
void convert_robot_words(const RawFlags& words, CommandLine& line) {
  Options& options = line.options;
  model::BuildOptions& build = options.build;
  build.floating_base = one_of("--base", words.base, {"fixed", "floating"}) == "floating";
  build.mimic_independent = one_of("--mimic", words.mimic, {"coupled", "independent"}) == "independent";
  if (!words.gravity.empty()) build.gravity = parse_vector("--gravity", words.gravity);
  if (!words.snap_angles.empty()) {
    const double tolerance = parse_number("--snap-angles", words.snap_angles);
    if (tolerance < 0.0 || tolerance >= 0.5)
      throw UsageError("--snap-angles: " + in_quotes(words.snap_angles) + " is not between 0 and 0.5");
    build.snap_tolerance = tolerance;
  }
  for (const std::string& error : split_list("--allow", words.allow)) {
    one_of("--allow", error, {"unphysical-inertia", "unknown-attribute"});
    (error == "unphysical-inertia" ? build.allow_unphysical_inertia : options.allow_unknown_attributes) =
        true;
  }
  std::vector<std::string> findings;
  for (const FindingRow& row : findings_table()) findings.push_back(row.name);
  for (const std::string& word : split_list("--accept", words.accept)) {
    one_of("--accept", word, findings);
    for (const FindingRow& row : findings_table()) {
      if (row.name == word) line.accepted.push_back(row.finding);
    }
  }
  build.joint_dynamics = words.joint_dynamics == "urdf";
  if (!build.joint_dynamics && words.joint_dynamics != "off")
    options.joint_dynamics_file = read_joint_dynamics(words.joint_dynamics);
  options.external_forces = split_list("--external-forces", words.external_forces);
  options.parameters = split_list("--parameters", words.parameters);
  convert_frame_words(words, options);
  for (const std::string& text : words.lock) {
    for (model::Lock& lock : model::parse_locks(text)) build.locked.locks.push_back(std::move(lock));
  }
  build.locked.all_but = split_list("--lock-all-but", words.lock_all_but);
  if (!line.joint_order_file.empty()) build.joint_order = read_joint_order(line.joint_order_file);
  one_of("--diagnostics", words.diagnostics, {"text", "full", "json"});
  line.diagnostics = words.diagnostics == "json"   ? CommandLine::Findings::json
                     : words.diagnostics == "full" ? CommandLine::Findings::full
                                                   : CommandLine::Findings::text;
}

void refuse_for_several(const CommandLine& line) {
  const std::vector<std::string>& inputs = line.inputs;
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw UsageError("'-' may be given once: standard input can be read once");
  if (inputs.size() < 2) return;
  if (line.format == CommandLine::Format::html)
    throw UsageError("--format html makes one page, for one robot; " + std::to_string(inputs.size()) +
                     " are given: run them one by one");
  for (const auto& [flag, value] : {std::pair{"--name", line.options.name},
                                    {"--depfile", line.depfile},
                                    {"--choices", line.choices_file},
                                    {"-o", line.choices_output}}) {
    if (!value.empty())
      throw UsageError(std::string(flag) + " is for one robot; " + std::to_string(inputs.size()) +
                       " are given: run them one by one");
  }
}

void check_choices(const CommandLine& line) {
  if (line.choices_file.empty()) return;
  if (!std::ifstream(line.choices_file).good())
    throw UsageError("--choices: " + in_quotes(line.choices_file) +
                     " cannot be read; name a file that featherline tune wrote");
  const cost::Target target = line.options.estimated_target();
  if (cost::is_cortex_m(target))
    throw UsageError("--choices are measured on the machine that runs featherline tune, and --target " +
                     cost::name(target) + " is another one; leave out one of them");
  if (line.options.goal() != Goal::speed)
    throw UsageError(
        "--choices are the fastest formulations, and --optimise-for asks for others; leave out one of them");
}

/// Nothing for an empty word. Names that users know from compilers are accepted, too.
std::optional<cost::Target> parse_target(const std::string& word, const CommandLine& line) {
  if (word.empty()) return std::nullopt;
  const std::string name = word == "x86_64" ? "x86-64" : word == "cortex-m4" ? "cortex-m4f" : word;
  std::vector<std::string> names;
  for (const cost::TargetName& target : cost::target_names()) names.push_back(target.name);
  one_of("--target", name, names);
  const auto& scalars = line.options.scalars;
  const bool has_float = std::find(scalars.begin(), scalars.end(), "float") != scalars.end();
  if (line.command == CommandLine::Command::generate && name != "x86-64" && !has_float)
    throw UsageError("--target " + name + " is estimated in float; add --scalar float");
  for (const cost::TargetName& target : cost::target_names()) {
    if (target.name == name) return target.target;
  }
  return std::nullopt;
}

/// What the user named, or the machine that choices are measured on.
std::optional<cost::Target> choose_target(const std::string& word, const CommandLine& line) {
  const bool is_measured = line.command == CommandLine::Command::tune || !line.choices_file.empty();
  if (word.empty() && is_measured && cost::is_cortex_m(line.options.estimated_target()))
    return cost::Target::x86_64;
  return parse_target(word, line);
}

/// Nothing for an empty word.
std::optional<Goal> parse_goal(const std::string& word, const Options& options) {
  if (word.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const GoalName& entry : goal_names()) names.push_back(entry.name);
  one_of("--optimise-for", word, names);
  if (word == "speed" && cost::is_cortex_m(options.estimated_target())) {
    throw UsageError(
        "--optimise-for speed: times are predicted for x86-64 alone; say flops, which the time on " +
        cost::name(options.estimated_target()) + " follows, or size");
  }
  for (const GoalName& entry : goal_names()) {
    if (entry.name == word) return entry.goal;
  }
  return std::nullopt;
}

void refuse_formulations_of_others(const Options& options) {
  const auto is_generated = [&](const std::string& function) {
    return std::any_of(options.functions.begin(), options.functions.end(),
                       [&](const std::string& name) { return catalog::find(name)->name == function; });
  };
  for (const auto& [function, formulation] : options.formulations) {
    if (is_generated(function)) continue;
    throw UsageError("--formulation: " + function + " is not among the functions of this run: " +
                     join(options.functions) + "; leave it out, or add " + function + " to --functions");
  }
}

/// The values that say what is emitted and in which forms.
void convert_function_words(const RawFlags& words, CommandLine& line) {
  Options& options = line.options;
  options.named_functions = split_list("--functions", words.functions);
  std::vector<std::string> asked =
      options.named_functions.empty() ? default_functions() : options.named_functions;
  if (options.named_functions.empty() && !options.frames.empty()) asked.push_back(catalog::frames.name);
  if (options.named_functions.empty() && !options.contacts.empty())
    asked.push_back(catalog::constraints.name);
  options.functions = resolve_functions(asked);
  options.formulations = resolve_formulations(words.formulations);
  refuse_formulations_of_others(options);
  options.lanes = one_of("--lanes", words.lanes, {"auto", "off"}) == "auto";
  for (const emit::Binding* binding : emit::bindings()) {
    if (words.bindings.count(binding->option) > 0) options.bindings.emplace_back(binding->option);
  }
  if (!words.scalars.empty()) options.scalars = parse_scalars(words.scalars);
  using Names = std::vector<std::string>;
  const bool compares = line.command == CommandLine::Command::compare;
  line.format =
      parse_format("--format", words.format,
                   compares ? Names{"text", "json", "markdown"} : Names{"text", "json", "dot", "html"});
  line.states = parse_count("--states", words.states, 0, 1, most_states);
  options.jobs = parse_count("--jobs", words.jobs, num_cores(), 1, most_jobs);
  line.max_stack = parse_bytes("--max-stack", words.max_stack);
  options.max_code = parse_bytes("--max-code", words.max_code);
  line.max_image = parse_bytes("--max-image", words.max_image);
  options.target = choose_target(words.target, line);
  if (line.measure && cost::is_cortex_m(options.estimated_target()))
    throw UsageError("--measure times on this machine, and --target " +
                     cost::name(options.estimated_target()) + " is another one; leave out one of them");
  options.optimise_for = parse_goal(words.optimise_for, options);
  line.seed =
      static_cast<std::uint32_t>(parse_count("--seed", words.seed, 1, 0, std::numeric_limits<int>::max()));
}

}  // namespace

int parse_bytes(const std::string& flag, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string unit = trim(std::string(rest, end));
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
  const double factor = unit.empty() || unit == "b"                    ? 1.0
                        : unit == "k" || unit == "kb" || unit == "kib" ? 1024.0
                        : unit == "m" || unit == "mb" || unit == "mib" ? 1024.0 * 1024.0
                                                                       : 0.0;
  const double bytes = std::floor(value * factor);
  if (error != std::errc() || !(bytes >= 1.0 && bytes <= most_bytes)) {
    throw UsageError(flag + ": " + in_quotes(text) +
                     " is not a size from one byte to 1000M; write 2000, 1k, 1.5KiB or 2M "
                     "(k is 1024)");
  }
  return static_cast<int>(bytes);
}

const std::string& one_of(const std::string& flag, const std::string& word,
                          const std::vector<std::string>& valid) {
  if (std::find(valid.begin(), valid.end(), word) == valid.end()) {
    throw UsageError(flag + ": " + refuse_word(word, valid));
  }
  return word;
}

void convert(const RawFlags& words, CommandLine& line) {
  convert_robot_words(words, line);
  convert_function_words(words, line);
  if (!line.dump_after.empty()) one_of("--dump-after", line.dump_after, stage_names());
  const bool needs_folder = line.command == CommandLine::Command::generate && line.dump_after.empty();
  if (needs_folder && line.output_folder.empty())
    throw UsageError("-o DIR is missing: name the folder the emitted files go to");
  if (line.command == CommandLine::Command::tune && line.choices_output.empty())
    throw UsageError("-o FILE is missing: name the file that the choices go to");
  check_choices(line);
  if (!line.depfile.empty() && line.output_folder.empty()) throw UsageError("--depfile needs -o DIR");
  refuse_for_several(line);
}

}  // namespace featherline::cli
