#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace featherline::model {
struct Tree;
}

/// The arrays that emitted functions read and write. Their sizes follow the robot's.
namespace featherline::catalog {

/// What sizes of arrays are multiples of.
struct Sizes {
  int nq = 0, nv = 0;
  int num_bodies = 0;           ///< moving bodies as the user knows them, one for each joint
  int num_base_parameters = 0;  ///< 0 until somebody looked for them (algorithms/whole_body/whole_body.hpp)
  int num_external_forces = 0, num_parameters = 0;  ///< model::ChosenInputs
  int num_links = 0;
  int num_frames = 0, num_frame_rows = 0;                                   ///< model::ChosenFrames
  int num_constraints = 0, num_constraint_rows = 0, num_residual_rows = 0;  ///< model::Constraints
  int num_status_entries = 0;                                               ///< of a step with contacts
  int num_regressor_columns = 0;  ///< where some stand behind those of bodies (model/chosen_inputs.hpp)
  int nq_all = 0, nv_all = 0;     ///< of all joints, where loops are eliminated (model::Clusters)
  int num_steps = 1;  ///< of functions that repeat a step, which callers choose; of their kernels, one
};

Sizes sizes_of(const model::Tree& tree);

/// How many numbers lie along one side of an array: a constant, or a multiple of one of the robot's sizes.
struct Dimension {
  constexpr Dimension(int number) : factor(number) {}
  constexpr Dimension(std::string_view name, int Sizes::*size) : of(name), value(size) {}

  std::int64_t size(const Sizes& sizes) const;
  /// "6", "nv", "2*nv": for documents, and an expression of emitted code.
  std::string text() const;
  bool operator==(const Dimension&) const = default;

  int factor = 1;
  std::string_view of = {};  ///< the name of the size; empty for a constant
  int Sizes::*value = nullptr;
};

inline constexpr Dimension nq{"nq", &Sizes::nq}, nv{"nv", &Sizes::nv},
    num_bodies{"num_bodies", &Sizes::num_bodies},
    num_base_parameters{"num_base_parameters", &Sizes::num_base_parameters},
    num_regressor_columns{"num_regressor_columns", &Sizes::num_regressor_columns},
    num_external_forces{"num_external_forces", &Sizes::num_external_forces},
    num_parameters{"num_parameters", &Sizes::num_parameters}, num_links{"num_links", &Sizes::num_links},
    num_frames{"num_frames", &Sizes::num_frames}, num_frame_rows{"num_frame_rows", &Sizes::num_frame_rows},
    num_constraints{"num_constraints", &Sizes::num_constraints},
    num_constraint_rows{"num_constraint_rows", &Sizes::num_constraint_rows},
    num_residual_rows{"num_residual_rows", &Sizes::num_residual_rows},
    num_status_entries{"num_status_entries", &Sizes::num_status_entries}, nq_all{"nq_all", &Sizes::nq_all},
    nv_all{"nv_all", &Sizes::nv_all}, num_steps{"N", &Sizes::num_steps};

constexpr Dimension operator*(int factor, Dimension d) {
  d.factor *= factor;
  return d;
}

/// The sides of a dense array: a vector has one, a matrix two, a tensor three. The first one runs fastest.
class Shape {
 public:
  Shape() = default;  ///< of what is not an array
  Shape(std::initializer_list<Dimension> sides) : sides_(sides) {}

  const std::vector<Dimension>& sides() const { return sides_; }
  int rank() const { return static_cast<int>(sides_.size()); }
  std::int64_t size(const Sizes& sizes) const;
  /// "nq", "nv x nv, column-major": what a document says.
  std::string text() const;
  /// "nv * nv": the number of entries in emitted code.
  std::string expression() const;
  bool operator==(const Shape&) const = default;

 private:
  std::vector<Dimension> sides_;
};

/// The quantity of an input. It decides how large the input is in random states. Those up to `force` have an entry for
/// each coordinate.
enum class Quantity {
  position,
  velocity,
  acceleration,
  step,
  force,
  any_vector,
  parameter,
  active,
  contact,
  time,
  rotation
};

/// The largest entry of a random input. Not for positions, which depend on the joint, not for parameters, not for
/// `active`, which is 0 or 1, not for contacts, not for times, which are positive, and not for rotations.
double largest_random(Quantity quantity);

struct State;

/// Words behind what is said of an argument, with the punctuation before them.
struct Clause {
  const char* text = "";
  bool (*concerns)(const model::Tree&) = nullptr;  ///< empty: every robot
};

/// An array in the signature of a function, or one number, which has no sides and is passed by value.
struct Argument {
  std::string name = {};
  Shape shape = {};
  std::string words = {};  ///< its name in templates/words/arrays.in, if that is another one
  std::vector<Clause> clauses = {};

