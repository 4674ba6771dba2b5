#include "model/regroup.hpp"

#include "model/canonical.hpp"

namespace featherline::model {
namespace {

void subtract(Inertia& from, const Inertia& part) {
  from.mass -= part.mass;
  from.h -= part.h;
  from.J -= part.J;
}

/// Removes what rounding left of differences of `before`.
void drop_residue(Inertia& inertia, const Inertia& before) {
  inertia.J = round_entries(inertia.J, before.J.cwiseAbs().maxCoeff());
  inertia.h = round_entries(inertia.h, before.h.cwiseAbs().maxCoeff());
}

/// Moments of inertia that move into the ground vanish.
void ground(const Inertia& moved, Tree& tree) {
  tree.grounded.mass += moved.mass;
  tree.grounded.h += moved.h;
}

}  // namespace

Inertia unidentifiable_part(const Joint& joint, const Inertia& inertia, Grouping grouping) {
  Inertia part;
  switch (joint.row().unidentifiable) {
    case Unidentifiable::mass_and_moments_across: {
      part.mass = inertia.mass;
      part.h.z() = inertia.h.z();
      const Matrix3& J = inertia.J;
      const double alpha = grouping == Grouping::J_xx ? J(0, 0) : (J(0, 0) + J(1, 1) - J(2, 2)) / 2.0;
      part.J(0, 0) = part.J(1, 1) = alpha;
      break;
    }
    case Unidentifiable::rotational_inertia:
      part.J = inertia.J;
      break;
    case Unidentifiable::mass:
      part.mass = inertia.mass;
      break;
    case Unidentifiable::nothing:
      break;
  }
  return part;
}

Tree regroup_where_written(const Tree& tree) {
  Tree result = tree;
  const std::vector<Placement> axes = plain_frames(tree);
  for (std::size_t i = result.bodies.size(); i-- > 0;) {
    Body& body = result.bodies[i];
    const Inertia seen = body.inertia.expressed_in(axes[i].inverse());
    const Inertia part = unidentifiable_part(body.joint, seen);
    Inertia felt = seen;
    subtract(felt, part);
    drop_residue(felt, seen);
    body.inertia = felt.expressed_in(axes[i]);
    const Inertia moved = part.expressed_in(body.joint.placement * axes[i]);
    if (body.parent < 0) {
      ground(moved, result);
    } else {
      result.bodies[static_cast<std::size_t>(body.parent)].inertia += moved;
    }
  }
  return result;
}

CanonicalTree regroup_inertias(const CanonicalTree& tree, Grouping grouping) {
  CanonicalTree result = tree;
  for (std::size_t i = result.bodies.size(); i-- > 0;) {
    Body& body = result.bodies[i];
    const Inertia part = unidentifiable_part(body.joint, body.inertia, grouping);
    const Inertia before = body.inertia;
    subtract(body.inertia, part);
    drop_residue(body.inertia, before);
    const Inertia moved = part.expressed_in(body.joint.placement);
    if (body.parent < 0) {
      ground(moved, result);
    } else {
      result.bodies[static_cast<std::size_t>(body.parent)].inertia += moved;
    }
  }
  return result;
}

}  // namespace featherline::model
