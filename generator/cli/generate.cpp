#include "cli/commands.hpp"
#include "cli/compilers.hpp"

#include "catalog/functions.hpp"
#include "cli/output_files.hpp"
#include "cli/tune/tune.hpp"
#include "description/checks.hpp"
#include "model/chosen_inputs.hpp"
#include "model/overview.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "selection/quarter_turns.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <ostream>
#include <set>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

std::string function_table(const std::vector<emit::FunctionFacts>& facts, cost::Target target) {
  const std::string time = fmt::format("{:>7}", cost::time_title(target));
  std::vector titles{left("function"), right("  flops"), right("sincos"), right("statements"), right(time)};
  if (cost::predicts_cold(target)) titles.push_back(right("  ~cold"));
  titles.insert(titles.end(), {right(" ~stack"), right("  ~code"), right("   error"), left("formulation")});
  TextTable table(titles);
  for (const emit::FunctionFacts& f : facts) {
    std::vector<std::string> cells{f.name, std::to_string(f.flops), std::to_string(f.sincos),
                                   std::to_string(f.statements),
                                   f.time() ? fmt::format("{:.0f}", *f.time()) : "-"};
    if (cost::predicts_cold(target)) cells.push_back(f.cold_ns ? fmt::format("{:.0f}", *f.cold_ns) : "-");
    cells.insert(cells.end(), {std::to_string(f.stack_bytes), std::to_string(f.code_bytes),
                               f.error ? fmt::format("{:.1e}", *f.error) : "-", f.formulation});
    table.add(cells);
  }
  return table.text();
}

/// What devices run; nothing without --cuda.
std::string device_table(const std::vector<emit::FunctionFacts>& facts, cost::Device device) {
  TextTable table({left("on " + cost::name(device)), left("scalar"), right("threads"), right("~registers"),
                   right("~spilled"), right("~ns"), right("ptxas: rows"), right("by element"),
                   left("formulation")});
  bool is_empty = true;
  for (const emit::FunctionFacts& f : facts) {
    for (const auto& [scalar, figures] : f.on_device) {
      std::vector<std::string> said = each(figures.assembled, [](const cost::Assembled& a) {
        return fmt::format("{} + {}", a.registers, a.spilled_bytes);
      });
      said.resize(2, "-");
      table.add({f.name, scalar, std::to_string(figures.threads), std::to_string(figures.registers),
                 std::to_string(figures.spilled_bytes), fmt::format("{:.2g}", figures.ns), said[0], said[1],
                 f.in_turn.contains(scalar) ? "by element several kernels in turn" : f.device_formulation});
      is_empty = false;
    }
  }
  if (is_empty) return "";
  return table.text() +
         wrapped(
             "threads: of a state; ~registers, ~spilled: predicted, bytes that a thread stores for want of "
             "registers; ~ns: predicted time of one of half a million states that lie by element; ptxas: its "
             "own registers + bytes, where FEATHERLINE_PTXAS names it for --cuda ptx",
             "  ");
}

/// Which functions have a form without structural zeros; nothing if none has.
std::string nonzeros_line(const std::vector<emit::FunctionFacts>& facts) {
  std::vector<std::string> names;
  for (const emit::FunctionFacts& f : facts) {
    if (!f.nonzeros.empty()) names.push_back(f.name);
  }
  if (names.empty()) return "";
  return "FUNCTION_nonzeros leaves out structural zeros; it is there for " + join(names) + "\n";
}

/// How many parameters can be told apart; nothing without base regressors.
std::string rank_lines(const std::vector<emit::FunctionFacts>& facts, const model::Tree& tree) {
  std::string text;
  for (const emit::FunctionFacts& f : facts) {
    if (f.rank)
      text += fmt::format("{}: {} base parameters, the rank of the regressor, of {} parameters\n", f.name,
                          *f.rank, model::num_regressor_columns(tree));
  }
  return text;
}

/// Which frames were taken because the user named none.
std::string frames_line(const model::Tree& tree) {
  if (!tree.frames.are_leaves) return "";
  std::vector<std::string> names = each(tree.frames.chosen, &model::ChosenFrame::name);
  return fmt::format("frames: {}, the links at the ends of the tree; --frames chooses others\n", join(names));
}

std::string formulation_flag(const std::string& function, const Leaner& leaner) {
  return "--formulation " + in_quotes(function + "=" + leaner.formulation);
}

