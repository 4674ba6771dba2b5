#pragma once

#include "emit/emit.hpp"
#include "emit/kernel_printer.hpp"
#include "model/tree.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

/// Text that is safe where it is put, whatever the robot's file calls its links; what things are called in emitted
/// text; and constants of the robot, as several of the emitted files have them.
namespace featherline::emit {

/// `text` fit for a `//` or `///` comment: one line, ASCII, no comment delimiters, backslashes or trigraphs,
/// at most `max_length` characters.
std::string comment_safe(std::string_view text, std::size_t max_length = 80);

/// A C++ string literal, quotes included, that holds exactly the bytes of `text`.
std::string string_literal(std::string_view text);

/// The same for lines of text, one literal a line behind `indent`.
std::string multiline_literal(std::string_view text, std::string_view indent);

/// Words of `text` filled into lines of at most 110 columns, each starting with `prefix`. No final newline.
std::string fill_lines(std::string_view text, std::string_view prefix, std::string_view continuation);

/// One statement, ending in ';', over as many lines of at most 100 columns as it takes. Lines end where C++ binds
/// least: between terms rather than factors, outside of parentheses rather than inside. Later lines of a definition
/// begin with their operator below its equals sign, others four columns in. `indent` goes before every line. No final
/// newline.
std::string wrap_statement(std::string_view statement, std::string_view indent);

/// Rows as aligned lines of a comment. Numbers stand to the right where `right` holds; the first column and the last
/// never do.
std::string comment_table(const std::vector<std::vector<std::string>>& rows, bool right = false);

/// The shortest decimal text that reads back as exactly `value`, always a floating literal: "1.0", not "1"; of float
/// "1.0f". The only place that prints numbers into C++. Throws InternalError for infinities and NaN, which have no
/// literal.
std::string literal(double value, std::string_view scalar = "double");

/// As literal(), but +-infinity becomes a std::numeric_limits expression.
std::string literal_or_infinity(double value, const std::string& scalar = "double");

using Replacement = std::pair<std::string, std::string>;

using featherline::skeleton;

/// `text` with every {{name}} replaced. A line that holds nothing but placeholders with empty values is dropped. Lines
/// from {{#name}} to {{/name}} are dropped where this value is empty, those from {{^name}} to {{/name}} where it is
/// not. Throws InternalError for a placeholder without value, for {{ without }}, and for one of `values` without
/// placeholder. Those of `shared` need not have one.
std::string render(std::string_view text, const std::vector<Replacement>& values,
                   const std::vector<Replacement>& shared = {});

/// `text` as a C++ identifier: characters outside [A-Za-z0-9_] become single underscores, none leads, none is
/// doubled; a digit in front or an empty result is put behind `fallback`; keywords, library names and macros
/// get `_fallback` appended; names above 64 characters end in a hash of the whole.
std::string identifier(std::string_view text, std::string_view fallback);

/// Constants that NAME.hpp may define.
const std::vector<std::string>& header_constants();

/// Gives out identifiers of one scope, no two equal. The only owner of emitted names.
class Namer {
 public:
  /// `fallback` as in identifier(), e.g. "link".
  explicit Namer(std::string fallback) : fallback_(std::move(fallback)) {}

  /// Makes `name` unavailable.
  void reserve(std::string_view name) { taken_.emplace(name); }
  /// A free identifier like `wanted`: the first asker gets it plain, later ones with _2, _3, ... behind.
  std::string take(std::string_view wanted);
  /// The next free one of t1, t2, ...
  std::string take_temporary();

 private:
  std::string fallback_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_suffix_;
  int temporaries_ = 0;
};

/// The C++ identifier made of a robot's name or of --name: namespace and stem of all file names.
std::string emitted_name(const std::string& requested);

/// Whether a C header NAME.h would stand in front of one of the system's, such as math.h. They are those of the C library, POSIX
/// and glibc, which a folder given with -I hides.
bool hides_system_header(const std::string& name);

/// Enumerators of Link, by link, and of Frame, by frame.
std::vector<std::string> link_enumerators(const model::Tree& tree);
std::vector<std::string> frame_enumerators(const model::Tree& tree);

/// "    a,\n    b,"; a single `placeholder` where there is nothing, since C++ has no empty arrays.
std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder);

/// Names of the pose step functions, by body.
std::vector<std::string> pose_step_names(const model::CanonicalTree& tree);

/// Bodies whose joint has coordinates of its own, in the order of q; a coupled mimic joint has none.
std::vector<int> independent_joints(const model::Tree& tree);

/// Longest name of a link or joint in a comment.
inline constexpr std::size_t longest_in_comment = 32;

/// Names for what a function stores, by the joints of its rows and columns; nothing where its outputs have other sizes.
EntryNames entry_names(const LoweredFunction& function, const model::UserTree& tree);

// Constants of the robot, as several of the emitted files have them.

/// Zeros, and quaternions that do not turn.
std::vector<double> neutral_position(const model::Tree& tree);

/// Where loops are eliminated: the joints that q_all and v_all are about, in their order.
std::vector<std::string> joints_of_q_all(const model::Tree& tree);
/// Of the moving bodies, as the robot's file gives them [kg].
double total_mass(const model::Tree& tree);

/// Names and values of sizes that arrays of these functions have, besides those that every robot has; no value where
/// nothing has that size.
std::vector<Replacement> further_sizes(std::span<const LoweredFunction> functions, const model::Tree& tree);

/// What skeletons say about the robot, in several bindings: all sizes, what stands between the braces of arrays of
/// `scalar`, and the like.
std::vector<Replacement> robot_values(const Request& request, const std::string& scalar);

/// What stands for a joint in the table of a binding, behind its type. The last three limits are rare, and infinite by
/// default in featherline::JointInfo: without `all_limits` they are left out where they are infinite.
std::string joint_literal(const model::Joint& joint, const std::string& type, const std::string& scalar,
                          bool all_limits);

/// -1 for a contact, which has no residual.
int first_residual(const model::Constraint& constraint);
/// What the rows of each type of constraint that occurs are, behind `comment` and a dash.
std::string row_meanings(const model::Tree& tree, const std::string& comment);

/// "lower", "upper", "velocity", "effort", "acceleration", "deceleration" and "jerk". JSON has no infinity: a missing
/// limit is null.
Json limits_json(const model::Joint& joint);
/// "dynamics": of "armature", "damping", "friction", "stiffness" and "rest" those that are not 0.
void add_dynamics(const model::Joint& joint, Json& entry);
/// "rotors", with axes in their carriers' frames; "locked_joints": name, type, child and q of each; "positions":
/// q by name.
void add_positions(const model::Tree& tree, Json& manifest);
/// "tendons", if there are some.
void add_tendons(const model::Tree& tree, Json& manifest);
/// "external_forces", "parameters", "frame_axes", "frames", "stabilisation", "constraints".
void add_chosen(const model::Tree& tree, Json& manifest);

/// One object for each group of equal limbs (model/limbs.hpp): the names of its limbs, the body that carries them
/// (null: the world), and the joints of each limb in the same order.
Json limbs_json(const model::UserTree& tree);

}  // namespace featherline::emit
