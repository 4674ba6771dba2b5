#pragma once

#include "algorithms/context.hpp"
#include "algorithms/matrices.hpp"
#include "joints/symbolic/joints.hpp"
#include "model/tree.hpp"

#include <memory>

/// What follows from masses and first moments alone. Those of subtrees are summed from the leaves to the root, each in
/// the frame of its body. Source: Wieber, "Holonomy and nonholonomy in the dynamics of articulated motion", 2006, for
/// the Jacobian from subtrees; Featherstone, RBDA section 2.8.
namespace featherline::algorithms {

/// Output c.
void center_of_mass(Context& context);
/// Output J.
void center_of_mass_jacobian(Context& context);
/// Output U.
void potential_energy(Context& context);

/// One over a unit of mass, as factors of inertias and of results. The mass of the robot divides inertias, where both
/// are numbers. With payloads, which are inputs, it takes fewer flops to divide results.
struct PerMass {
  Scalar early{1.0}, late{1.0};
};
PerMass per_mass_of_robot(const Context& context);

/// Mass and first moment of each body with all that it carries, in the body's frame, over a unit of mass.
class CompositeMoments {
 public:
  explicit CompositeMoments(Context& context, const PerMass& per_mass = {});

  const JointMotion& joint(int i) const { return joints_[index(i)]; }
  /// First moment of body i's composite.
  Vector3 h(int i) const { return composites_[index(i)].h * per_mass_.late; }
  /// That of the whole robot in the world.
  Vector3 in_world() const;

 private:
  /// First moment of body i's composite about the origin of its parent, in the parent's axes.
  Vector3 at_parent(int i) const {
    const Moments& composite = composites_[index(i)];
    const Vector3 turned = joint(i).R.to_parent(composite.h);
    return turned + joint(i).p * composite.m;
  }

  Context& c_;
  PerMass per_mass_;
  std::vector<JointMotion> joints_;
  std::vector<Moments> composites_;
};

/// The sum, and of(i) of all bodies i that hang on the world.
template <class X, class Of>
X with_roots(const Context& context, X sum, const Of& of) {
  for (int i = 0; i < context.num_bodies(); ++i) {
    if (context.parent(i) < 0) sum = sum + context.sum_limbs_for_parent(i, of(i));
  }
  return sum;
}

/// The body that carries all others, if it has the mass of the whole robot: nothing of it was moved to the world. -1 if
/// there is none. The robot is then best seen from this body.
int sole_root(const Context& context);

// Momentum about the centre of mass, in world axes, and what belongs to it. Source: Orin, Goswami, Lee, "Centroidal
// dynamics of a humanoid robot", 2013.
//
// Inertias are the regrouped ones: what regrouping moves to the world is on axes and in centres that stand still, and
// has no momentum (model/canonical.hpp). The centre of mass counts it.

/// Output h.
void centroidal_momentum(Context& context);
/// Output A.
void centroidal_momentum_matrix(Context& context);
/// Output b.
void centroidal_momentum_bias(Context& context);
/// Output dh_dq.
void centroidal_momentum_derivatives(Context& context);
/// Output T.
void kinetic_energy(Context& context);

// tau = Y pi: inverse dynamics as a linear function of the inertial parameters of the bodies. Source: Atkeson, An,
// Hollerbach, "Estimation of inertial parameters of manipulator loads and links", 1986. Columns are about the user's
// frames.
//
// Axes are carried outward, not wrenches inward: for each pair of a joint and a body behind it, the axis takes about
// 20 flops to the body's frame and 59 flops to ten entries. Ten wrenches would take about 140 to the next frame.

/// Output Y.
void regressor(Context& context);

/// The same. Up to four axes whose rows of Y follow each other are lanes of a value: axes that move a body, and zero
/// for those that do not.
void regressor_in_lanes_of_axes(Context& context);

/// The same for large trees. What moves axes and bodies is straight-line code, in limb lanes if the tree is folded; ten
/// wrenches of each body and their powers at the axes are a routine of the runtime (featherline/regressor.hpp).
void regressor_by_rows(Context& context);
/// Whether each joint has a coordinate and no columns of its own, in a tree without eliminated loops or tendons.
bool fits_rows(const model::Tree& tree);

/// Output Y: the columns of the tree's base parameters.
void base_regressor(Context& context);

/// Whether equal limbs have equal columns: none of rotors, which are not folded.
bool limbs_share_columns(const model::Tree& tree);

/// Whether equal limbs have the same base parameters.
bool limbs_share_base_parameters(const model::Tree& tree);

/// The base parameters of a robot. The grouping relations of Gautier and Khalil (model::group_parameters) come first.
/// Gravity along an axis, parallel axes near a fixed base and coupled joints hide more parameters. These are found by
/// the regressor itself, at random states: a column that is a combination of columns before it is left out, and the
/// map says of which.
std::shared_ptr<const model::BaseParameters> find_base_parameters(const model::UserTree& tree);

// Steps in the configuration space. A joint whose velocity is in the axes of its child moves for unit time with a
// constant velocity. Sources: Murray, Li, Sastry, "A Mathematical Introduction to Robotic Manipulation", 1994, section
// 2.3 and appendix A; Sola, Deray, Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, section II
// and appendices B to D. All other joints add.
//
// There are no branches, so that any scalar will do, and no angle is an exception. For an angle of zero,
// joints/symbolic/tangent.cpp says why.

/// q (+) dv.
Coordinates position_after(Context& context, const Coordinates& q, const Coordinates& dv);
struct PositionDerivatives {
  SquareMatrix dq, ddv;  ///< with respect to q and dv
};
PositionDerivatives position_derivatives(Context& context, const Coordinates& dv);

/// q_next = q (+) dv.
void integrate(Context& context);

/// dv with q0 (+) dv = q1: quaternions turn the short way, angles subtract.
void difference(Context& context);

/// d q_next / d q and d q_next / d dv, tangent to tangent: Ad(exp(dv)^-1) and the right Jacobian.
void integrate_derivatives(Context& context);

/// The rates of the entries of q where the robot moves with v.
Coordinates rates_by_steps(const Context& context, const Coordinates& v);

/// By degree of freedom, the derivative along a step of q from the slopes by the entries of q.
Coordinates slopes_by_steps(const Context& context, const Coordinates& slopes);

// What springs of joints with quaternions share with steps.

/// Added to squares of angles, so that zero is not an exception. Its root 1e-18 is so small that even functions of the
/// angle are at their limit up to rounding. It is a normal number of float, too.
inline constexpr double smallest_square = 1e-36;

/// Half the angle of a turn over |u|, atan(|u| / w) / |u|, where (u, w) is its quaternion, and uu = |u|^2 is not zero.
/// It is the short way for w of either sign.
Scalar half_angle_ratio(const Scalar& uu, const Scalar& w);

/// 1 - a [phi]x + b [phi]x^2.
Matrix3 polynomial(const Vector3& phi, const Scalar& a, const Scalar& b);

}  // namespace featherline::algorithms
