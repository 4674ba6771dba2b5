#include "algorithms/whole_body/whole_body.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/kinematics/world_axes.hpp"

namespace featherline::algorithms {
namespace {

/// Poses and spatial velocities of all bodies, in their own frames.
struct BodyVelocities {
  explicit BodyVelocities(Context& c) {
    for (int i = 0; i < c.num_bodies(); ++i) {
      c.begin_section(i, "motion");
      joints.push_back(joint_motion(c, i));
      const Motion carried = c.parent(i) < 0 ? Motion{} : joints.back().to_child(v[index(c.parent(i))]);
      v.push_back(c.label(carried + joint_rate(c, i, c.input("v")), c.of_body("v", i)));
    }
  }

  std::vector<JointMotion> joints;
  std::vector<Motion> v;
};

/// Of each body and all it carries, about its origin and in its axes.
std::vector<Force> momenta(Context& c, const BodyVelocities& velocities) {
  std::vector<Force> momenta(index(c.num_bodies()));
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "momentum");
    Force& total = momenta[index(i)];
    total = c.label(total + c.inertia(i, Grouping::J_xx) * velocities.v[index(i)], c.of_body("k", i));
    c.add_to_parent(i, momenta, [&] { return velocities.joints[index(i)].to_parent(total); });
  }
  return momenta;
}

/// The sum of forces on (or momenta of) the bodies that hang on the world, about the centre of mass and in world axes.
/// They are given about the origins of these bodies and in their axes.
Force about_center_of_mass(Context& c, const std::vector<Force>& forces) {
  const CompositeMoments moments(c, per_mass_of_robot(c));
  c.begin_section("about the centre of mass");
  if (const int root = sole_root(c); root >= 0) {
    const Force& F = forces[index(root)];
    const Rotation& R = moments.joint(root).R;
    return {R.to_parent(F.n + cross(F.f, moments.h(root))), R.to_parent(F.f)};
  }
  const Force sum =
      with_roots(c, Force{}, [&](int i) { return moments.joint(i).to_parent(forces[index(i)]); });
  return {sum.n + cross(sum.f, moments.in_world()), sum.f};
}

/// Forces are [linear; angular] for users.
Coordinates for_users(const Force& F) { return {F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z}; }

Coordinates momentum(Context& c) { return for_users(about_center_of_mass(c, momenta(c, BodyVelocities(c)))); }

/// Column by column in the body's axes, then about the centre of mass, then in world axes.
class CentroidalColumns {
 public:
  explicit CentroidalColumns(Context& context)
      : c_(context),
        axes_(context),
        root_(sole_root(context)),
        inverse_mass_(Scalar(1.0) / context.total_mass()),
        composites_(index(context.num_bodies())),
        columns_(index(6 * context.nv()), Scalar(0.0)) {}

  /// The centroidal momentum matrix.
  void matrix() {
    run([&](int i) { inertia_columns(i); }, "A");
  }
  /// Derivatives of h by steps of q.
  void derivatives();

 private:
  template <class Columns>
  void run(const Columns& columns_of, const char* output) {
    for (int i = c_.num_bodies(); i-- > 0;) inward(i);
    const Vector3 center = root_ < 0 ? center_of_mass() : Vector3{};
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "columns");
      axes_.outward(i);
      offsets_.push_back(c_.label(offset(i, center), c_.of_body("d", i)));
      columns_of(i);
    }
    c_.output_columns(output, 6, columns_);
  }

  const Inertia& composite(int i) const { return composites_[index(i)]; }

  void inward(int i) {
    c_.begin_section(i, "composite inertia");
    Inertia& I = composites_[index(i)];
    I = I + c_.inertia(i, Grouping::J_xx);
    c_.label(I.h, c_.of_body("h", i));
    c_.label(I.J, c_.of_body("J", i));
    c_.add_to_parent(i, composites_, [&] { return Pose().then(joint_motion(c_, i)).outward(I); });
  }

  Vector3 center_of_mass() {
    const auto of_root = [&](int i) {
      const JointMotion X = joint_motion(c_, i);
      return X.R.to_parent(composite(i).h) + X.p * composite(i).m;
    };
    return with_roots(c_, to_vector(c_.full_tree().grounded.h), of_root) * inverse_mass_;
  }

  /// The origin of body i from the centre of mass, in the axes that the body shares.
  Vector3 offset(int i, const Vector3& center) {
    if (i == root_) return axes_.body(i).to_shared(composite(i).h * -inverse_mass_);
    if (c_.parent(i) < 0) return axes_.from_parents_own(i, axes_.own_offset(i) - center);
    const Vector3& above = offsets_[index(c_.parent(i))];
    if (axes_.shares(i)) return above + axes_.offset(i);
    return axes_.from_parents_own(i, axes_.body(c_.parent(i)).to_own(above) + axes_.own_offset(i));
  }

  /// I^C S.
  void inertia_columns(int i) {
    const BodyAxes& axes = axes_.body(i);
    const Inertia& I = composite(i);
    const Vector3 h = axes.to_shared(I.h), c = I.h * inverse_mass_;
    // The sole root carries the whole robot, whose centre of mass is in the place of the body's origin.
    const Symmetric3 J = i == root_ ? I.J + parallel_axis(I.h * Scalar(0.5), -c) : I.J;
    for (const JointAxis& axis : c_.axes(i)) {
      const Vector3 w = axes.to_shared(axis.S.w), u = axes.to_shared(axis.S.u);
      const Vector3 f = cross(w, h) + u * I.m;
      Vector3 n = axes.to_shared(J * axis.S.w);
      if (i != root_) n = n + (cross(h, u) + cross(offsets_.back(), f));
      add(axis, 0, axes.R_WG * f);
      add(axis, 3, axes.R_WG * n);
    }
  }

  void add(const JointAxis& axis, int row, const Vector3& x) {
    for (int k = 0; k < 3; ++k) c_.add(columns_[index(6 * axis.idx_v + row + k)], axis.multiplier, x[k]);
  }

  Context& c_;
  WorldAxes axes_;
  int root_;
  Scalar inverse_mass_;
  std::vector<Inertia> composites_;
  std::vector<Vector3> offsets_;
  Coordinates columns_;
};

