#pragma once

#include "catalog/functions.hpp"
#include "emit/emit.hpp"
#include "emit/expression.hpp"
#include "emit/identifiers.hpp"
#include "ir/robot_tables.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Emitted files, and what several of them begin with. A function called ..._file returns the whole content.
namespace featherline::emit {

/// The generator's version, "0.1.0".
std::string version();
/// First line of every emitted file but the manifest: version and input. Options are in the header and the manifest,
/// the digest of the input in the manifest only, so that a source changes when its own function does.
std::string banner(const Request& request);
/// The skeleton with these values, as render(), the banner, and the robot's emitted name.
std::string file_text(const Request& request, std::string_view skeleton, std::vector<Replacement> values,
                      const std::vector<Replacement>& shared = {});
/// The assertion that the runtime headers are of this version. Sources do not include the header, which changes with
/// every function added, and so each has its own.
std::string version_check();

std::string header_file(const Request& request, const std::vector<FunctionFacts>& facts);
/// The comment lines for the end of NAME.hpp: frames, inertias, and the meaning of names in emitted code.
std::string reading_guide(const Request& request);
/// Of that the table of names: what occurs in these functions.
std::string names_table(const Request& request);

std::string definitions_file(const Request& request);
std::string function_definition_file(const Request& request, const LoweredFunction& function,
                                     const FunctionFacts& facts);
/// The steps and tables of functions that take a link; featherline/kinematics.hpp walks them.
std::string pose_steps_file(const Request& request);
std::string function_source_file(const Request& request, const LoweredFunction& function);
/// The index arrays of a packed function: for the header, and for the C functions that copy them.
std::string packed_index_file_name(const Request& request, const LoweredFunction& function);
std::string packed_index_file(const Request& request, const LoweredFunction& function);
std::string manifest_file(const Request& request, const std::vector<FunctionFacts>& facts, int image_bytes);

/// For namespace detail, the struct `name` with the tables of featherline/vector_loops.hpp, and of
/// featherline/panels.hpp. Routines that read it belong to the code `code`.
std::string table_text(const ir::AxisTable& table, const std::string& name, const std::string& code);
std::string table_text(const ir::PanelTable& table, const std::string& name, const std::string& code);

/// NAME::prepare (featherline/prepare.hpp): what the header declares, and what a function's files define. `code` tells
/// the code of one function of one robot from that of others.
std::string prepare_declarations(const Request& request);
std::string prepare_definitions(const Request& request, const LoweredFunction& function);
std::string code_definitions(const Request& request, const LoweredFunction& function, int code_bytes);
/// Statements by which a function that is chosen for cold caches reads the lines of its outputs, side by side, before it
/// stores to them one after the other. Nothing for others. They stand in the dense function, not in F_nonzeros, which it
/// calls: the lines would be read twice.
std::string ahead_of_stores(const Request& request, const LoweredFunction& function);
std::string code_number(const std::string& robot, const std::string& code);
/// What the skeleton of pose steps says of the robot.
std::vector<Replacement> walk_tables(const ir::LinkWalk& walk, const model::Tree& tree);

// Functions that a device computes by several kernels, because one thread has no room for all of their values.

/// The name behind which the kernel of featherline/cuda/products.hpp stands in for a function.
inline const std::string products_kernel = "products";

/// The kernels of `aba_derivatives` in turn: a goes to a place of M^-1 first. Empty for other functions, where one of the
/// others has no kernel here, and where the function's own kernel is predicted to take less time.
std::vector<DeviceLaunch> launches_in_turn(const Request& request, const LoweredFunction& function,
                                           const std::string& scalar);

/// Of the function, on the device that the request names. Where it is computed in turn, the time by element is that of all
/// kernels, and registers and spilled bytes are the most of one.
cost::DeviceFigures device_figures(const Request& request, const LoweredFunction& function,
                                   const std::string& scalar, const std::vector<DeviceLaunch>& in_turn);

// The list of files of an emission. A function has files of its own, or, with --shards, shares numbered ones with
// others. Then all names are known without the generator: runtime/cmake/AddRobotDynamics.cmake has them.

/// A rule makes one file for each of these.
enum class Each {
  robot,          ///< the robot
  function,       ///< every function
  linked,         ///< all functions that take a link together
  packed,         ///< every function with packed outputs
  device,         ///< every function that devices run
  packed_kernel,  ///< every packed form that batches compute and that is not emitted as a function of its own
};

/// What a file is written from.
struct FileSource {
  const Request& request;
  const std::vector<FunctionFacts>& facts;  ///< of all functions
  int image_bytes;
  // Where the file belongs to one function:
  const LoweredFunction* function = nullptr;
  const FunctionFacts* function_facts = nullptr;
};

struct FileRule {
  Each each;
  std::string_view
      name;  ///< NAME stands for the robot's, FUNCTION for the function's or the number of its shard
  std::string (*write)(const FileSource&);
};

/// A file, and what stands in it, one behind the other: a rule, and the function of the request that it is for. The
/// file of a shard may have nothing in it.
struct PlannedFile {
  struct Part {
    const FileRule* rule;
    int function;  ///< -1: the robot
  };
  std::string name;
  std::vector<Part> parts = {};
};

/// All files, by the rules of C++ and those of the bindings that are asked for.
std::vector<PlannedFile> plan_files(const Request& request);

/// The names of the robot's files by `rules`, and of the files that hold the function.
std::vector<std::string> robot_files(const Request& request, std::span<const FileRule> rules);
std::vector<std::string> function_files(const Request& request, const LoweredFunction& function);

/// What stands for FUNCTION in the names of files: "rnea", or "3" for the third shard.
std::string file_label(const Request& request, const LoweredFunction& function);

enum class ParameterKind { input, output, link, frame, steps, count, options, zeros };

struct Parameter {
  ParameterKind kind = ParameterKind::input;
  std::string name;
  catalog::Shape shape = {};  ///< of arrays
  std::string doc = {};
  std::string shape_text = {};  ///< what documents say of the shape, if not shape.text()