/// Which functions need much stack, and what to take where that is too much; nothing if none does.
std::string stack_lines(const std::vector<emit::FunctionFacts>& facts, const Options& options) {
  std::string text;
  for (const emit::FunctionFacts& f : facts) {
    if (f.stack_bytes <= cost::much_stack) continue;
    const bool was_compared =
        catalog::find(f.name)->name == f.name && options.demanded_formulation(f.name) == nullptr;
    text += fmt::format("  {}: {} bytes", f.name, f.stack_bytes);
    if (f.leaner)
      text += fmt::format("; {} needs {}", formulation_flag(f.name, *f.leaner), f.leaner->stack_bytes);
    else if (was_compared)
      text += "; no other formulation to choose from needs less";
    text += "\n";
  }
  if (text.empty()) return "";
  return fmt::format("more than {} KB of stack (--max-stack sets a limit):\n", cost::much_stack / 1024) +
         text;
}

/// What else can bring a function below a limit. --max-code tries all formulations by itself, unless one is demanded.
std::string remedy(const CommandLine& line, const std::string& flag, const emit::FunctionFacts& facts) {
  const Options& options = line.options;
  const catalog::FunctionSpec& spec = *catalog::find(facts.name);
  std::string text = fmt::format("leave {} out of --functions, ", facts.name);
  if (flag == "--max-code") {
    if (options.demanded_formulation(spec.name) != nullptr)
      text += fmt::format("leave out its {}, ",
                          options.formulations.count(spec.name) > 0 ? "--formulation" : "--choices");
  } else if (facts.leaner && facts.leaner->stack_bytes <= line.max_stack) {
    text += fmt::format("take {} ({} bytes), ", formulation_flag(spec.name, *facts.leaner),
                        facts.leaner->stack_bytes);
  } else if (spec.formulations.size() > 1) {
    text += "try another --formulation, ";
  }
  if (!options.target && !cost::is_cortex_m(options.estimated_target()))
    text += "ask for --scalar float alone, ";
  return text + "or raise " + flag;
}

void check_image(const CommandLine& line, const Emission& emission, Diagnostics& findings) {
  if (line.max_image == 0 || emission.image_bytes <= line.max_image || emission.facts.empty()) return;
  const auto& longest = *std::ranges::max_element(emission.facts, {}, &emit::FunctionFacts::code_bytes);
  findings.error({line.model, 0, "all functions"},
                 fmt::format("all functions together, with what they share, need about {} bytes of code, and "
                             "--max-image allows {}",
                             emission.image_bytes, line.max_image),
                 fmt::format("leave functions out of --functions ({} alone takes {}), or raise --max-image",
                             longest.name, longest.code_bytes));
}

/// What the columns are, an entry for each.
std::vector<std::string> legend(const CommandLine& line, const Emission& emission) {
  std::vector<std::string> entries{"flops: an operation on all lanes of equal limbs counts as one"};
  const cost::Target target = line.options.estimated_target();
  entries.push_back(fmt::format("{}: {}", cost::time_title(target),
                                cost::time_words(target, line.options.flash_wait_states)));
  entries.push_back(fmt::format(
      "~stack (with what is called), ~code: predicted bytes on {}; all functions and what they share take {}",
      cost::name(target), emission.image_bytes));
  entries.push_back(fmt::format("error: the largest difference from the reference solver; {:.0e} is allowed",
                                reference::promised_error));
  return entries;
}

/// Says how to get the functions of a group that this robot does not have.
std::string constraints_line(const CommandLine& line, const model::Tree& tree) {
  const bool asked = std::ranges::any_of(line.options.functions, [](const std::string& name) {
    return catalog::takes_constraints(*catalog::find(name));
  });
  if (!asked || tree.constraints.num_rows() > 0) return "";
  return "constraints: the robot has none, so their functions are left out; --contacts LINK chooses "
         "contacts\n";
}

/// The report of a success: the robot, a table of functions, and where the files are.
std::string success_text(const CommandLine& line, const Robot& robot, const Emission& emission) {
  const model::Tree& tree = robot.tree;
  std::string text =
      fmt::format("{}: nq = {}, nv = {}, {} moving bodies, {}, mimic joints {}\n", emission.name, tree.nq,
                  tree.nv, tree.bodies.size(),
                  tree.floating_base                   ? "floating base"
                  : model::free_joint(tree) != nullptr ? "free joint in the world"
                                                       : "fixed base (--base floating lets it move)",
                  line.options.build.mimic_independent ? "independent" : "coupled");
  text += function_table(emission.facts, line.options.estimated_target());
  for (const std::string& entry : legend(line, emission)) text += wrapped(entry, "  ");
  text += device_table(emission.facts, line.options.estimated_device());
  text += stack_lines(emission.facts, line.options);
  text += nonzeros_line(emission.facts);
  text += rank_lines(emission.facts, tree);
  text += frames_line(tree);
  text += constraints_line(line, tree);
  if (emission.turns_as_written) {
    text += fmt::format(
        "quarter turns are taken as the file writes them, in decimals: exact ones would change results by "
        "more than {:.0e}.\n--snap-angles {} takes them as exact, which mostly saves operations\n",
        allowed_deviation, description::tolerance_for_exact_turns(robot.description));
  }
  text += fmt::format("{} files in {}; include {}.hpp\n", emission.files.size(), line.output_folder,
                      emission.name);
  return text;
}

