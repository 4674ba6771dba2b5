#pragma once

#include "algorithms/routines/routine_calls.hpp"
#include "arrays/arguments.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Every function that can be emitted, in one entry: its inputs and outputs, its description, and the algorithms that
/// compute it. Signatures, comments, bindings, checks, and the lists of the command line are derived from these
/// entries.
namespace featherline::catalog {

/// What a method asks of a robot: a test, and the words that say it behind "it needs ".
struct Requirement {
  bool (*holds)(const model::Tree&) = nullptr;  ///< empty: for every tree
  const char* words = "";
  std::string (*place)(const model::Tree&) = nullptr;  ///< more words: where the tree does not fulfil it
};

enum class Kind {
  straight_line,
  lanes,                    ///< equal limbs are computed side by side
  loops,                    ///< routines of the runtime, or calls of one internal function, write the outputs
  lanes_and_loops,          ///< limbs side by side, then loops
  straight_line_and_loops,  ///< almost all is unrolled, then loops
  /// Unrolled; several axes of a body are computed side by side. Batches and packed forms have other uses for lanes.
  axes_in_lanes,
  /// A paper's own system that never saves more than one flop (tests/bench/PAPERS.md). It is computed if the user asks
  /// for it by name, and compared. It does not compete, so that generation does not take longer.
  by_name,
};

/// A way to compute functions, as users know it.
struct Method {
  std::string name;  ///< "link frames"
  Kind kind = Kind::straight_line;
  Requirement requirement = {};
  /// For algorithms that take frames: which ones. Empty: those that the tree holds.
  std::vector<bool> (*frames)(const model::CanonicalTree&) = nullptr;
  algorithms::Routines routines = {};  ///< for algorithms that take routines

  bool in_lanes() const;  ///< needs a robot with equal limbs, folded
  bool fills_lanes() const { return in_lanes() || kind == Kind::axes_in_lanes; }
  bool in_loops() const;     ///< or in lanes of axes: has neither packed form nor batches
  bool is_unrolled() const;  ///< its code grows with the robot
  bool by_name_only() const { return kind == Kind::by_name; }
};

/// One of several ways to compute the same outputs: a method, and the algorithm that follows it. The best one for
/// Options::goal() is kept.
struct Formulation : Method {
  /// Reads the inputs by name, writes the outputs in their order.
  std::variant<void (*)(algorithms::Context&),
               void (*)(algorithms::Context&, const std::vector<bool>& frames),
               void (*)(algorithms::Context&, algorithms::Routines)>
      algorithm = {};
  std::string source = {};  ///< paper and equations, where they are not those of the function
  Requirement also = {};    ///< what the algorithm asks besides the method

