#include "cli/tune/tune.hpp"
#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "emit/identifiers.hpp"
#include "pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <set>

namespace featherline::cli {

namespace fs = std::filesystem;
namespace {

/// The form of a function that is timed: the dense one if it is asked for.
std::string timed_form(const FunctionPlan& function) {
  return function.dense ? function.spec->name : packed_name(*function.spec);
}

/// The options with which the candidate of that number is emitted, for each function that has so many.
Options options_of_round(const Options& given, const Plan& plan, std::size_t round) {
  Options options = given;
  options.name = fmt::format("tune_{}", round);
  options.functions.clear();
  options.named_functions.clear();
  options.bindings.clear();
  options.choices.clear();
  options.scalars = {given.scalars.front()};
  options.max_code = 0;
  // The robot has what these ask for. They would be refused where none of the functions of this round needs them.
  options.frames.clear();
  options.frame_axes = model::FrameAxes::local_world_aligned;
  options.frame_parts.clear();
  options.contacts.clear();
  options.kp = options.kd = 0.0;
  for (const FunctionPlan& function : plan.functions) {
    if (round >= function.candidates.size()) continue;
    options.functions.push_back(timed_form(function));
    options.formulations[function.spec->name] = function.candidates[round]->name;
  }
  return options;
}

Json to_json(const cost::Work& work) {
  Json json = Json::object();
  for (const auto& [name, member] : cost::work_members()) {
    if (work.*member != 0.0) json[std::string(name)] = work.*member;
  }
  return json;
}

/// What is known of a candidate before it is timed.
TimedCandidate candidate_of(const FunctionPlan& function, std::size_t round, const Emission& emission,
                            int max_code) {
  const auto is_its = [&](const emit::FunctionFacts& facts) { return facts.name == timed_form(function); };
  const auto facts = std::ranges::find_if(emission.facts, is_its);
  if (facts == emission.facts.end()) throw InternalError(timed_form(function) + " was not emitted");
  TimedCandidate candidate;
  candidate.name = function.candidates[round]->name;
  candidate.predicted_ns = facts->ns.value_or(0.0);
  candidate.predicted_cold_ns = facts->cold_ns.value_or(0.0);
  candidate.allowed = max_code == 0 || facts->code_bytes <= max_code;
  candidate.work = to_json(facts->work);
  return candidate;
}

/// Emits and times the candidates of all functions of a plan. Each round emits one of every function.
std::vector<TimedFunction> time_candidates(const CommandLine& line, const Robot& robot, const Plan& plan,
                                           const fs::path& folder, Progress& progress) {
  std::vector<Emission> rounds;
  std::vector<emit::File> files;
  for (;;) {
    const Options options = options_of_round(line.options, plan, rounds.size());
    if (options.functions.empty()) break;
    rounds.push_back(emit_robot(robot, options, progress.observer()));
    files.insert(files.end(), rounds.back().files.begin(), rounds.back().files.end());
  }
  std::vector<TimedFunction> functions;
  std::vector<TimedCall> calls;
  for (const FunctionPlan& function : plan.functions) {
    TimedFunction& timed = functions.emplace_back();
    timed.name = function.spec->name;
    for (std::size_t k = 0; k < function.candidates.size(); ++k) {
      timed.candidates.push_back(candidate_of(function, k, rounds[k], line.options.max_code));
      calls.push_back({function.spec, rounds[k].name, timed_form(function), functions.size() - 1});
    }
  }
  const std::vector<Timing> timings = time_calls(robot.tree, line, folder, files, calls, progress);
  auto timing = timings.begin();
  for (TimedFunction& function : functions) {
    for (TimedCandidate& candidate : function.candidates) {
      candidate.ns = timing->ns;
      candidate.cold_ns = timing->cold_ns;
      candidate.bytes = timing->bytes;
      ++timing;
    }
  }
  return functions;
}

std::string table(const std::vector<TimedFunction>& functions, bool cold) {
  const std::vector<std::string> cold_titles{"    cold", "   ~cold"};
  std::vector<std::string> titles{"function", "formulation", "      ns", "     ~ns", "    code"};
  if (cold) titles.insert(titles.end() - 1, cold_titles.begin(), cold_titles.end());
  TextTable table(2, titles);
  for (const TimedFunction& function : functions) {
    for (const TimedCandidate& candidate : function.candidates) {
      std::vector<std::string> row{function.name,
                                   (&candidate == &function.chosen() ? "* " : "  ") + candidate.name};
      std::vector<double> times{candidate.ns, candidate.predicted_ns};
      if (cold) times.insert(times.end(), {candidate.cold_ns, candidate.predicted_cold_ns});
      for (const double ns : times) row.push_back(fmt::format("{:.3g}", ns));
      row.push_back(std::to_string(candidate.bytes));
      table.add(row);
    }
  }
  return table.text() + "* chosen; ns: best time of a call, " + timing_flags +
         "; ~ns: as predicted for double" +
         (cold ? "; cold: median of calls that find nothing in the caches" : "") +
         "; code: bytes of the compiled function and its tables\n";
}

bool tune_one(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  Diagnostics findings(line.accepted);
  const Robot robot = read_robot(line.model, line.options, findings);
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  const std::vector<OutputFile> nothing_yet{{line.choices_output, ""}};
  refuse_inputs(nothing_yet, files_read(line));
  refuse_foreign_files(nothing_yet, line.force, "name another file with -o");
  const TemporaryFolder folder(line.keep ? TemporaryFolder::Keep::yes : TemporaryFolder::Keep::no);
  Progress progress;
  const std::vector<TimedFunction> functions = time_candidates(line, robot, plan, folder.path(), progress);
  progress.clear();
  write_files({{line.choices_output, print_json(choices_to_json(line, robot, functions))}});
  if (line.keep) out << "files are in " << folder.path().string() << '\n';
  if (!line.quiet) out << table(functions, line.cold) << "choices are in " << line.choices_output << '\n';
  return true;
}

}  // namespace

bool tune(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  return for_each_input(line, log, [&](const CommandLine& one) { return tune_one(one, out, log); });
}

namespace fs = std::filesystem;
namespace {

constexpr int num_states = 16;  // their inputs stay in the first-level cache, as those of a controller do
constexpr int cold_calls = 31;  // each after some 10 ms of writing

/// The link with the most joints between it and the world.
std::size_t deepest_link(const model::Tree& tree) {
  const auto depth = [&](const model::Link& link) {
    int joints = 0;
    for (int i = link.body; i >= 0; i = tree.bodies[static_cast<std::size_t>(i)].parent) ++joints;
    return joints;
  };
  const auto deepest =
      std::ranges::max_element(tree.links, [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  return static_cast<std::size_t>(deepest - tree.links.begin());
}

/// Where each output begins, and behind the last one where it ends. Each has the room of the dense form.
std::vector<std::size_t> output_places(const catalog::FunctionSpec& spec, const model::Tree& tree) {
  std::vector<std::size_t> places{0};
  for (const catalog::Argument& output : spec.outputs)
    places.push_back(places.back() + static_cast<std::size_t>(output.shape.size(catalog::sizes_of(tree))));
  return places;
}

/// The source of a program that writes for each of `calls` the ns of a call, warm and cold, on a line.
std::string timing_driver(const model::Tree& tree, const CommandLine& line,
                          const std::vector<TimedCall>& calls) {
  std::set<std::string> includes;
  std::string functions, table;
  std::size_t most = 1;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const TimedCall& call = calls[k];
    includes.insert("#include \"" + call.robot + ".hpp\"\n");
    const std::vector<std::size_t> places = output_places(*call.spec, tree);
    most = std::max(most, places.back());
    const std::string arguments = call_arguments(
        *call.spec, tree, [&](std::size_t output) { return fmt::format("y + {}", places[output]); },
        fmt::format("static_cast<::{}::Link>({})", call.robot, deepest_link(tree)),
        "featherline::ReferenceFrame::local_world_aligned");
    functions +=
        fmt::format("void call_{}([[maybe_unused]] const Inputs<S>& x, S* y) {{ ::{}::{}<S>({}); }}\n", k,
                    call.robot, call.function, arguments);
    table += fmt::format("    {{{}, call_{}}},\n", call.group, k);
  }
  return emit::render(emit::skeleton("tune/main.cpp"),
                      {{"includes", fmt::format("{}", fmt::join(includes, ""))},
                       {"input_types", input_types(tree)},
                       {"scalar", line.options.scalars.front()},
                       {"cold_calls", std::to_string(line.cold ? cold_calls : 0)},
                       {"output_entries", std::to_string(most)},
                       {"functions", functions},
                       {"calls", table}});
}

}  // namespace

std::vector<Timing> time_calls(const model::UserTree& tree, const CommandLine& line, const fs::path& folder,
                               const std::vector<emit::File>& files, const std::vector<TimedCall>& calls,
                               Progress& progress) {
  std::ifstream results(run_driver(folder, files, timing_driver(tree, line, calls), timing_flags,
                                   random_states(tree, line.seed, num_states), progress));
  std::vector<Timing> timings(calls.size());
  for (std::size_t k = 0; k < calls.size(); ++k) {
    if (!(results >> timings[k].ns >> timings[k].cold_ns))
      throw InternalError("the compiled driver wrote too few times");
    const fs::path source = folder / (calls[k].robot + "_" + calls[k].function + ".cpp");
    for (const auto& [symbol, bytes] : object_symbols(source.string() + ".o")) timings[k].bytes += bytes;
  }
  return timings;
}

}  // namespace featherline::cli