/// Throws InputError. It names every function whose estimate exceeds --max-stack or --max-code. If all functions
/// together exceed --max-image, it names them all.
void check_budgets(const CommandLine& line, const Emission& emission) {
  Diagnostics findings;
  for (const emit::FunctionFacts& facts : emission.facts) {
    const auto check_budget = [&](const char* what, int estimate, const std::string& flag, int budget) {
      if (budget > 0 && estimate > budget)
        findings.error({line.model, 0, "function " + facts.name},
                       fmt::format("{} needs about {} bytes of {}, and {} allows {}", facts.name, estimate,
                                   what, flag, budget),
                       remedy(line, flag, facts));
    };
    check_budget("stack", facts.stack_bytes, "--max-stack", line.max_stack);
    check_budget("code", facts.code_bytes, "--max-code", line.options.max_code);
  }
  check_image(line, emission, findings);
  stop_on_errors(findings);
}

/// Dumps go to `out` when their stage is done. Progress goes to the terminal.
Observer watch(const CommandLine& line, Progress& progress, std::ostream& out) {
  Observer observer = progress.observer();
  if (!line.dump_after.empty()) {
    observer.stage_done = [&](const std::string& stage, const std::function<std::string()>& text) {
      if (stage != line.dump_after) return;
      progress.clear();
      out << text() << std::flush;
    };
  }
  return observer;
}

/// Files and reports of all robots. Nothing is written or reported until every robot is done.
struct Output {
  std::vector<OutputFile> files;
  std::map<std::string, std::set<std::string>> names;  ///< by robot, of its emitted files
  std::string report;
  std::map<std::string, std::string> origins;  ///< from emitted file to input
  std::vector<std::string> other_inputs;       ///< that files of robots include
};

void add(const CommandLine& line, const Robot& robot, const Emission& emission, Output& output) {
  const fs::path folder = line.output_folder;
  for (const emit::File& file : emission.files) {
    const std::string& name = file.relative_name;
    const auto [other, is_fresh] = output.origins.emplace(name, line.model);
    if (!is_fresh) {
      Diagnostics findings;
      findings.error({line.model, 0, ""},
                     in_quotes(name) + " is emitted for " + in_quotes(other->second) + ", too",
                     "rename one of the robots, or generate it by itself with --name");
      throw InputError(findings);
    }
    output.files.push_back({folder / name, file.content, name == emission.name + ".json"});
    output.names[emission.name].insert(name);
  }
  // The manifest comes first. It stands for all files when a build compares time stamps.
  const std::vector<std::string>& others = robot.description.other_files;
  output.other_inputs.insert(output.other_inputs.end(), others.begin(), others.end());
  std::vector<std::string> inputs = files_read(line);
  inputs.insert(inputs.end(), others.begin(), others.end());
  if (!line.depfile.empty())
    output.files.push_back(
        {line.depfile, depfile_text({folder / (emission.name + ".json"), folder / (emission.name + ".hpp")},
                                    {inputs.begin(), inputs.end()})});
}

void write(const CommandLine& line, const Output& output) {
  refuse_inputs(output.files, files_read(line));
  refuse_inputs(output.files, output.other_inputs);
  refuse_foreign_files(output.files, line.force, "choose another folder or --name");
  write_files(output.files, [&] {
    std::vector<fs::path> stale;
    for (const auto& [robot, emitted] : output.names)
      std::ranges::move(stale_files(line.output_folder, robot, emitted), std::back_inserter(stale));
    return stale;
  });
}

void generate_one(const CommandLine& given, const Observer& observer, Progress& progress, FindingsLog& log,
                  Output& output) {
  Diagnostics findings(given.accepted);
  const Robot robot = read_robot(given.model, given.options, findings, observer);
  const CommandLine line = with_choices(given, robot, findings);
  const Plan plan = make_plan(robot, line.options, findings);
  progress.clear();
  settle_findings(line, findings, log);

  Emission emission = emit_robot(robot, plan, line.options, observer);
  compile_kernels(emission, line.options, observer);
  progress.clear();
  check_budgets(line, emission);
  if (!line.output_folder.empty()) add(line, robot, emission, output);
  if (line.report && !line.quiet && line.dump_after.empty())
    output.report += success_text(line, robot, emission);
}

}  // namespace

bool generate(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  Progress progress;
  const Observer observer = watch(line, progress, out);
  Output output;
  const bool all_well = for_each_input(line, log, [&](const CommandLine& one) {
    generate_one(one, observer, progress, log, output);
    return true;
  });
  if (!all_well) return false;
  write(line, output);
  out << output.report;
  return true;
}

}  // namespace featherline::cli
