#include "cli/command_line.hpp"

#include "catalog/functions.hpp"
#include "cli/flag_values.hpp"
#include "cli/function_words.hpp"
#include "emit/bindings/bindings.hpp"
#include "pipeline.hpp"
#include "support/diagnostic.hpp"
#include "support/nearest_name.hpp"

#include <CLI/CLI.hpp>
#include <featherline/version.hpp>

#include <algorithm>
#include <ostream>

namespace featherline::cli {
namespace {

constexpr const char* summary =
    "Reads a robot's URDF, writes its dynamics as straight-line C++, and checks the result.";

constexpr const char* examples = R"(
Examples:
  featherline inspect arm.urdf
      shows the tree, the coordinates, the merged links and all warnings
  featherline generate arm.urdf -o generated
      writes generated/arm.hpp and the sources beside it
  featherline generate legs.urdf -o generated --base floating --functions rnea,mass_matrix --scalar double,float
  featherline check legs.urdf --base floating
      compiles the emitted code and compares it with the reference solver
  featherline tune legs.urdf --base floating -o legs_choices.json
      times all formulations on this machine; generate takes the fastest with --choices legs_choices.json
  featherline compare arm.urdf --functions rnea,mass_matrix
      shows operations, code, times and errors of all formulations side by side
  featherline inspect robots/*.urdf --format json
      several robots, one after the other; generate writes no file if one robot is at fault
  featherline inspect arm.urdf --format dot | dot -Tsvg > arm.svg
      draws the tree
  featherline inspect arm.urdf --format html > arm.html
      a page for a browser: the tree, masses, functions, and a drawing that sliders move. It takes as long as
      generate; for robots of a hundred joints ask for less, e.g. --functions rnea,mass_matrix

Exit codes: 0 done; 1 the input is at fault, nothing is written; 2 wrong usage; 3 internal error.
With several robots the highest code counts.
)";

std::string version_text() {
  return std::to_string(runtime_version.major_number) + "." + std::to_string(runtime_version.minor_number) +
         "." + std::to_string(runtime_version.patch_number);
}

void add_chosen_inputs(CLI::App& app, RawFlags& words) {
  app.add_option(
         "--external-forces", words.external_forces,
         "Links that forces act on: input fext of the functions that feel them, [force; moment] of each "
         "link, at the origin of its frame and in world axes. Write \\, for a comma in a name")
      ->allow_extra_args(false)
      ->type_name("LINK,...");
  app.add_option("--parameters", words.parameters,
                 "gravity; payload:LINK, an inertia added to the link's; anchors, points of the world where "
                 "contacts are held; stabilisation, KP and KD of constraints: input p of the functions that "
                 "depend on them")
      ->allow_extra_args(false)
      ->type_name("gravity,payload:LINK,anchors,stabilisation,...");
}

void add_frames(CLI::App& app, RawFlags& words) {
  app.add_option("--frames", words.frames,
                 "Frames for the functions of the group frames: links, or NAME=LINK@x,y,z[,roll,pitch,yaw] "
                 "for a frame "
                 "placed in a link [m, rad]; :point behind it means position only. Write \\ before a comma, "
                 "= or @ in a "
                 "link's name (default: the links at the ends of the tree)")
      ->allow_extra_args(false)
      ->type_name("FRAME,...");
  std::string axes = "Where rows of frames are measured.";
  for (const model::FrameAxesName& entry : model::frame_axes_names())
    axes += (entry.axes == model::FrameAxes::local_world_aligned ? " " : "; ") + entry.name + ": " +
            model::describe(entry.axes) +
            (entry.axes == model::FrameAxes::local_world_aligned ? " (default)" : "");
  app.add_option("--frame-axes", words.frame_axes, axes)->type_name("local_world_aligned|local|world");
  std::string parts;
  for (const model::FramePart& part : model::frame_parts()) parts += (parts.empty() ? "" : ", ") + part.name;
  app.add_option("--frame-parts", words.frame_parts,
                 "What frame_kinematics gives: " + parts + " (default: all of them)")
      ->allow_extra_args(false)
      ->type_name("PART,...");
}

void add_contacts(CLI::App& app, RawFlags& words) {
  app.add_option(
         "--contacts", words.contacts,
         "Contacts with the world for the functions of the group constraints: frames as in --frames, "
         "with :point (3 rows, default), :weld (6 rows), :normal (1 row) or :friction (2 rows) behind them; "
         "the "
         "last two take an axis, @x,y,z of the world or @local:x,y,z of the frame (default z of the world)")
      ->allow_extra_args(false)
      ->type_name("CONTACT,...");
  app.add_option("--stabilisation", words.stabilisation,
                 "Baumgarte's terms: constraints get the acceleration - KP e - KD de, e and de being their "
                 "position and velocity errors (default 0,0)")
      ->type_name("KP,KD");
}

void add_locks(CLI::App& app, RawFlags& words) {
  app.add_option(
         "--lock", words.lock,
         "Joints that stay at a position, in entries of q: what they carry is merged, as behind a fixed "
         "joint. A:B:... for joints with several entries. Write \\ before a comma or = in a name")
      ->allow_extra_args(false)
      ->type_name("JOINT=VALUE,...");
  app.add_option(
         "--lock-all-but", words.lock_all_but,
         "Locks all other joints that move: at the position that --lock gives, else at 0. Joints that mimic "
         "one of these go on following it")
      ->allow_extra_args(false)
      ->type_name("JOINT,...");
}

void add_robot_flags(CLI::App& app, CommandLine& line, RawFlags& words) {
  app.add_option("ROBOT.urdf", line.inputs, "One or more robots; - reads standard input")
      ->required()
      ->type_name("");
  app.add_option("--base", words.base,
                 "fixed: the root link is welded to the world (default); floating: it moves freely")
      ->type_name("fixed|floating");
  app.add_option(
         "--joint-order", line.joint_order_file,
         "File that lists the moving joints in the order of q, one name a line (default: depth first, "
         "siblings by name)")
      ->type_name("FILE");
  app.add_option("--mimic", words.mimic,
                 "coupled: a mimic joint shares the coordinate of the joint it follows (default); "
                 "independent: it has its own")
      ->type_name("coupled|independent");
  app.add_option(
         "--joint-dynamics", words.joint_dynamics,
         "Damping, friction and rotor inertia of joints. off: none (default); urdf: damping and friction of "
         "<dynamics>; FILE: its lines are JOINT DAMPING FRICTION ARMATURE")
      ->type_name("off|urdf|FILE");
  app.add_option("--gravity", words.gravity, "Gravity in world axes [m/s^2] (default 0,0,-9.81)")
      ->type_name("X,Y,Z");
  add_locks(app, words);
  add_chosen_inputs(app, words);
  add_frames(app, words);
  add_contacts(app, words);
  app.add_option(
         "--snap-angles", words.snap_angles,
         "Entries of rotations this close to 0 or +-1 become exact; 0: none. The default is 5e-11, and it "
         "applies only if no result of the robot changes by more than 5e-11")
      ->type_name("TOL");
  app.add_option("--allow", words.allow,
                 "Turns errors into warnings: unphysical-inertia (negative masses and principal moments), "
                 "unknown-attribute (attributes and elements that URDF does not have)")
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_option(
         "--accept", words.accept,
         "Leaves out warnings of these kinds, also for --werror. A warning ends with its kind in brackets; "
         "the page Robots of the guide lists them all")
      ->allow_extra_args(false)
      ->type_name("FINDING,...");
  app.add_flag("--werror", line.warnings_are_errors, "A warning stops the run with exit code 1");
  app.add_option("--diagnostics", words.diagnostics,
                 "Errors and warnings on stderr. text: one line for each kind (default); full: one line for "
                 "each finding; json: an array that holds all of them")
      ->type_name("text|full|json");
}

/// A line for each function that has a choice: "  minv: sparse factor, AZA columns, vector loops". Those that do not
/// compete are marked.
std::string list_formulations() {
  std::string text;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (function.formulations.size() < 2) continue;
    text += "  " + function.name + ":";
    for (const catalog::Formulation& formulation : function.formulations) {
      const bool is_first = &formulation == &function.formulations.front();
      text += (is_first ? " " : ", ") + formulation.name + (formulation.by_name_only() ? " (by name)" : "");
    }
    text += "\n";
  }
  return text;
}

/// A line for each formulation: "  panels   derivatives of ...".
std::string explain_formulations() {
  std::size_t width = 0;
  for (const catalog::Method& method : catalog::methods()) width = std::max(width, method.name.size());
  std::string text;
  for (const catalog::Method& method : catalog::methods())
    text += "  " + method.name + std::string(width + 2 - method.name.size(), ' ') + method.words + "\n";
  return text;
}

void add_name(CLI::App& app, CommandLine& line) {
  app.add_option("--name", line.options.name,
                 "Namespace and beginning of file names (default: the robot's name)")
      ->type_name("NAME");
}

void add_function_flags(CLI::App& app, RawFlags& words) {
  app.add_option(
         "--functions", words.functions,
         "Functions and groups separated by commas, or all (default: " + join(default_functions(), ",") + ")")
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_option("--formulation", words.formulations,
                 "Computes FUNCTION by the formulation NAME; repeat the option for several functions "
                 "(default: see --optimise-for; loops for large robots)")
      ->allow_extra_args(false)
      ->type_name("FUNCTION=NAME");
  app.add_option(
         "--optimise-for", words.optimise_for,
         "How formulations are chosen. speed: the least predicted time of a call (default on x86-64); "
         "size: the least estimated code; flops: the fewest operations (default on Cortex-M)")
      ->type_name("speed|size|flops");
  app.add_option("--lanes", words.lanes,
                 "auto: equal limbs may be computed side by side in vector lanes (default); off: never")
      ->type_name("auto|off");
}

void add_choices(CLI::App& app, CommandLine& line) {
  app.add_option("--choices", line.choices_file,
                 "Takes the formulations that featherline tune measured to be the fastest; --formulation "
                 "takes precedence")
      ->type_name("FILE");
}

void add_no_verify(CLI::App& app, CommandLine& line) {
  app.add_flag_callback(
      "--no-verify", [&line] { line.options.verify = false; },
      "Skip the comparison of all functions with the reference solver");
}

/// The forms in which every function is emitted and checked.
void add_form_flags(CLI::App& app, CommandLine& line, RawFlags& words) {
  app.add_option("--scalar", words.scalars,
                 "Scalars the .cpp files are compiled for: double (default), float or double,float")
      ->allow_extra_args(false)
      ->type_name("LIST");
  for (const emit::Binding* binding : emit::bindings()) {
    if (binding->option.empty()) continue;
    const std::string option(binding->option);
    app.add_flag_callback(
        "--" + option, [option, &words] { words.bindings.insert(option); }, std::string(binding->help));
  }
  add_no_verify(app, line);
}

void add_target(CLI::App& app, RawFlags& words) {
  app.add_option(
         "--target", words.target,
         "Machine that code and stack are estimated for: x86-64 (double), cortex-m7 or cortex-m4f (float), "
         "with g++ -O2 (default: cortex-m7 for --scalar float without --choices, else x86-64)")
      ->type_name("TARGET");
}

void add_generate(CLI::App& app, CommandLine& line, RawFlags& words) {
  add_robot_flags(app, line, words);
  add_name(app, line);
  add_function_flags(app, words);
  add_choices(app, line);
  add_form_flags(app, line, words);
  app.add_option("-o", line.output_folder, "Folder for the emitted files; created if it does not exist")
      ->type_name("DIR");
  add_target(app, words);
  app.add_option("--jobs", words.jobs,
                 "Functions that are computed and verified at the same time (default: as many as there are "
                 "cores); the "
                 "files are the same with any number")
      ->type_name("N");
  app.add_option("--max-stack", words.max_stack,
                 "Stops if a function needs more stack, by estimate, together with everything it calls; SIZE "
                 "is in bytes: "
                 "2000, 1k or 1.5KiB (k is 1024)")
      ->type_name("SIZE");
  app.add_option(
         "--max-code", words.max_code,
         "Takes another formulation of a function whose machine code is longer, by estimate; stops if "
         "all are too long")
      ->type_name("SIZE");
  app.add_option("--max-image", words.max_image,
                 "Stops if the machine code of all functions and what they share (sincos, tables) is longer, "
                 "by estimate")
      ->type_name("SIZE");
  app.add_option("--depfile", line.depfile,
                 "Also writes a Makefile rule that lists the files the output depends on")
      ->type_name("FILE");
  app.add_option(
         "--dump-after", line.dump_after,
         "Prints what a stage made, in place of the report; without -o no file is written; `list` lists the "
         "stages")
      ->type_name("STAGE");
  app.add_flag("--force", line.force, "Overwrites files that featherline did not write");
  app.add_flag("!--no-report", line.report, "Prints no report on success");
  app.add_flag("--quiet", line.quiet, "Prints errors alone: no report, no warnings and notes");
  app.footer("\nFormulations, by function; (by name): taken only if --formulation names it:\n" +
             list_formulations() + "\nWhat a formulation does:\n" + explain_formulations() +
             "\nFunctions by group:\n" + list_functions());
}

/// Options of `inspect` that only a page with functions needs. Help lists them under this heading.
constexpr const char* page_options = "Options of --format html";

void add_inspect(CLI::App& app, CommandLine& line, RawFlags& words) {
  add_robot_flags(app, line, words);
  app.add_option("--format", words.format,
                 "text (default), json, dot for Graphviz, or html: a page for a browser, with a drawing that "
                 "moves and "
                 "the functions that generate would write")
      ->type_name("text|json|dot|html");
  const auto others = app.get_options();
  add_function_flags(app, words);
  add_choices(app, line);
  app.add_option("--max-code", words.max_code,
                 "As for generate: another formulation where code would be longer")
      ->type_name("SIZE");
  add_no_verify(app, line);
  add_target(app, words);
  for (CLI::Option* option : app.get_options()) {
    if (std::find(others.begin(), others.end(), option) == others.end()) option->group(page_options);
  }
}

void refuse_page_options(const CLI::App& inspect, const std::string& format) {
  if (format == "html") return;
  for (const CLI::Option* option : inspect.get_options()) {
    if (option->get_group() == page_options && option->count() > 0)
      throw UsageError(option->get_name() + " of inspect is for --format html; add that, or leave " +
                       option->get_name() + " out");
  }
}

void add_check(CLI::App& app, CommandLine& line, RawFlags& words) {
  add_robot_flags(app, line, words);
  add_name(app, line);
  add_function_flags(app, words);
  add_choices(app, line);
  add_form_flags(app, line, words);
  app.add_option("--max-code", words.max_code,
                 "As for generate: another formulation where code would be longer")
      ->type_name("SIZE");
  app.add_option(
         "--states", words.states,
         "Number of random states (default 100; 10 for derivatives, 2 for second-order; fewer for thousands "
         "of links)")
      ->type_name("N");
  app.add_option("--seed", words.seed, "Seed of the random states (default 1)")->type_name("N");
  app.add_flag("--size", line.size,
               "Also compiles every function with -O2 and -Os and prints bytes of code and stack");
  add_target(app, words);
  app.add_flag("--keep", line.keep, "Keeps the temporary folder and prints its name");
  app.footer(
      "\ncheck judges every form that generate emits with the same options:\n"
      "  --batch                batches, in every instruction set of this machine and in both layouts\n"
      "  --c-api                the C interface\n"
      "  --scalar double,float  also float, at the state rounded to float; allowed are errors that rounding\n"
      "                         explains\n\n"
      "The host compiler is $CXX, or c++ if CXX is not set. $CXX may be a cross compiler, for --size only:\n"
      "CXX='arm-none-eabi-g++ -mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -mthumb'");
}

void add_tune(CLI::App& app, CommandLine& line, RawFlags& words) {
  add_robot_flags(app, line, words);
  add_name(app, line);
  add_function_flags(app, words);
  add_form_flags(app, line, words);
  app.add_option("-o", line.choices_output, "The file to write; generate and check read it with --choices")
      ->type_name("FILE");
  app.add_option("--max-code", words.max_code, "As for generate: the fastest that is not longer, by estimate")
      ->type_name("SIZE");
  app.add_option("--seed", words.seed, "Seed of the random states (default 1)")->type_name("N");
  app.add_flag("--force", line.force, "Overwrites a file that featherline did not write");
  app.add_flag("--keep", line.keep, "Keeps the temporary folder and prints its name");
  app.add_flag("--quiet", line.quiet, "Prints errors alone: no table, no warnings and notes");
  app.footer(
      "\ntune compiles every candidate formulation of every function with the host compiler ($CXX, or c++) "
      "and\n"
      "-O2 -march=native, times them in turn at random states, and keeps the best time of each. It times the "
      "first\n"
      "scalar of --scalar. Keep other work off the machine. Large robots take minutes to compile.");
}

constexpr const char* compare_footer = R"(
compare lists every formulation of every function. The default functions are those of generate. All formulations are
traced on the same robot, simplified by the same passes and judged by the same reference solver. The one that generate
takes with these options is marked. Formulations that cannot compute the function for the robot, or that are too large
to unroll, are listed below the table with the reason. No file is written.

Keys of --format json:
  robot, file, nq, nv, options, target
  functions/NAME/chosen        the formulation that generate takes
  functions/NAME/formulations  for each: name, chosen, by_name_only (only --formulation takes it), plain_frames
                               (with frames chosen for the robot it disagrees with the reference);
      written                  {multiplications, divisions, additions} as the formulas have them, subtractions among
                               the additions, negations nowhere; null where routines of the runtime compute a part
      flops_before, flops      before and after the passes, negations included
      sincos, stack_bytes, code_bytes, predicted_ns, error   as in the report of generate; null for none
      measured                 {ns, code_bytes}, with --measure
  functions/NAME/left_out      for each: name, reason
  measured_on                  cpu, compiler, flags; with --measure
  table_3                      for a chain of joints on a fixed base: for each method of table 3 of Silva,
                               Quiroz-Omana, Adorno (Dynamics of Mobile Manipulators Using Dual Quaternion Algebra):
                               method, functions and formulation of ours, paper, written, simplified
Several robots give an array.)";

void add_compare(CLI::App& app, CommandLine& line, RawFlags& words) {
  add_robot_flags(app, line, words);
  add_function_flags(app, words);
  add_choices(app, line);
  add_no_verify(app, line);
  app.add_option("--format", words.format, "text (default), json, or markdown for a table to paste")
      ->type_name("text|json|markdown");
  app.add_flag("--measure", line.measure,
               "Also compiles all formulations and times them, as featherline tune does");
  app.add_option("--max-code", words.max_code,
                 "As for generate: another formulation where code would be longer")
      ->type_name("SIZE");
  add_target(app, words);
  app.add_option("--seed", words.seed, "Seed of the random states of --measure (default 1)")->type_name("N");
  app.footer(compare_footer);
}

/// The subcommands with their flags and help. Plain values go to `line`. Values that still have to be checked go
/// to `words`. Both must outlive `app`.
void declare_flags(CLI::App& app, CommandLine& line, RawFlags& words) {
  app.name("featherline");
  app.description(summary);
  app.set_version_flag("--version", "featherline " + version_text());
  app.require_subcommand(1);
  app.footer(examples);
  add_generate(*app.add_subcommand("generate", "Writes the C++ files of a robot"), line, words);
  add_inspect(*app.add_subcommand("inspect", "Shows what Featherline reads from a URDF, and writes no file"),
              line, words);
  add_check(
      *app.add_subcommand("check", "Compiles the emitted code and compares it with the reference solver"),
      line, words);
  add_tune(*app.add_subcommand("tune", "Times the formulations on this machine and writes down the fastest"),
           line, words);
  add_compare(*app.add_subcommand("compare", "Shows all formulations of all functions side by side"), line,
              words);
}

std::string dashes(const std::string& flag) { return flag.size() == 1 ? "-" + flag : "--" + flag; }

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back(dashes(name));
    for (const std::string& name : option->get_lnames()) names.push_back(dashes(name));
  }
  return names;
}

/// The message of CLI11. If a flag is unknown, the nearest flag is added.
UsageError describe(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::string see =
      "; see featherline " + (command == &app ? "" : command->get_name() + " ") + "--help";
  const std::vector<std::string> rest = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || rest.empty())
    return UsageError(error.what() + see);
  const std::string flag = rest.front().substr(0, rest.front().find('='));
  const std::string nearest = nearest_name(flag, flag_names(*command));
  return UsageError("unknown flag " + featherline::in_quotes(flag) +
                    (nearest.empty() ? "" : "; did you mean " + nearest + "?") + see);
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
  CommandLine line;
  RawFlags words;
  CLI::App app;
  declare_flags(app, line, words);
  if (!arguments.empty() && arguments.front().rfind('-', 0) != 0) {
    one_of("command", arguments.front(), {"generate", "inspect", "check", "tune", "compare"});
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them in reverse
  } catch (const CLI::Success& answer) {
    app.exit(answer, out, out);
    return std::nullopt;
  } catch (const CLI::ParseError& error) { throw describe(app, error); }
  if (app.got_subcommand("inspect")) {
    line.command = CommandLine::Command::inspect;
    refuse_page_options(*app.get_subcommand("inspect"), words.format);
  }
  if (app.got_subcommand("check")) line.command = CommandLine::Command::check;
  if (app.got_subcommand("tune")) line.command = CommandLine::Command::tune;
  if (app.got_subcommand("compare")) line.command = CommandLine::Command::compare;
  if (line.dump_after == "list") {
    out << join(stage_names(), "\n") << '\n';
    return std::nullopt;
  }
  convert(words, line);
  return line;
}

}  // namespace featherline::cli
