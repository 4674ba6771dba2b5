#include "option_table.hpp"

#include "catalog/functions.hpp"
#include "model/contact_joints.hpp"
#include "model/regressor_columns.hpp"
#include "option_types.hpp"
#include "single_options.hpp"
#include "support/diagnostic.hpp"
#include "support/text.hpp"

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
      {"-o", "DIR", "Folder for the emitted files; created if it does not exist", generate,
       value(Takes::word, &CommandLine::output_folder, &Given::text)},
      {"-o", "FILE", "The file to write; generate and check read it with --choices", tune,
       value(Takes::word, &CommandLine::choices_output, &Given::text)},

      // how the robot is understood
      {"--base", "fixed|floating",
       "fixed: the root link is welded to the world (default); floating: it moves freely", robot | always,
       word_of(&model::BuildOptions::floating_base, Words<bool>{{"fixed", false}, {"floating", true}})},
      {"--mimic", "coupled|independent",
       "coupled: a mimic joint shares the coordinate of the joint it follows (default); independent: it has "
       "its own",
       robot | always,
       word_of(&model::BuildOptions::mimic_independent,
               Words<bool>{{"coupled", false}, {"independent", true}})},
      {"--gravity", "X,Y,Z",
       "Gravity in world axes [m/s^2] (default: that of an MJCF or SDF file, else 0,0,-9.81)", robot | always,
       gravity()},
      {"--snap-angles", "TOL",
       "Entries of rotations this close to 0 or +-1 become exact; 0: none. The default is 5e-11, and it "
       "applies only if no result of the robot changes by more than 5e-11",
       robot, value(Takes::number, &model::BuildOptions::snap_tolerance, tolerance_of)},
      {"--allow", "LIST",
       "Turns errors into warnings: unphysical-inertia (negative masses and principal moments), "
       "unknown-attribute (attributes and elements that the format does not have)",
       robot, allowed()},
      {"--xacro-args", "NAME:=VALUE ...",
       "Arguments, with blanks between them, for the tool xacro, which expands files of xacro where it is "
       "installed; the environment variable FEATHERLINE_XACRO names another command for it",
       robot | cmake, value(Takes::word, &Options::xacro_arguments, &Given::text)},
      {"--joint-dynamics", "off|armature|model|urdf|FILE",
       "Drives and springs of joints. off: none (default for URDF); armature: rotor inertia as the robot's "
       "file has it (default for MJCF); model (or urdf): damping, friction, springs and gravcomp, too; FILE: "
       "its lines are JOINT DAMPING FRICTION ARMATURE [STIFFNESS REST]",
       robot, joint_dynamics()},
      {"--joint-order", "FILE",
       "File that lists the moving joints in the order of q, one name a line (default: depth first, siblings "
       "by name)",
       robot, joint_order()},
      {"--lock", "JOINT=VALUE,...",
       "Joints that stay at a position, in entries of q: what they carry is merged, as behind a fixed joint. "
       "A:B:... for joints with several entries. Write \\ before a comma or = in a name",
       robot | cmake, items(Takes::pairs, locks, model::parse_locks)},
      {"--lock-all-but", "JOINT,...",
       "Locks all other joints that move: at the position that --lock gives, else at 0. Joints that mimic "
       "one of these go on following it",
       robot | cmake | not_empty, list(Takes::names, free_joints)},
      {"--external-forces", "LINK,...",
       "Links that forces act on: input fext of the functions that feel them, [force; moment] of each link, "
       "at the origin of its frame and in world axes. Write \\, for a comma in a name",
       robot | cmake, list(Takes::names, &Options::external_forces)},
      {"--parameters", "gravity,payload:LINK,inertia:LINK,armature,...",
       "gravity; payload:LINK, an inertia added to the link's; inertia:LINK in its place; anchors, points of "
       "the world where contacts are held; stabilisation, KP and KD of constraints; armature, damping, "
       "friction, stiffness, rest, gear of all joints, or armature:JOINT; placement:JOINT, 6 numbers that "
       "move a joint: input p of the functions that depend on them",
       robot | cmake, list(Takes::names, &Options::parameters)},
      {"--frames", "FRAME,...",
       "Frames for the functions of the group frames: links, or NAME=LINK@x,y,z[,roll,pitch,yaw] for a frame "
       "placed in a link [m, rad]; :point behind it means position only. Write \\ before a comma, = or @ in "
       "a link's name (default: the links at the ends of the tree)",
       robot | cmake, items(Takes::list, &Options::frames, model::parse_frames)},
      {"--frame-axes", "local_world_aligned|local|world",
       "Where rows of frames are measured. " + describe_axes(), robot | cmake,
       word_of(&Options::frame_axes, model::frame_axes_names())},
      {"--frame-parts", "PART,...",
       "What frame_kinematics gives: " + join(names_of(model::frame_parts())) + " (default: all of them)",
       robot | cmake, list(Takes::list, &Options::frame_parts, names_of(model::frame_parts()))},
      {"--regressor-columns", "WORD,...",
       "Columns of the regressor behind those of bodies, one for each joint that can have it: " +
           join(model::joint_column_words()) + " (default: none)",
       robot | cmake, list(Takes::list, &Options::regressor_columns, model::joint_column_words())},
      {"--contacts", "CONTACT,...",
       "Contacts with the world for the functions of the group constraints: frames as in --frames, with "
       ":point (3 rows, default), :weld (6 rows), :normal (1 row) or :friction (2 rows) behind them; the "
       "last two take an axis, @x,y,z of the world or @local:x,y,z of the frame (default z of the world). "
       "For contact_step alone :sphere=RADIUS, a sphere about the frame's origin",
       robot | cmake, items(Takes::list, &Options::contacts, model::parse_contacts)},
      {"--eliminate", "LOOP,...",
       "Loops of the robot's file that leave fewer coordinates in place of constraints, besides those that "
       "it marks with eliminate=\"true\": all functions take the independent coordinates alone",
       robot | cmake, list(Takes::names, &Options::eliminate)},
      {"--stabilisation", "KP,KD",
       "Baumgarte's terms: constraints get the acceleration - KP e - KD de, e and de being their position "
       "and velocity errors (default 0,0)",
       robot | cmake, stabilisation()},
      {"--contact-joints", "PART,...",
       "What joints add to the contacts of contact_step and contact_step_warm: limits, friction (Coulomb's, "
       "in the place of the smoothed one)",
       robot | cmake | not_empty,
       list(Takes::list, &Options::contact_joints, {model::joint_limits, model::joint_friction})},
      {"--actuated", "JOINT,...",
       "Joints with motors, for constrained_inverse_dynamics (default: all but a floating base, free joints "
       "and those that loops go through). Write \\, for a comma in a name",
       robot | cmake | not_empty, list(Takes::names, &Options::actuated)},
      {"--integrator", "semi_implicit|rk4",
       "Steps of the functions of the group steps. semi_implicit: the new velocity moves the position, and "
       "damping and springs of joints act on the new state (default); rk4: the classic method of Runge and "
       "Kutta, four times the dynamics",
       robot | cmake,
       word_of(&Options::integrator,
               Words<model::Integrator>{{"semi_implicit", model::Integrator::semi_implicit},
                                        {"rk4", model::Integrator::rk4}})},

      // which functions, in which forms
      {"--lanes", "auto|off",
       "auto: equal limbs may be computed side by side in vector lanes (default); off: never",
       functions | robot_flags, word_of(&Options::lanes, Words<bool>{{"auto", true}, {"off", false}})},
      {"--name", "NAME", "Namespace and beginning of file names (default: the robot's name)",
       generate | check | tune | keyword, value(Takes::word, &Options::name, &Given::text)},
      {"--scalar", "LIST", "Scalars the .cpp files are compiled for: double (default), float or double,float",
       forms | keyword | always, scalars()},
      {"--target", "TARGET",
       "Machine that code and stack are estimated for: x86-64 (double), cortex-m7 or cortex-m4f (float), "
       "with g++ -O2 (default: cortex-m7 for --scalar float without --choices, else x86-64); or device that "
       "--cuda chooses for: cuda-sm90 (default), cuda-sm80",
       generate | page | check | compare | flags, target()},
      {"--flash-wait-states", "N",
       "Cycles that code in flash waits for each 16 bytes and each constant: they are added to the predicted "
       "cycles of a Cortex-M, as a bound without prefetch and cache (default 0: memory as fast as the core)",
       generate | page | compare | flags, count(&Options::flash_wait_states, 0, 100)},
      {"--c-api", "", "Also writes NAME.h and NAME_c.cpp: the functions for C and languages that call C",
       forms | cmake, binding("c-api")},
      {"--batch", "",
       "Also writes NAME::batch::FUNCTION: every function for many states a call, in SIMD lanes",
       forms | keyword | cmake, binding("batch")},
      {"--python", "", "Also writes NAME_python.cpp and NAME.pyi: what the Python package reads",
       forms | cmake, binding("python")},
      {"--casadi", "[tangent]",
       "Also writes NAME_casadi.c: external functions of CasADi, with first derivatives, and second ones "
       "where the functions for them are asked for; derivatives by q have nq columns, with tangent nv",
       forms | cmake, binding("casadi")},
      {"--cuda", "[ptx]",
       "Also writes NAME_cuda.hpp and NAME_cuda.cu: NAME::cuda::FUNCTION for many states a call on a GPU, "
       "one thread a state or a limb; ptx: also NAME.ptx, the same kernels compiled by clang, which needs no "
       "CUDA toolkit",
       forms | cmake, binding("cuda")},
      {"--functions", "LIST",
       "Functions and groups separated by commas, or all (default: " + join(default_functions(), ",") + ")",
       functions | flags | always | not_empty, list(Takes::list, &Options::named_functions)},
      {"--with-derivatives", "",
       "Adds the functions that hold first derivatives of those of --functions: aba_derivatives and aba_vjp "
       "for aba",
       functions | flags, makes(&Options::with_derivatives)},
      {"--formulation", "FUNCTION=NAME",
       "Computes FUNCTION by the formulation NAME; repeat the option for several functions (default: see "
       "--optimise-for; loops for large robots)",
       functions | flags, formulations()},
      {"--optimise-for", "speed|latency|size|flops",
       "How formulations are chosen. speed: the least predicted time of a call (default on x86-64); latency: "
       "the same of a call that finds nothing in the caches; code of 16 KB and more is read before it runs "
       "(on Cortex-M, which has no caches to fill, size); size: the least estimated code; flops: the fewest "
       "operations (default on Cortex-M)",
       functions | flags, word_of(&Options::optimise_for, goal_names)},
      {"--choices", "FILE",
       "Takes the formulations that featherline tune measured to be the fastest; --formulation takes "
       "precedence",
       (functions & ~tune) | flags, choices()},
      {"--max-code", "SIZE",
       "Takes another formulation of a function whose machine code is longer, by estimate; generate stops if "
       "all are too long. SIZE is in bytes: 2000, 1k or 1.5KiB (k is 1024)",
       functions | flags, value(Takes::number, &Options::max_code, bytes_of)},
      {"--max-stack", "SIZE",
       "Stops if a function needs more stack, by estimate, together with everything it calls",
       generate | keyword, value(Takes::number, &CommandLine::max_stack, bytes_of)},
      {"--max-image", "SIZE",
       "Stops if the machine code of all functions and what they share (sincos, tables) is longer, by "
       "estimate",
       generate | keyword, value(Takes::number, &CommandLine::max_image, bytes_of)},
      {"--shards", "N",
       "Puts the functions into files with numbers, NAME_1.cpp to NAME_N.cpp, in place of files of their "
       "own: a build knows all names without running featherline",
       generate | flags, count(&Options::shards, 1, 1'000)},
      {"--no-verify", "", "Skips the comparison of all functions with the reference solver",
       functions | flags, makes(&Options::verify, false)},

      // what the command does and says
      {"--format", "text|json|dot|html",
       "text (default), json, dot for Graphviz, or html: a page for a browser, with a drawing that moves and "
       "the functions that generate would write",
       inspect,
       word_of(&CommandLine::format, Words<Format>{{"text", Format::text},
                                                   {"json", Format::json},
                                                   {"dot", Format::dot},
                                                   {"html", Format::html}})},
      {"--trajectory", "FILE",
       "Plays a trajectory in the drawing: a file that save_csv() of featherline.simulate() in Python wrote, "
       "or any with commas between numbers, whose first line names the columns t and q:JOINT, or q:JOINT[0], "
       "q:JOINT[1], ... of joints with several coordinates",
       page, value(Takes::word, &CommandLine::trajectory_file, &Given::text)},
      {"--format", "text|json|markdown", "text (default), json, or markdown for a table to paste", compare,
       word_of(
           &CommandLine::format,
           Words<Format>{{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}})},
      {"--measure", "", "Also compiles all formulations and times them, as featherline tune does", compare,
       makes(&CommandLine::measure)},
      {"--cold", "",
       "Also times calls after all caches were overwritten. tune then chooses by these times, unless "
       "--optimise-for says otherwise; compare then measures",
       tune | compare, makes(&CommandLine::cold)},
      {"--states", "N",
       "Number of random states (default 100; 10 for derivatives, 2 for second-order; fewer for thousands of "
       "links)",
       check, count(&CommandLine::states, 1, 1'000'000)},  // all of them are in memory
      {"--seed", "N", "Seed of the random states that are compared or timed (default 1)",
       check | tune | compare, count(&CommandLine::seed, 0, std::numeric_limits<int>::max())},
      {"--size", "", "Also compiles every function with -O2 and -Os and prints bytes of code and stack",
       check, makes(&CommandLine::size)},
      {"--keep", "", "Keeps the temporary folder and prints its name", check | tune,
       makes(&CommandLine::keep)},
      {"--jobs", "N",
       "Functions that are computed, verified and printed at the same time (default: as many as there are "
       "cores); the files are the same with any number",
       generate, count(&Options::jobs, 1, 1'000)},
      {"--depfile", "FILE", "Also writes a Makefile rule that lists the files the output depends on",
       generate, value(Takes::word, &CommandLine::depfile, &Given::text)},
      {"--dump-after", "STAGE",
       "Prints what a stage made, in place of the report; without -o no file is written; `list` lists the "
       "stages",
       generate, value(Takes::word, &CommandLine::dump_after, &Given::text)},
      {"--force", "", "Overwrites files that featherline did not write", generate | tune,
       makes(&CommandLine::force)},
      {"--no-report", "", "Prints no report on success", generate, makes(&CommandLine::report, false)},
      {"--quiet", "", "Prints errors alone: no report, no table, no warnings and notes", generate | tune,
       makes(&CommandLine::quiet)},
      {"--accept", "KIND,...",
       "Leaves out warnings of these kinds, also for --werror. A warning ends with its kind in brackets; the "
       "page Robots of the guide lists them all",
       every_command | keyword | cmake, list(Takes::list, &CommandLine::accepted, names_of(findings_table))},
      {"--werror", "", "A warning stops the run with exit code 1", every_command | keyword,
       makes(&CommandLine::warnings_are_errors)},
      {"--diagnostics", "text|full|json",
       "Errors and warnings on stderr. text: one line for each kind (default); full: one line for each "
       "finding; json: an array that holds all of them",
       every_command,
       word_of(&CommandLine::diagnostics,
               Words<CommandLine::Findings>{{"text", CommandLine::Findings::text},
                                            {"full", CommandLine::Findings::full},
                                            {"json", CommandLine::Findings::json}})},
  };
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
  static const std::vector<Option> table = make_table();
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
