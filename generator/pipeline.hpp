#pragma once

#include "emit/emit.hpp"
#include "model/build_tree.hpp"
#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// From a URDF file to the text of the emitted files. Nothing here writes to a disk or to a terminal.
namespace featherline {

/// How someone watches a run; either member may be empty.
struct Observer {
  /// Called once per stage (and function, where the stage works function by function) with a maker of its text.
  std::function<void(const std::string& stage, const std::function<std::string()>& text)> stage_done;
  /// Called before work that can take long, with what it is.
  std::function<void(const std::string& what)> progress;

  void done(const std::string& stage, const std::function<std::string()>& text) const {
    if (stage_done) stage_done(stage, text);
  }
  void begin(const std::string& what) const {
    if (progress) progress(what);
  }
};

/// Names of all stages in order: what --dump-after takes.
std::vector<std::string> stage_names();

/// What a URDF says, and the moving bodies it amounts to.
struct Robot {
  urdf::Description description;
  model::BuildOptions options;
  model::UserTree tree;
  std::optional<model::UserTree> snapped;  ///< with exact quarter turns, where that makes a difference
};

/// The first two stages. Warnings go to `findings`; throws InputError when there are errors among them.
Robot read_robot(const std::string& urdf, const model::BuildOptions& options, Diagnostics& findings,
                 const Observer& observer = {});

/// The tree all functions are emitted for: with exact quarter turns where quarter_turns.hpp allows them.
const model::UserTree& emitted_tree(const Robot& robot);

/// What algorithms trace: canonical frames, regrouped inertias, and common frames where one of `functions` needs them.
model::CanonicalTree tracing_tree(const model::UserTree& tree, const std::vector<std::string>& functions,
                                  const Observer& observer = {});

/// The same in frames that nobody chose for short equations: for what comes out wrong in the chosen ones.
model::CanonicalTree plain_tracing_tree(const model::UserTree& tree);

struct EmitOptions {
  std::string name;                                 ///< empty: the robot's own
  std::vector<std::string> functions;               ///< names of functions, in the order of the catalogue
  std::map<std::string, std::string> formulations;  ///< forced ones by function; the others go by flop count
  std::vector<std::string> scalars{"double"};
  std::string in_effect = {};  ///< options as text, for the banner and the manifest
  bool batch = false;          ///< also for many states a call
  bool c_interface = false;    ///< also NAME.h and NAME_c.cpp
  int max_code =
      0;  ///< bytes above which loops take the place of unrolled code where there are loops; 0: any
  std::optional<cost::Target> target = {};  ///< of all estimates; nothing: the usual one of the scalars
  bool verify = true;                       ///< judge every function before it is emitted (verify/verify.hpp)
  /// For tests: changes every traced function, to see that verification notices.
  std::function<ir::Function(const ir::Function&)> tamper = {};
};

struct Emission {
  std::string name;  ///< namespace and stem of the file names
  std::vector<emit::File> files;
  std::vector<emit::FunctionFacts> facts;  ///< one per function
  int image_bytes = 0;                     ///< estimate of all of them with what they share
  bool turns_as_written = false;  ///< the robot has quarter turns in decimals that may not be taken as exact
};

/// All later stages. Throws InputError where a function disagrees with the reference solver.
Emission emit_robot(const Robot& robot, const EmitOptions& options, const Observer& observer = {});

}  // namespace featherline
