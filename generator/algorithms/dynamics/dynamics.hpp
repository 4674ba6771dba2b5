#pragma once

#include "algorithms/context.hpp"
#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/routines/routine_calls.hpp"
#include "model/build_tree.hpp"

#include <functional>
#include <map>

/// Inverse dynamics in link frames and 3-vectors (Luh, Walker and Paul 1980, in Khalil's form).
namespace featherline::algorithms {

/// tau = M(q) a + C(q, v) v + g(q), from the input "q".
Coordinates inverse_dynamics(Context& context, const Coordinates& v, const Coordinates& a);

/// By body: the force that the body and all it carries need for this motion, about the origin of its frame.
std::vector<Force> wrenches_without_gravity(Context& context, const Coordinates& v, const Coordinates& a);

/// tau of q, v, a.
void rnea(Context& context);
/// w^T d tau / d(q, v, a).
void rnea_vjp(Context& context);
/// d tau / dt, where a changes by the input "jerk".
void rnea_rate(Context& context);
/// tau = C(q, v) v + g(q).
void bias(Context& context);
/// tau = g(q), as inverse dynamics at rest.
void gravity(Context& context);
/// tau = g(q), from the composite masses and first moments of the subtrees.
void gravity_by_composites(Context& context);
Coordinates gravity_torques(Context& context);
/// Takes the torques of forces that lift bodies out of those of gravity (Context::lifted).
void lift(const Context& context, Coordinates& tau);

/// M(q), full and symmetric, by composite rigid bodies in link frames (Featherstone, RBDA table 6.2). Forces are
/// moved to the ancestors as moment and force.
SquareMatrix joint_space_inertia(Context& context);

void mass_matrix(Context& context);

/// dM/dt. In the frame of a body, the inertia of what it carries changes by what the joints between do.
void mass_matrix_rate(Context& context);

// Forward dynamics, products with M^-1, and their first and second derivatives. The cheapest formulation depends on
// the robot: articulated bodies take O(n) operations, but the sparse factor is cheaper for small robots.

/// tau - C(q, v) v - g(q).
Coordinates net_torque(Context& context, const Coordinates& v, const Coordinates& tau);

/// x = M^-1 b, for any number of b.
using Solve = std::function<Coordinates(const Coordinates&)>;
/// By articulated bodies, where no joints are coupled (has_own_coordinates()). The solver refers to the context.
using MakeSolver = Solve(Context& context);
MakeSolver factor_solver, articulated_solver;
/// By articulated bodies, where loops are eliminated and nothing else couples joints.
MakeSolver cluster_solver;
bool has_articulated_clusters(const model::Tree& tree);
/// The factor if joints are coupled, else articulated bodies.
Solve linear_solver(Context& context);

/// M, and the torque that is left to accelerate, tau - C v - g, from the sweep that computes derivatives.
struct FreeRobot {
  FreeRobot(Context& context, const OwnFrames& own_frames);

