#include "cli/commands.hpp"

#include "cli/output_files.hpp"
#include "cli/text_table.hpp"
#include "cli/tune/choices.hpp"
#include "cli/tune/timing.hpp"
#include "pipeline.hpp"

#include <fmt/format.h>

#include <numeric>
#include <ostream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// The form of a function that is timed: the dense one if it is asked for.
std::string timed_form(const FunctionPlan& function) {
  return function.dense ? function.spec->name : packed_name(*function.spec);
}

/// Emits and times the candidates of all functions of a plan.
class Tuning {
 public:
  Tuning(const CommandLine& line, const Robot& robot, const Plan& plan, const fs::path& folder,
         Progress& progress)
      : line_(line), robot_(robot), plan_(plan), folder_(folder), progress_(progress) {}

  std::vector<TimedFunction> run() {
    for (const FunctionPlan& function : plan_.functions) {
      functions_.push_back({function.spec->name, {}});
      functions_.back().candidates.resize(function.candidates.size());
    }
    for (std::size_t round = 0; emit_round(round); ++round) {}
    sort_calls();
    build_and_time();
    return functions_;
  }

 private:
  /// The options with which the candidate of that number is emitted, for each function that has so many.
  Options options_of_round(std::size_t round) const {
    Options options = line_.options;
    options.name = fmt::format("tune_{}", round);
    options.functions.clear();
    options.named_functions.clear();
    options.bindings.clear();
    options.choices.clear();
    options.scalars = {line_.options.scalars.front()};
    options.max_code = 0;
    // The robot has what these ask for. They would be refused where none of the functions of this round needs them.
    options.frames.clear();
    options.frame_axes = model::FrameAxes::local_world_aligned;
    options.frame_parts.clear();
    options.contacts.clear();
    options.kp = options.kd = 0.0;
    for (const FunctionPlan& function : plan_.functions) {
      if (round >= function.candidates.size()) continue;
      options.functions.push_back(timed_form(function));
      options.formulations[function.spec->name] = function.candidates[round]->name;
    }
    return options;
  }

  /// Returns whether there was anything to emit.
  bool emit_round(std::size_t round) {
    const Options options = options_of_round(round);
    if (options.functions.empty()) return false;
    const Emission emission = emit_robot(robot_, options, progress_.observer());
    files_.insert(files_.end(), emission.files.begin(), emission.files.end());
    for (std::size_t f = 0; f < plan_.functions.size(); ++f) {
      const FunctionPlan& function = plan_.functions[f];
      if (round >= function.candidates.size()) continue;
      for (const emit::FunctionFacts& facts : emission.facts) {
        if (facts.name == timed_form(function)) add(f, round, facts, emission.name);
      }
    }
    return true;
  }

  void add(std::size_t function, std::size_t round, const emit::FunctionFacts& facts,
           const std::string& robot) {
    TimedCandidate& candidate = functions_[function].candidates[round];
    candidate.name = plan_.functions[function].candidates[round]->name;
    candidate.predicted_ns = facts.ns.value_or(0.0);
    candidate.work = to_json(facts.work);
    const int limit = line_.options.max_code;
    candidate.allowed = limit == 0 || facts.code_bytes <= limit;
    calls_.push_back({plan_.functions[function].spec, robot, facts.name, function});
    timed_.push_back(&candidate);
  }

  /// Function by function.
  void sort_calls() {
    std::vector<std::size_t> order(calls_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return calls_[a].group < calls_[b].group; });
    std::vector<TimedCall> calls;
    std::vector<TimedCandidate*> timed;
    for (const std::size_t k : order) {
      calls.push_back(calls_[k]);
      timed.push_back(timed_[k]);
    }
    calls_ = std::move(calls);
    timed_ = std::move(timed);
  }

  void build_and_time() {
    const std::vector<Timing> timings = time_calls(robot_.tree, line_, folder_, files_, calls_, progress_);
    for (std::size_t k = 0; k < timings.size(); ++k) {
      timed_[k]->ns = timings[k].ns;
      timed_[k]->bytes = timings[k].bytes;
    }
  }

  static Json to_json(const cost::Work& work) {
    Json json = Json::object();
    for (const auto& [name, member] : cost::work_members()) {
      if (work.*member != 0.0) json[std::string(name)] = work.*member;
    }
    return json;
  }

  const CommandLine& line_;
  const Robot& robot_;
  const Plan& plan_;
  const fs::path& folder_;
  Progress& progress_;
  std::vector<TimedFunction> functions_;
  std::vector<TimedCall> calls_;
  std::vector<TimedCandidate*> timed_;  ///< of each call
  std::vector<emit::File> files_;
};

std::string table(const std::vector<TimedFunction>& functions) {
  TextTable table(2, {"function", "formulation", "      ns", "     ~ns", "    code"});
  for (const TimedFunction& function : functions) {
    for (const TimedCandidate& candidate : function.candidates)
      table.add({function.name, (&candidate == &function.chosen() ? "* " : "  ") + candidate.name,
                 fmt::format("{:.3g}", candidate.ns), fmt::format("{:.3g}", candidate.predicted_ns),
                 std::to_string(candidate.bytes)});
  }
  return table.text() + "* chosen; ns: best time of a call, " + timing_flags +
         "; ~ns: as predicted for double; code: bytes of the compiled function and its tables\n";
}

bool tune_one(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  Diagnostics findings(line.accepted);
  const Robot robot = read_robot(line.urdf, line.options, findings);
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  const std::vector<OutputFile> nothing_yet{{line.choices_output, ""}};
  refuse_inputs(nothing_yet, files_read(line));
  refuse_foreign_files(nothing_yet, line.force, "name another file with -o");
  const TemporaryFolder folder(line.keep ? TemporaryFolder::Keep::yes : TemporaryFolder::Keep::no);
  Progress progress;
  const std::vector<TimedFunction> functions = Tuning(line, robot, plan, folder.path(), progress).run();
  progress.clear();
  write_files({{line.choices_output, print_json(choices_to_json(line, robot, functions))}});
  if (line.keep) out << "files are in " << folder.path().string() << '\n';
  if (!line.quiet) out << table(functions) << "choices are in " << line.choices_output << '\n';
  return true;
}

}  // namespace

bool tune(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  return for_each_input(line, log, [&](const CommandLine& one) { return tune_one(one, out, log); });
}

}  // namespace featherline::cli