/// A step S of body i turns its composite, with the momentum k of it, and the part of its velocity that joints from i
/// on give: dk = S x* k - I^C (S x v), v of the parent. The centre of mass moves by I^C S over the mass, and takes its
/// share of the linear momentum l of the robot from the moment. The sole root carries the whole robot:
/// all turns with it.
void CentroidalColumns::derivatives() {
  const BodyVelocities velocities(c_);
  const std::vector<Force> k = momenta(c_, velocities);
  const Force whole = about_center_of_mass(c_, k);
  run(
      [&](int i) {
        const BodyAxes& axes = axes_.body(i);
        const Inertia& I = composite(i);
        const Matrix3 to_shared = axes.R_WG.transposed();
        const Vector3 l = to_shared * whole.f, n = to_shared * whole.n;
        const Motion carried = c_.parent(i) < 0
                                   ? Motion{}
                                   : velocities.joints[index(i)].to_child(velocities.v[index(c_.parent(i))]);
        for (const JointAxis& axis : c_.axes(i)) {
          const Vector3 w = axes.to_shared(axis.S.w);
          if (i == root_) {
            add(axis, 0, axes.R_WG * cross(w, l));
            add(axis, 3, axes.R_WG * cross(w, n));
            continue;
          }
          const Force change = cross_dual(axis.S, k[index(i)]) + I * cross(carried, axis.S);
          const Vector3 f = axes.to_shared(change.f), step = axes.to_shared((I * axis.S).f) * inverse_mass_;
          add(axis, 0, axes.R_WG * f);
          add(axis, 3, axes.R_WG * (axes.to_shared(change.n) + (cross(offsets_.back(), f) + cross(l, step))));
        }
      },
      "dh_dq");
}

}  // namespace

void centroidal_momentum(Context& c) { c.output_vector("h", momentum(c)); }

void centroidal_momentum_bias(Context& c) {
  const std::vector<Force> wrenches = wrenches_without_gravity(c, c.input("v"), c.coasting());
  c.output_vector("b", for_users(about_center_of_mass(c, wrenches)));
}

void kinetic_energy(Context& c) {
  const BodyVelocities velocities(c);
  std::vector<Scalar> energies(index(c.num_bodies()), Scalar(0.0));
  Scalar all(0.0);
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "energy");
    // Halves fold into the inertia: w . J w / 2 + u . (w x h + m u / 2).
    const Inertia I = c.inertia(i, Grouping::J_xx);
    const auto& [w, u] = velocities.v[index(i)];
    const Scalar half(0.5);
    const Scalar xx = w.x * (I.J.xx * half * w.x + (I.J.xy * w.y + I.J.xz * w.z));
    const Scalar yy = w.y * (I.J.yy * half * w.y + I.J.yz * w.z);
    const Scalar turning = xx + (yy + I.J.zz * half * (w.z * w.z));
    Scalar own = turning + dot(u, cross(w, I.h) + u * (I.m * half));
    if (const Scalar geared = c.number(i, &model::Joint::geared); !is_zero(geared)) {
      const Scalar rate = c.number(i, &model::Joint::multiplier) * c.input("v")[index(c.joint(i).idx_v)];
      own += geared * half * (rate * rate);
    }
    Scalar& energy = energies[index(i)];
    energy += own;
    c.keep(energy);
    Scalar& sum = c.parent(i) < 0 ? all : energies[index(c.parent(i))];
    sum += c.sum_limbs_for_parent(i, energy);
  }
  c.output_vector("T", {all});
}

void centroidal_momentum_matrix(Context& c) { CentroidalColumns(c).matrix(); }
void centroidal_momentum_derivatives(Context& c) {
  if (!c.has_clusters()) return CentroidalColumns(c).derivatives();
  AllJoints joints(c);
  output_derivatives(c, {{"h", momentum(joints.context())}}, {"q"});
}

}  // namespace featherline::algorithms