  SquareMatrix M;
  Coordinates net_torque;
};

/// By a factor that lives on; names right sides by their numbers.
Solve numbered_solver(Context& context, const SparseFactor& factor);
/// -M^-1 B, kept column by column.
SquareMatrix negative_solution(Context& context, const SquareMatrix& B, const Solve& solve);

/// The acceleration of a state, and the factor of M that it was computed with. M comes from the sweep that computes
/// the derivatives. This sweep runs twice: for M, and then with the acceleration. On symbols, equal values of both
/// runs are one node.
struct ForwardDynamics {
  SparseFactor factor;
  Coordinates a;
};
ForwardDynamics forward_dynamics(Context& context, const Coordinates& v, const Coordinates& tau,
                                 const OwnFrames& own_frames);

/// M = L^T D L, in a section of its own.
SparseFactor factor_in_section(Context& context, const SquareMatrix& M);

/// The acceleration of forward dynamics, at the position of the context.
using Acceleration = Coordinates(Context& context, const Coordinates& v, const Coordinates& tau);
template <MakeSolver make_solver>
Coordinates acceleration_by(Context& context, const Coordinates& v, const Coordinates& tau) {
  const Solve solve = make_solver(context);
  return solve(net_torque(context, v, tau));
}

Acceleration acceleration_by_articulated_bodies;

template <Acceleration acceleration>
void aba(Context& context) {
  context.output("a", acceleration(context, context.input("v"), context.input("tau")));
}

void aza(Context& context, MakeSolver* make_solver);
void minv_by_factor(Context& context);
void minv_by_aza(Context& context);

/// By degree of freedom: what the column multiplies, one unit of it. No rotor.
std::map<int, Scalar> torques_of_joint(const Context& context, const model::JointColumn& column);

/// d tau / d p of inverse dynamics at v and a: by parameter, then by degree of freedom.
std::vector<Coordinates> torque_rates(Context& context, const Coordinates& a);
/// d tau / d p, and d a / d p = -M^-1 d tau / d p at the acceleration.
void rnea_parameter_derivatives(Context& context);
void aba_parameter_derivatives(Context& context);

/// w^T d a / d(q, v, tau) = mu^T [-d tau / d(q, v), 1] with mu = M^-1 w, d tau that of inverse dynamics at a.
void aba_vjp(Context& context, MakeSolver* make_solver);

/// The same at the position of the context, whose solver and acceleration are known.
struct WeightedRates {
  Coordinates q, v, tau;
};
WeightedRates weighted_rates(Context& context, const Solve& solve, const Coordinates& v, const Coordinates& a,
                             const Coordinates& w);

/// FDSVA (papers 000 and 001): dFD = -M^-1 dID, eq. (5) of 001. The product is a dense multiplication (DMM), a
/// back-substitution with the factor, or AZA for each column.
struct LinearDynamics {
  Coordinates a;
  SquareMatrix da_dq, da_dv, da_dtau;
};
using Linearisation = LinearDynamics(Context& context, const Coordinates& v, const Coordinates& tau);
Linearisation linear_by_dmm, linear_by_factor, linear_by_aza;

template <Linearisation linear>
void aba_derivatives(Context& context) {
  const LinearDynamics d = linear(context, context.input("v"), context.input("tau"));
  context.output_acceleration(d.a);
  context.output("da_dq", d.da_dq.column_major());
  context.output("da_dv", d.da_dv.column_major());
  context.output("da_dtau", d.da_dtau.column_major());
}

// Damping, Coulomb friction, springs and rotor inertia (armature) of joints (`--joint-dynamics`):
//   tau += armature a + damping v + friction v / sqrt(v^2 + epsilon^2) + stiffness (q - rest)
// q and v are the joint's own; for a coupled mimic joint v is the multiplier times the rate of its driver. Coulomb
// friction is smoothed so that it has derivatives. epsilon is model::friction_smoothing. Tendons have the same, along
// their length (model::Tendon). Armature of a free joint resists the acceleration of the base, whose linear part is
// a + w x v: MuJoCo's, in the axes of the world.

/// In a step of dt (Context::implicit_step), damping and springs act on the velocity v + dt a and on the position
/// q + dt (v + dt a). What this adds to a is armature; what it adds to v stands in the functions below.

/// What the body's joint adds to M: armature + what rotors add + dt damping + dt^2 stiffness.
Scalar armature_of(const Context& context, int i);

/// Whether some joint has Coulomb friction, which has second derivatives.
inline bool has_friction(const model::Tree& tree) { return model::may_have(tree, &model::Joint::friction); }

void add_joint_dynamics(const Context& context, const Coordinates& v, const Coordinates& a, Coordinates& tau);
void add_armature(const Context& context, SquareMatrix& M);
/// C v has w x v times the armature of a free joint.
void add_turning(const Context& context, const Coordinates& v, SquareMatrix& C);
/// Adds d tau / d v of damping, friction and that.
void add_friction_derivative(const Context& context, const Coordinates& v, SquareMatrix& dtau_dv);
/// Adds d tau / d q of the springs.
void add_spring_derivative(const Context& context, SquareMatrix& dtau_dq);
/// By degree of freedom: d2 tau / d v^2 of the friction of joints, -3 friction epsilon^2 v / (v^2 + epsilon^2)^(5/2).
Coordinates friction_second_derivative(const Context& context, const Coordinates& v);
/// Calls add(i, j, k, x) with the entries x of d2 tau_i / dv_j dv_k that friction of tendons and armature
/// of free joints have.
void for_each_product_of_rates(const Context& context, const Coordinates& v,
                               const std::function<void(int, int, int, const Scalar&)>& add);

// Springs of balls and of free joints, as MuJoCo has them: tau += stiffness d, where d is how far the joint is from
// rest. For turns it is their rotation vector phi = log(q0* q), for the origin of a free joint R^T (p - p0). In a step
// of dt, d + dt (v + dt a) takes the place of d. Far from rest a turn changes phi by less than that across phi, so
// springs are taken for a little stiffer: the step stays stable, and its error keeps its order.

void add_pose_springs(const Context& context, const Coordinates& v, Coordinates& tau);
void add_pose_springs_by_q(const Context& context, SquareMatrix& dtau_dq);
void add_pose_springs_by_v(const Context& context, SquareMatrix& dtau_dv);
/// Calls add(i, j, k, x) with the entries x of their d/dq_k (d tau_i / d q_j).
void for_each_pose_spring(const Context& context,
                          const std::function<void(int, int, int, const Scalar&)>& add);

// Derivatives of forward dynamics with respect to the coordinates of a floating base. They need no solution with M:
//  - The position of the base has no effect.
//  - A rotation of the base only rotates gravity in its axes.
//  - A uniform velocity has an effect only because a is the componentwise derivative of v.
// The torques depend on a_lin only through a_lin + w x v_lin - R^T g. So they stay the same if
//   d a_lin / d q_k = (R^T g) x e_k for the rotations,  d a_lin / d v_k = -w x e_k for the translations.
// Second derivatives depend only on the coordinates of the base. All this holds only if nothing but gravity is fixed
// in the world (Context::only_gravity_is_fixed_in_world).

/// Whether the tree is one floating body and what it carries. The base's coordinates are then the first ones. A folded
/// tree does not know: several floating limbs are one there.
bool has_floating_base(const model::Tree& tree);

class FloatingBase {
 public:
  /// How many columns of da/dq and of da/dv are known: those of all coordinates, and of the translations. They are the
  /// first ones.
  static constexpr int columns_q = 6, columns_v = 3;

