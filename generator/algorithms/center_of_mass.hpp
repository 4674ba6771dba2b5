#pragma once

#include "algorithms/joints.hpp"

/// What follows from masses and first moments alone. Those of subtrees are summed from the leaves to the root, each in
/// the frame of its body. Source: Wieber, "Holonomy and nonholonomy in the dynamics of articulated motion", 2006, for the
/// Jacobian from subtrees; Featherstone, RBDA section 2.8.
namespace featherline::algorithms {

/// Output c.
template <class T>
void center_of_mass(Context<T>& context);
/// Output J.
template <class T>
void center_of_mass_jacobian(Context<T>& context);
/// Output U.
template <class T>
void potential_energy(Context<T>& context);

template <class T>
struct Moments {
  T m{};
  Vector3<T> h;
};

/// Mass and first moment of each body with all that it carries, in the body's frame, over a unit of mass.
template <class T>
class CompositeMoments {
 public:
  enum class Unit {
    kilogram,
    robot,  ///< the mass of the robot: what is a number is divided while code is generated
  };
  CompositeMoments(Context<T>& context, Unit unit);

  const JointMotion<T>& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  /// First moment of body i's composite.
  Vector3<T> h(int i) const { return composites_[static_cast<std::size_t>(i)].h * late_; }
  /// That of the whole robot in the world.
  Vector3<T> in_world() const;

 private:
  Context<T>& c_;
  T early_{1.0}, late_{1.0};  ///< factors of inertias and of results
  std::vector<JointMotion<T>> joints_;
  std::vector<Moments<T>> composites_;
};

/// The body that carries all others, if it has the mass of the whole robot: nothing of it was moved to the world. -1 if
/// there is none. The robot is then best seen from this body.
template <class T>
int sole_root(const Context<T>& context);

extern template class CompositeMoments<Scalar>;
extern template class CompositeMoments<double>;

}  // namespace featherline::algorithms
