#pragma once

#include "algorithms/joints.hpp"

/// What follows from masses and first moments alone. Those of subtrees are summed from the leaves to the root, each in
/// the frame of its body. Source: Wieber, "Holonomy and nonholonomy in the dynamics of articulated motion", 2006, for the
/// Jacobian from subtrees; Featherstone, RBDA section 2.8.
namespace featherline::algorithms {

/// Output c.
void center_of_mass(Context& context);
/// Output J.
void center_of_mass_jacobian(Context& context);
/// Output U.
void potential_energy(Context& context);

struct Moments {
  Scalar m{};
  Vector3 h;
};

/// Mass and first moment of each body with all that it carries, in the body's frame, over a unit of mass.
class CompositeMoments {
 public:
  enum class Unit {
    kilogram,
    robot,  ///< the mass of the robot: what is a number is divided while code is generated
  };
  CompositeMoments(Context& context, Unit unit);

  const JointMotion& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  /// First moment of body i's composite.
  Vector3 h(int i) const { return composites_[static_cast<std::size_t>(i)].h * late_; }
  /// That of the whole robot in the world.
  Vector3 in_world() const;

 private:
  Context& c_;
  Scalar early_{1.0}, late_{1.0};  ///< factors of inertias and of results
  std::vector<JointMotion> joints_;
  std::vector<Moments> composites_;
};

/// The body that carries all others, if it has the mass of the whole robot: nothing of it was moved to the world. -1 if
/// there is none. The robot is then best seen from this body.
int sole_root(const Context& context);

}  // namespace featherline::algorithms
