#include "algorithms/whole_body/whole_body.hpp"

#include "algorithms/kinematics/world_axes.hpp"

namespace featherline::algorithms {
namespace {

Moments own_moments(const Context& context, int i, const Scalar& factor) {
  const Inertia I = context.inertia(i, Grouping::second_moment_zz);
  return {I.m * factor, I.h * factor};
}

const std::string letter_of(const Scalar& unit) { return unit == Scalar(1.0) ? "h" : "hM"; }

/// A step of a joint moves the first moment of its subtree by S_w x h + m S_u. First moments are in the axes that
/// bodies share (world_axes.hpp). There the axis of a turn is z, so the lever has two entries, and only two columns of
/// the rotation to the world are needed.
class CenterOfMassJacobian {
 public:
  explicit CenterOfMassJacobian(Context& context)
      : c_(context),
        axes_(context),
        per_mass_(per_mass_of_robot(context)),
        root_(sole_root(context)),
        carried_(index(context.num_bodies())),
        shared_(carried_.size()),
        J_(index(3 * context.nv()), Scalar(0.0)) {}

  void run() {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "axes");
      axes_.outward(i);
    }
    for (int i = c_.num_bodies(); i-- > 0;) inward(i);
    c_.output_columns("J", 3, J_);
  }

 private:
  void inward(int i) {
    c_.begin_section(i, "first moments and columns");
    const Moments own = own_moments(c_, i, per_mass_.early);
    Moments& composite = carried_[index(i)];
    composite.m += own.m;
    const Vector3 h = axes_.body(i).to_shared(composite.h + own.h) + shared_[index(i)];
    c_.label(h, c_.of_body(letter_of(per_mass_.early), i));
    const Scalar share = i == root_ ? Scalar(1.0) : composite.m * per_mass_.late;
    columns(i, h * per_mass_.late, share);
    if (c_.parent(i) < 0) return;
    const auto parent = index(c_.parent(i));
    carried_[parent].m += c_.sum_limbs_for_parent(i, composite.m);
    carried_[parent].h = carried_[parent].h + c_.sum_limbs_for_parent(i, axes_.own_offset(i) * composite.m);
    Vector3& sum = axes_.shares(i) ? shared_[parent] : carried_[parent].h;
    sum = sum + c_.sum_limbs_for_parent(i, axes_.shares(i) ? h : axes_.to_parents_own(i, h));
  }

  void columns(int i, const Vector3& h, const Scalar& share) {
    const BodyAxes& axes = axes_.body(i);
    for (const JointAxis& axis : c_.axes(i)) {
      const Vector3 lever = cross(axes.to_shared(axis.S.w), h) + axes.to_shared(axis.S.u) * share;
      const Vector3 column = axes.R_WG * lever * axis.multiplier;
      for (int r = 0; r < 3; ++r) c_.add(J_[index(3 * axis.idx_v + r)], 1.0, column[r]);
    }
  }

  Context& c_;
  WorldAxes axes_;
  PerMass per_mass_;
  int root_;
  std::vector<Moments> carried_;  ///< in the body's own axes: of the body, and of children with other axes
  std::vector<Vector3> shared_;   ///< of children that share the body's axes, in these
  Coordinates J_;
};

}  // namespace

int sole_root(const Context& c) {
  const model::Inertia& grounded = c.full_tree().grounded;
  if (grounded.mass != 0.0 || !grounded.h.isZero(0.0)) return -1;
  int root = -1;
  for (int i = 0; i < c.num_bodies(); ++i) {
    if (c.parent(i) >= 0) continue;
    if (root >= 0 || c.lanes(i) > 1) return -1;
    root = i;
  }
  return root;
}

PerMass per_mass_of_robot(const Context& c) {
  const Scalar inverse = Scalar(1.0) / c.total_mass();
  return c.has_payloads() ? PerMass{.late = inverse} : PerMass{.early = inverse};
}

CompositeMoments::CompositeMoments(Context& context, const PerMass& per_mass)
    : c_(context), per_mass_(per_mass), composites_(index(context.num_bodies())) {
  for (int i = 0; i < c_.num_bodies(); ++i) joints_.push_back(joint_motion(c_, i));
  for (int i = c_.num_bodies(); i-- > 0;) {
    c_.begin_section(i, "first moments");
    Moments& composite = composites_[index(i)];
    const Moments own = own_moments(c_, i, per_mass_.early);
    composite.m += own.m;
    composite.h = c_.label(composite.h + own.h, c_.of_body(letter_of(per_mass_.early), i));
    if (c_.parent(i) < 0) continue;
    Moments& parent = composites_[index(c_.parent(i))];
    parent.m += c_.sum_limbs_for_parent(i, composite.m);
    parent.h = parent.h + c_.sum_limbs_for_parent(i, at_parent(i));
  }
}

Vector3 CompositeMoments::in_world() const {
  const Vector3 grounded = to_vector(c_.full_tree().grounded.h) * per_mass_.early;
  return with_roots(c_, grounded, [&](int i) { return at_parent(i); }) * per_mass_.late;
}

void center_of_mass(Context& c) {
  const CompositeMoments moments(c, per_mass_of_robot(c));
  const int root = sole_root(c);
  const Vector3 x = root < 0 ? moments.in_world()
                             : moments.joint(root).p + moments.joint(root).R.to_parent_alone(moments.h(root));
  c.output_vector("c", {x.x, x.y, x.z});
}

void potential_energy(Context& c) {
  const CompositeMoments moments(c);
  Vector3 h = moments.in_world();
  if (c.has_lifted()) {
    Context lifted = c.lifted();
    h = h - CompositeMoments(lifted).in_world() + to_vector(c.full_tree().grounded.h);  // which both have
  }
  c.output_vector("U", {dot(-c.felt_gravity(), h)});
}

void center_of_mass_jacobian(Context& c) { CenterOfMassJacobian(c).run(); }

}  // namespace featherline::algorithms