  /// An input by value, as catalog::Argument says.
  bool is_number() const { return kind == ParameterKind::input && shape.rank() == 0; }
  /// Whether it has a column for each step, of which callers choose the number.
  bool has_steps() const { return std::ranges::count(shape.sides(), catalog::num_steps) > 0; }
};

/// An emitted function as its caller sees it: what all parameter lists are made of, in every binding.
struct Signature {
  std::string name, brief, source;
  std::vector<Parameter> parameters;
  bool keeps_zeros = false;  ///< it does not write structural zeros

  std::vector<Parameter> inputs() const { return of({ParameterKind::input}); }
  std::vector<Parameter> outputs() const { return of({ParameterKind::output}); }
  /// Whether it repeats a step, and its outputs are those of the last one.
  bool keeps_last() const { return !of({ParameterKind::steps}).empty() && !outputs().front().has_steps(); }
  /// Those that are not arrays.
  std::vector<Parameter> by_value() const { return of({ParameterKind::link, ParameterKind::frame}); }
  /// In their order.
  std::vector<Parameter> of(std::initializer_list<ParameterKind> kinds) const;
};

/// Of the dense function, as `robot` has it: with the inputs that its user chose, and documents for it alone.
Signature make_signature(const catalog::FunctionSpec& function, const model::Tree* robot = nullptr);
/// Of the form that is emitted. The documents say what concerns this robot.
Signature make_signature(const LoweredFunction& function, const model::Tree& tree);
/// The same, and that of the form without structural zeros, if there is one: all functions of one source.
std::vector<Signature> make_signatures(const LoweredFunction& function, const model::Tree& tree);

/// Of a function that repeats: of the internal function that takes one step.
Signature one_step(Signature signature);
/// Of the internal function that is told whether to store structural zeros.
Signature with_zeros(Signature signature);

/// Those of all functions.
std::vector<Signature> make_signatures(const Request& request);

/// "q, static_cast<int>(link), J, frame": the parameters in order, each as `argument` writes it, or left out if it
/// writes nothing.
template <class Argument>
std::string argument_list(const Signature& signature, const Argument& argument) {
  std::string list;
  for (const Parameter& parameter : signature.parameters) {
    const std::string text = argument(parameter);
    if (!text.empty()) list += (list.empty() ? "" : ", ") + text;
  }
  return list;
}

/// "const double*", and " = {}" where callers may leave the argument out.
std::string type_of(const Parameter& parameter, const std::string& scalar);
std::string default_argument(const Parameter& parameter);

/// "const double* q, Link link, double* J, featherline::ReferenceFrame frame" for scalar "double".
std::string parameter_list(const Signature& signature, const std::string& scalar);

/// Purpose, parameters and source, each line behind `prefix` ("/// ").
std::string doc_comment(const Signature& signature, const std::string& prefix);

/// The same as declared, "template <class S>" and default arguments included.
std::string template_declaration(const Signature& signature);

/// Doc comment, template declaration, and an `extern template` for each scalar.
std::string declaration(const Signature& signature, const std::vector<std::string>& scalars);

/// First lines of the definition, from the name to the opening brace; parameters outside `usage`, if it is given, stay
/// unnamed.
std::string definition_head(const Signature& signature, const Usage* usage = nullptr);

/// "template void rnea<double>(...);", one line per scalar. No final newline.
std::string instantiations(const Signature& signature, const std::vector<std::string>& scalars,
                           const std::string& prefix = "");

}  // namespace featherline::emit