  void run(algorithms::Context& context) const;
  bool applies(const model::Tree& tree) const { return unmet_requirement(tree).empty(); }
  /// The first requirement that the tree does not fulfil, as a clause: "it needs equal limbs". Empty if it fulfils all.
  std::string unmet_requirement(const model::Tree& tree) const;
};

/// What a function depends on, of what can be chosen as an input (model/chosen_inputs.hpp).
struct Dependence {
  enum class Forces {
    no,
    yes,
    not_yet,  ///< it depends on them, but cannot take them
  };
  Forces forces = Forces::no;
  bool gravity = false, inertia = false, stabilisation = false;
  bool armature = false, damping = false, friction = false, springs = false;  ///< of joints
  enum class Geometry {
    no,
    yes,
    not_yet,  ///< it depends on placements and gears, but cannot take them
  };
  Geometry geometry = Geometry::yes;
  bool takes_geometry() const { return geometry == Geometry::yes; }
};
/// Whether the function depends on this number of joints.
bool depends_on(const Dependence& depends, const model::JointNumber& number);

/// Functions that users can ask for by one name.
struct Group {
  std::string name;
  bool by_default;  ///< emitted when nothing is asked for
  int order;        ///< of the derivatives in it
};

inline const Group dynamics{"dynamics", true, 0}, derivatives{"derivatives", true, 1},
    second_order{"second-order", false, 2}, products{"products", false, 1}, kinematics{"kinematics", true, 0},
    frames{"frames", false, 0}, whole_body{"whole-body", false, 0}, steps{"steps", false, 1},
    constraints{"constraints", false, 0}, rates{"rates", false, 0}, sensitivities{"sensitivities", false, 1};
inline const char* const packed_group = "packed";

struct FunctionTraits {
  /// Estimated flops of formulations without loops; none for functions that are always unrolled. Fitted between skew
  /// chains of 20 to 50 joints, which have up to 1.4 times as many, and talos_reduced, which has 0.6 to 0.8 times as
  /// many. Chains of 30 are where loops begin to be faster: aba_derivatives 19.6 us against 28.3.
  algorithms::UnrolledFlops unrolled_flops = {};
  bool inverts_inertia = false;     ///< exists only where M is not singular
  bool needs_mass = false;          ///< exists only where the robot has mass
  bool uses_common_frames = false;  ///< its formulations express groups of bodies in one frame
  bool knows_motors = false;        ///< depends on which joints have motors: --actuated
  bool takes_link = false;          ///< has a link as a parameter; see algorithms/kinematics/kinematics.hpp
  bool has_reference_frame_argument = false;  ///< has a reference frame as its last parameter
  /// Its kernel is a step from the first two inputs to the outputs. Callers choose how many are taken, with a column of
  /// the third input for each, and of the outputs unless they are those of the last step alone.
  bool repeats = false;
  bool takes_parts = false;  ///< may have some of its outputs only: model::frame_parts()
};

struct FunctionSpec : FunctionTraits {
  std::string name;                     ///< as emitted: "rnea"
  Group group = {};                     ///< set by functions()
  std::string brief = {}, source = {};  ///< for the doc comment: templates/words/functions.in
  std::vector<Argument> inputs = {}, outputs = {};
  Dependence depends = {};
  std::vector<Formulation> formulations = {};
};

/// All functions, in the order in which they are listed to the user.
const std::vector<FunctionSpec>& functions();

/// What the formulations of all functions are called, each method once.
const std::vector<Method>& methods();
/// One line for users: templates/words/methods.in.
std::string words_of(const Method& method);

/// Estimated flops of a formulation before it is traced, for the size policy; 0 if it is always unrolled, or never.
double unrolled_flops(const FunctionSpec& function, const Formulation& formulation, const model::Tree& tree);

/// All groups but packed_group, in order.
std::vector<Group> groups();

/// Whether batches may compute a form of their own, which has all outputs.
bool has_batch_form(const FunctionSpec& function);
/// Whether there is a form with packed outputs, emitted as packed_name(): all outputs are matrices or tensors,
/// and none of them is what calls make of contacts.
bool has_packed_form(const FunctionSpec& function);
inline std::string packed_name(const FunctionSpec& function) { return function.name + "_packed"; }

/// Whether there is a form that leaves out the structural zeros of the robot, if it has some, emitted as
/// nonzeros_name(). The same functions have it as have a packed form.
inline bool has_nonzeros_form(const FunctionSpec& function) { return has_packed_form(function); }
inline std::string nonzeros_name(const FunctionSpec& function) { return function.name + "_nonzeros"; }

/// Whether arrays of the function have sides that are multiples of this size.
bool has_size(const FunctionSpec& function, const Dimension& size);

/// The one of which base_regressor is a part, before with_chosen_parts() adds columns.
inline bool is_regressor(const FunctionSpec& function) { return has_size(function, num_bodies); }

/// Whether it is about the frames that the user chose.
bool uses_chosen_frames(const FunctionSpec& function);

/// Whether it is about the robot's constraints.
bool takes_constraints(const FunctionSpec& function);
/// Whether it has derivatives with respect to the chosen parameters.
inline bool has_parameter_derivatives(const FunctionSpec& function) {
  return has_size(function, num_parameters);
}
/// Whether it is about all joints, those included that follow from eliminated loops.
bool is_of_all_joints(const FunctionSpec& function);
/// Whether it is told the ground at each contact, as contact_step is.
bool takes_ground(const FunctionSpec& function);
/// Whether it solves for the impulses of contacts.
inline bool gives_status(const FunctionSpec& function) { return has_size(function, num_status_entries); }

/// The function that `name` asks for, in its dense or packed form; nullptr where there is none.
const FunctionSpec* find(const std::string& name);

/// The function with the parts that were chosen for the robot: fewer outputs, and no v if none depends on it; a
/// regressor with columns of joints. It lives as long as the catalogue.
const FunctionSpec& with_chosen_parts(const FunctionSpec& function, const model::Tree& tree);

/// The inputs of the function for the robot: its own, and those of the chosen ones that it depends on, which stand
/// before numbers.
std::vector<Argument> inputs_of(const FunctionSpec& function, const model::Tree& tree);

/// The paper and equations of a formulation of the function, as kernels name it.
const std::string& source_of(const FunctionSpec& function, const std::string& formulation);

/// Runs an algorithm of the function on symbols. It may read all inputs of the function.
ir::Kernel trace(const FunctionSpec& function, const Formulation& formulation,
                 const algorithms::WalkedTree& tree);

// Which functions hold the derivatives of others: for optimisers, which ask for a function and get its derivatives.

/// The derivative of an output by an input, in an array of another function. It may be a function of the binding, which
/// begins with "@" and needs the functions `of_binding`; its arrays are in the order of their blocks.
struct DerivativeBlock {
  std::string_view output, input, function, array;
};

/// Inputs of the other functions are those of the function with the same names. The rest are zero, but for `w`, the
/// weights of its output, or what `renamed` says.
struct Companions {
  std::string_view function;
  std::vector<DerivativeBlock> blocks;  ///< by all inputs that no user chose, but for `active`
  std::string_view product = {};        ///< weights times all blocks
  std::string_view hessian = {};        ///< of the weighted output by (q, v)
  std::string_view mixed = {};          ///< the derivative by q of its derivative by the third input
  std::string_view renamed = {};        ///< the input that another function calls w
  /// Of functions of the binding: what they call.
  std::vector<std::string_view> of_binding = {};
  /// By the chosen parameters: a function that is used where it is asked for, and its array.
  std::string_view by_parameters = {}, parameters_array = {};
};

const std::vector<Companions>& all_companions();

/// Of the function; nullptr if no function holds its derivatives.
const Companions* companions_of(std::string_view function);

/// The names with those of the functions that hold first derivatives of them behind.
std::vector<std::string> with_companions(std::vector<std::string> names);

/// Whether they hold for the robot: springs are part of rnea_derivatives, but not of gravity.
bool have_companions(const Companions& companions, const model::Tree& tree);

}  // namespace featherline::catalog
