#include "cli/tune/tune.hpp"

#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "description/description.hpp"
#include "emit/function_files.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <istream>
#include <map>

namespace featherline::cli {
namespace {

constexpr const char* again = "run featherline tune again with the robot and the options of this run";

/// The content of the files that options name, which flags do not show. Empty if there are none.
std::string hash_of_files(const Options& options) {
  std::string text;
  if (options.build.joint_order) text += join(*options.build.joint_order, "\n");
  if (options.joint_dynamics_file) text += "\n\n" + options.joint_dynamics_file->text;
  return text.empty() ? "" : description::sha256(text);
}

/// Of the moving bodies, joints and links: comments, meshes and limits do not matter.
std::string hash_of_model(const Robot& robot) { return description::sha256(model::dump(robot.tree)); }

/// Reads members of the file. If one is missing or of another type, it is reported.
struct Reader {
  const CommandLine& line;
  const Robot& robot;
  Diagnostics& findings;
  const Json file = read_json(read_whole(line.choices_file).value_or(""));

  std::map<std::string, std::string> read() {
    if (!is_choices(file)) {
      error("", "it is not a file that featherline tune wrote",
            "make one with featherline tune ROBOT -o FILE");
      return {};
    }
    compare_robot();
    compare_machine();
    std::map<std::string, std::string> choices;
    for (const auto& [name, entry] : file["functions"].items()) {
      if (const std::string chosen = read_choice(name, entry); !chosen.empty()) choices[name] = chosen;
    }
    return choices;
  }

  void error(const std::string& place, const std::string& message, const std::string& remedy = again) {
    findings.error({line.choices_file, 0, place}, (place.empty() ? "" : place + ": ") + message, remedy);
  }

  /// Empty if the member is missing or not text.
  std::string text(const char* member) const {
    return file.contains(member) && file[member].is_string() ? file[member].get<std::string>() : "";
  }

  bool is_cold() const { return file.contains("cold") && file["cold"] == true; }

  void compare(const char* member, const std::string& present, const std::string& what) {
    if (text(member) != present)
      error(member, what + " was " + in_quotes(text(member)) + " and is " + in_quotes(present));
  }

  void compare_robot() {
    compare("options", robot_flags(line.options), "the options that decide what is computed:");
    compare("files_sha256", hash_of_files(line.options), "the content of --joint-order and --joint-dynamics");
    if (!findings.has_errors() && text("model_sha256") != hash_of_model(robot)) {
      error("model_sha256", "the choices are for another robot than " + in_quotes(robot.description.file) +
                                ", or its joints, inertias or names have changed since");
    }
    const auto& scalars = line.options.scalars;
    if (const bool cold = is_cold(); cold != (line.options.goal() == Goal::latency))
      error("cold", cold ? "the times are of cold calls" : "the times are not of cold calls",
            cold ? "add --optimise-for latency, or run featherline tune again without --cold"
                 : "leave out --optimise-for latency, or run featherline tune again with --cold");
    if (std::ranges::find(scalars, text("scalar")) == scalars.end())
      error("scalar", "the times are of " + in_quotes(text("scalar")) + ", which this run does not emit");
  }

  void compare_machine() {
    const std::string version = text("version"), cpu = text("cpu");
    if (version != emit::version()) {
      findings.warning("choices-version", {line.choices_file, 0, "version"},
                       "the choices were made by featherline " + printable(version) + ", this is " +
                           emit::version() + "; it may have faster formulations",
                       again);
    }
    if (cpu != processor_name()) {
      findings.warning("choices-machine", {line.choices_file, 0, "cpu"},
                       "the choices were measured on " + in_quotes(cpu) + ", not on this machine (" +
                           in_quotes(processor_name()) + "); they are taken",
                       "if the code will run here, " + std::string(again));
    }
  }

