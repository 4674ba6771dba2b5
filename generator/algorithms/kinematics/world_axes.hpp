#pragma once

#include "joints/symbolic/joints.hpp"

/// Rotations from bodies to the world, or to a body.
///
/// Bodies whose joints turn about one direction, one behind the other, share axes G: those of the first of them before
/// it turns. Then R_WB = R_WG Rz, where Rz turns by the sum of the angles: 6 flops for each further joint, not 18.
/// What lies along z, such as the joints' axes, needs no Rz at all.
namespace featherline::algorithms {

struct BodyAxes {
  Matrix3 R_WG;
  Turn turn{Scalar(1.0), Scalar(0.0)};  ///< Rz

  /// v of the body's axes in G.
  Vector3 to_shared(const Vector3& v) const;
  /// The inverse.
  Vector3 to_own(const Vector3& v) const;
  Vector3 to_world(const Vector3& v) const { return R_WG * to_shared(v); }
  Matrix3 R_WB() const;
  /// R_WB E. If E turns about z, it is one more turn.
  Matrix3 followed_by(const Matrix3& E) const;
};

class WorldAxes {
 public:
  /// `root`: the body whose own axes take the place of the world's, for what moves relative to it; -1: the world.
  explicit WorldAxes(Context& context, int root = -1)
      : c_(context), root_(root), axes_(index(context.num_bodies())), steps_(axes_.size()) {}

  /// Computes those of body i. Those of its parent are there.
  void outward(int i);
  const BodyAxes& body(int i) const { return axes_[index(i)]; }

  /// Whether body i shares the axes of its parent.
  bool shares(int i) const { return steps_[index(i)].shares; }
  /// v of the axes that body i shares, where they are not the parent's, in those of the parent itself.
  Vector3 to_parents_own(int i, const Vector3& v) const { return steps_[index(i)].R_PG * v; }
  /// The inverse.
  Vector3 from_parents_own(int i, const Vector3& v) const { return steps_[index(i)].R_PG.transposed() * v; }
  /// The origin of body i from its parent's, in the axes of the parent itself.
  const Vector3& own_offset(int i) const { return steps_[index(i)].p_PB; }

  /// v of the axes that body i shares, in those that its parent shares.
  Vector3 to_parent(int i, const Vector3& v) const;
  /// R_AG of the parent's shared axes from that of body i, for any axes A.
  Matrix3 rotation_of_parent(int i, const Matrix3& R_AG) const;
  /// The origin of body i from its parent's, in the axes that the parent shares.
  Vector3 offset(int i) const;

 private:
  struct Step {
    bool shares = false;  ///< the parent's axes
    Matrix3 R_PG;         ///< otherwise: from its shared axes to the parent's own
    Vector3 p_PB;
  };

  Context& c_;
  int root_;
  std::vector<BodyAxes> axes_;
  std::vector<Step> steps_;
};

}  // namespace featherline::algorithms
