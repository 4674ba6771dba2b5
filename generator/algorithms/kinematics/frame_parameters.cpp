#include "algorithms/kinematics/kinematics.hpp"
#include "algorithms/kinematics/world_axes.hpp"

namespace featherline::algorithms {
namespace {

/// How what is behind a joint moves in the world at unit rate of a parameter: its angular velocity, and the velocity of
/// the body's point that is at `at`.
struct ParameterMotion {
  int parameter;
  Vector3 w, u, at;
};

class ParameterJacobians {
 public:
  explicit ParameterJacobians(Context& context) : c_(context), tree_(context.full_tree()), axes_(context) {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "motion by parameters");
      axes_.outward(i);
      const Placement parent = c_.parent(i) < 0 ? world() : bodies_[index(c_.parent(i))];
      const Vector3 offset = axes_.offset(i);
      const Vector3 p = c_.parent(i) < 0 ? offset : parent.p + axes_.body(c_.parent(i)).R_WG * offset;
      bodies_.push_back({axes_.body(i).R_WB(), c_.label(p, c_.of_body("p", i))});
      motions_.push_back(by_placement(i, parent));
      add_gear(i);
    }
  }

  void write() {
    for (const model::ChosenFrame& frame : tree_.frames.chosen) add_rows(frame);
    c_.output("J_p", entries_);
  }

 private:
  static Placement world() {
    Placement X;
    for (int k = 0; k < 3; ++k) X.R(k, k) = Scalar(1.0);
    return X;
  }

  /// The columns of the frame U where the file has the joint.
  std::vector<ParameterMotion> by_placement(int i, const Placement& X_WP) {
    const int first = tree_.chosen.placement_of(tree_, index(i));
    if (first < 0) return {};
    const model::Joint& joint = tree_.bodies[index(i)].joint;
    const model::Matrix3 turn = joint.placement.R * joint.in_user.R.transpose();
    const Placement X_PU = c_.in_lanes({model::Placement{turn, joint.placement.p - turn * joint.in_user.p}});
    const Scalar* x = c_.input(parameters).data() + first;
    const Vector3 origin = X_WP.p + X_WP.R * (X_PU.p + X_PU.R * Vector3{x[0], x[1], x[2]});
    const Matrix3 R_WU = X_WP.R * X_PU.R, turning = R_WU * left_jacobian({x[3], x[4], x[5]});
    std::vector<ParameterMotion> motions;
    for (int k = 0; k < 3; ++k) {
      motions.push_back({first + k, {}, {R_WU(0, k), R_WU(1, k), R_WU(2, k)}, origin});
      motions.push_back({first + 3 + k, {turning(0, k), turning(1, k), turning(2, k)}, {}, origin});
    }
    return motions;
  }

  /// The joint moves as far as its driver at unit rate of the gear.
  void add_gear(int i) {
    const int place = tree_.chosen.entry_of(&model::Joint::multiplier, c_.joint(i)).place;
    if (place < 0) return;
    const auto& [R, p] = bodies_[index(i)];
    const Scalar& driver = c_.input("q")[index(c_.joint(i).idx_q)];
    const Motion S = c_.axes(i).front().S;
    motions_.back().push_back({place, R * (S.w * driver), R * (S.u * driver), p});
  }

  void add_rows(const model::ChosenFrame& frame) {
    const int body = tree_.links[index(frame.link)].body;
    if (body < 0) return;
    const Placement X_BF = c_.in_lanes({model::frame_in_body(tree_, frame)});
    const auto& [R, p] = bodies_[index(body)];
    const bool at_origin = tree_.frames.axes == model::FrameAxes::world && !frame.point;
    const Vector3 point = at_origin ? Vector3{} : p + R * X_BF.p;
    const Matrix3 to_frame = (R * X_BF.R).transposed();
    const auto seen = [&](const Vector3& x) {
      return tree_.frames.axes == model::FrameAxes::local ? to_frame * x : x;
    };
    for (const int i : c_.path_to(body)) {
      for (const auto& [parameter, w, u, at] : motions_[index(i)]) {
        const Vector3 linear = seen(u + cross(w, point - at)), angular = seen(w);
        for (int k = 0; k < frame.num_rows(); ++k) {
          const Scalar& x = k < 3 ? linear[k] : angular[k - 3];
          const auto place = matrix_places({frame.first_row + k}, {parameter}, tree_.frames.num_rows());
          if (!x.is_zero()) entries_.push_back({place, x});
        }
      }
    }
  }

  Context& c_;
  const model::CanonicalTree& tree_;
  WorldAxes axes_;
  std::vector<Placement> bodies_;                      ///< X_WB
  std::vector<std::vector<ParameterMotion>> motions_;  ///< by body
  std::vector<StoredEntry> entries_;
};

}  // namespace

void frame_parameter_jacobians(Context& c) { ParameterJacobians(c).write(); }

}  // namespace featherline::algorithms