  /// `v`: joint velocities; not read where only second derivatives are asked for.
  FloatingBase(Context& context, const Coordinates& v);

  /// Whether these columns are known.
  bool applies() const { return applies_; }

  /// Writes the columns of da/dq and da/dv that are known.
  void set_columns(SquareMatrix& da_dq, SquareMatrix& da_dv) const;
  /// The entries of these columns that are not zero, the linear rows: those of the rotations in da/dq, then of the
  /// translations in da/dv, column by column. Nothing if the columns are not known.
  Coordinates linear_rows() const;
  /// Writes the known entries of w^T da/dq and w^T da/dv.
  void set_products(const Coordinates& w, Coordinates& wq, Coordinates& wv) const;
  /// Writes the known entries of the tensors of forward dynamics. The last tensor is d2a_dqdtau.
  void set_tensors(Tensor& dqdq, Tensor& dvdv, Tensor& dqdv, Tensor& dqdtau) const;
  /// Writes the known entries of the Hessian of w^T a, 2 nv x 2 nv, column-major.
  void set_hessian(const Coordinates& w, Coordinates& H) const;

 private:
  /// d a_lin / dq_k and d a_lin / dv_k.
  Vector3 first_q(int k) const;
  Vector3 first_v(int k) const;
  /// d2 a_lin / dq_j dq_k, in that order. Zero if j or k is not a coordinate of the base.
  Vector3 second_qq(int j, int k) const;
  /// d2 a_lin / dv_j dv_k.
  Vector3 second_vv(int j, int k) const;

  bool applies_;
  int n_;
  Vector3 g_, w_;  ///< R^T g; angular velocity of the base
};

}  // namespace featherline::algorithms