  // Of inputs:
  Quantity quantity = Quantity::any_vector;
  Eigen::VectorXd State::*in_state = nullptr;  ///< where its values are

  bool is_number() const { return shape.rank() == 0; }
  std::string meaning() const;
  /// Meaning, unit and clauses, for a document: what concerns the robot, or any robot where there is none.
  std::string text(const model::Tree* robot = nullptr) const;
};

/// Values for every input that a function has.
struct State {
  Eigen::VectorXd q, v, a, tau, b, w, wp, wR, dv, q1, active, fext, p, dt, contact, w_next, start, jerk,
      p_wanted, R_wanted;
};

/// The inputs of the emitted functions, and outputs that are vectors. Other outputs are in *_functions.cpp, beside the
/// functions that they belong to.
namespace arguments {

bool has_quaternions(const model::Tree& robot);
bool has_free_joints(const model::Tree& robot);
inline constexpr Clause unit_quaternions{"; quaternions are unit, order x y z w", has_quaternions},
    motion_of_free_joints{"; floating: [linear; angular] in the body frame", has_free_joints},
    force_of_free_joints{"; floating: [force; torque] in the body frame", has_free_joints};

inline const Argument q{"q", {nq}, "q", {unit_quaternions}, Quantity::position, &State::q};
inline const Argument v{"v", {nv}, "v", {motion_of_free_joints}, Quantity::velocity, &State::v};
inline const Argument a{"a", {nv}, "a", {}, Quantity::acceleration, &State::a};
inline const Argument jerk{"jerk", {nv}, "jerk", {}, Quantity::acceleration, &State::jerk};
inline const Argument tau{"tau", {nv}, "tau", {force_of_free_joints}, Quantity::force, &State::tau};
inline const Argument b{"b", {nv}, "b", {}, Quantity::any_vector, &State::b};
inline const Argument w{"w", {nv}, "w", {}, Quantity::any_vector, &State::w};

inline const Argument wp{"wp", {3, num_frames}, "wp", {}, Quantity::any_vector, &State::wp};
inline const Argument wR{"wR", {9, num_frames}, "wR", {}, Quantity::any_vector, &State::wR};

/// Where frames should be.
inline const Argument p_wanted{"p_wanted", {3, num_frames},      "p_wanted",
                               {},         Quantity::any_vector, &State::p_wanted};
inline const Argument R_wanted{"R_wanted", {9, num_frames},    "R_wanted",
                               {},         Quantity::rotation, &State::R_wanted};

/// Of functions of the configuration space.
inline const Argument dv{"dv", {nv}, "dv", {motion_of_free_joints}, Quantity::step, &State::dv};
inline const Argument q0{"q0", {nq}, "q0", {unit_quaternions}, Quantity::position, &State::q};
inline const Argument q1{"q1", {nq}, "q1", {unit_quaternions}, Quantity::position, &State::q1};

/// Of functions with constraints.
inline const Argument active{"active", {num_constraints}, "active", {}, Quantity::active, &State::active};

/// Of functions that depend on them, if the user chose them, after all others.
inline const Argument fext{"fext", {6, num_external_forces}, "fext", {}, Quantity::force, &State::fext};
inline const Argument p{"p", {num_parameters}, "p", {}, Quantity::parameter, &State::p};

/// p of functions whose positions have that name.
inline const Argument params = [] {
  Argument renamed = p;
  renamed.name = "params";
  return renamed;
}();

/// Of steps in time, behind all others.
inline const Argument dt{"dt", {}, "dt", {}, Quantity::time, &State::dt};
inline const Argument w_next{"w_next", {2 * nv}, "w_next", {}, Quantity::any_vector, &State::w_next};
inline const Argument contact{"contact", {6, num_constraints}, "contact",
                              {},        Quantity::contact,    &State::contact};
inline const Argument start{"start", {3, num_constraints}, "start", {}, Quantity::any_vector, &State::start};

}  // namespace arguments

/// Whether the input is there only where the user chose it.
bool is_chosen(const std::string& input);

/// All inputs that states hold, in the order in which states list them.
const std::vector<Argument>& inputs();

/// The one of inputs() that has the values of the input `name`: q has those of q0, too, and p those of params.
const Argument& input_in_states(const std::string& name);

}  // namespace featherline::catalog