  /// Empty if there is none that can be used, which is reported.
  std::string read_choice(const std::string& name, const Json& entry) {
    const std::string place = "functions/" + printable(name);
    const catalog::FunctionSpec* spec = catalog::find(name);
    if (spec == nullptr || spec->name != name) {
      error(place, "there is no such function");
      return {};
    }
    if (!entry.is_object() || !entry.contains("chosen") || !entry["chosen"].is_string()) {
      error(place, "it has no \"chosen\" with the name of a formulation");
      return {};
    }
    const std::string chosen = entry["chosen"].get<std::string>();
    std::vector<std::string> names = each(spec->formulations, &catalog::Formulation::name);
    if (std::ranges::find(names, chosen) != names.end()) return chosen;
    error(place + "/chosen", refuse_word(chosen, names));
    return {};
  }
};

/// Names the functions that neither the file nor the user chose a formulation for.
void tell_missing(const CommandLine& line, Diagnostics& findings) {
  std::vector<std::string> missing;
  for (const std::string& name : line.options.functions) {
    const catalog::FunctionSpec* spec = catalog::find(name);
    if (spec != nullptr && spec->formulations.size() > 1 &&
        line.options.demanded_formulation(spec->name) == nullptr)
      missing.push_back(name);
  }
  if (missing.empty()) return;
  findings.note({line.choices_file, 0, "functions"},
                "there is no choice for " + quoted_list(missing) + "; the least predicted time decides there",
                "name all functions when you run featherline tune");
}

double four_digits(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

}  // namespace

const TimedCandidate& TimedFunction::chosen() const {
  const auto is_better = [](const TimedCandidate& a, const TimedCandidate& b) {
    if (a.allowed != b.allowed) return a.allowed;
    if (!a.allowed) return a.bytes < b.bytes;
    return a.cold_ns != b.cold_ns ? a.cold_ns < b.cold_ns : a.ns < b.ns;
  };
  return *std::ranges::min_element(candidates, is_better);
}

std::string processor_name(std::istream& cpuinfo) {
  std::map<std::string, std::string> first;  // of the first core
  for (std::string text; std::getline(cpuinfo, text);) {
    const std::size_t colon = text.find(": "), end = text.find_last_not_of(" \t", colon - 1);
    if (colon != std::string::npos) first.emplace(text.substr(0, end + 1), text.substr(colon + 2));
  }
  const std::string name = first["model name"], family = first["cpu family"];
  return family.empty() ? name : fmt::format("{}, family {} model {}", name, family, first["model"]);
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  if (const std::string name = processor_name(info); !name.empty()) return name;
  utsname machine{};
  return uname(&machine) == 0 ? machine.machine : "unknown";
}

Json choices_to_json(const CommandLine& line, const Robot& robot,
                     const std::vector<TimedFunction>& functions) {
  Json json{{"featherline_choices", 1},
            {"version", emit::version()},
            {"robot", robot.tree.name},
            {"model_sha256", hash_of_model(robot)},
            {"options", robot_flags(line.options)},
            {"files_sha256", hash_of_files(line.options)},
            {"scalar", line.options.scalars.front()},
            {"cpu", processor_name()},
            {"compiler", compiler_version()},
            {"flags", timing_flags},
            {"cold", line.cold}};
  json["functions"] = Json::object();
  for (const TimedFunction& function : functions) {
    Json& entry = json["functions"][function.name];
    entry["chosen"] = function.chosen().name;
    entry["candidates"] = Json::array();
    for (const TimedCandidate& candidate : function.candidates) {
      Json times{{"name", candidate.name},
                 {"ns", four_digits(candidate.ns)},
                 {"predicted_ns", four_digits(candidate.predicted_ns)}};
      if (line.cold) {
        times["cold_ns"] = four_digits(candidate.cold_ns);
        times["predicted_cold_ns"] = four_digits(candidate.predicted_cold_ns);
      }
      times.update({{"bytes", candidate.bytes}, {"work", candidate.work}});
      entry["candidates"].push_back(times);
    }
  }
  return json;
}

bool is_choices(const Json& json) {
  return json.is_object() && json.contains("featherline_choices") && json.contains("functions") &&
         json["functions"].is_object();
}

CommandLine with_choices(const CommandLine& line, const Robot& robot, Diagnostics& findings) {
  CommandLine chosen = line;
  if (line.choices_file.empty()) return chosen;
  chosen.options.choices = Reader{line, robot, findings}.read();
  stop_on_errors(findings);
  tell_missing(chosen, findings);
  return chosen;
}

}  // namespace featherline::cli
