#include "algorithms/kinematics/kinematics.hpp"

#include "joints/symbolic/joints.hpp"

#include <featherline/kinematics.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace featherline::algorithms {
namespace {

/// The body's joint alone, at the head of its own coordinate arrays, driven directly. A step needs no more of the tree.
model::CanonicalTree single_joint(const model::Body& body) {
  model::CanonicalTree step;
  step.bodies = {body};
  model::Joint& joint = step.bodies.front().joint;
  joint.idx_q = joint.idx_v = 0;
  joint.multiplier = 1.0;
  step.nq = joint.nq;
  step.nv = joint.nv;
  return step;
}

/// A step reads the arrays of the robot, not of the joint.
struct StepInputs {
  const model::Joint& joint;  ///< in the tree
  int nq;                     ///< of the robot
  int place;                  ///< of the body on its path

  bool has_angle() const { return angle_of(joint).entry >= 0; }

  std::vector<ir::Buffer> buffers(bool has_parent) const {
    std::vector<ir::Buffer> list;
    if (has_parent) list.push_back({"parent", 4, true});
    list.push_back({"q", nq});
    if (has_angle()) list.insert(list.end(), {{"sn", place + 1}, {"cs", place + 1}});
    return list;
  }

  JointMotion motion(const Context& c) const {
    Coordinates own;
    for (int k = 0; k < joint.nq; ++k)
      own.push_back(Scalar(joint.multiplier) * c.input("q")[index(joint.idx_q + k)]);
    const auto entry = [&](const char* name) { return c.input(name)[index(place)]; };
    return has_angle() ? joint_motion(c, 0, own, entry("cs"), entry("sn"))
                       : joint_motion(c, 0, own, 1.0, 0.0);
  }
};

void step_from_world(Context& c, const StepInputs& inputs) {
  const JointMotion X = inputs.motion(c);
  const Matrix3 R = X.R.matrix();
  Coordinates entries;
  for (const Vector3& x : {R.column(0), R.column(1), R.column(2), X.p})
    entries.insert(entries.end(), {x.x, x.y, x.z});
  c.output("entries", entries);
}

void step_outwards(Context& c, const StepInputs& inputs) {
  const JointMotion X = inputs.motion(c);
  const Coordinates& parent = c.input("parent");
  const Vector3 row{parent[0], parent[1], parent[2]};  // any row of R_WP, and below of R_WP R_PB
  const Vector3 turned = X.R.to_child(row);
  c.output("pose", {turned.x, turned.y, turned.z, parent[3] + dot(row, X.p)});
}

ir::Kernel pose_step(const model::Body& body, int nq, int place) {
  const model::CanonicalTree alone = single_joint(body);
  const StepInputs inputs{body.joint, nq, place};
  const bool has_parent = body.parent >= 0;
  const ir::Buffer output = has_parent ? ir::Buffer{"pose", 4} : ir::Buffer{"entries", 12};
  ir::Kernel step = trace(alone, inputs.buffers(has_parent), {output}, [&](Context& c) {
    has_parent ? step_outwards(c, inputs) : step_from_world(c, inputs);
  });
  step.name = "pose_step";
  step.formulation = "step outwards";
  return step;
}

kinematics::LinkInfo<double> link_info(const model::Link& link, int body) {
  const model::Placement& X = link.placement;
  const bool at_body = link.body >= 0 && X.R == model::Matrix3::Identity() && X.p == model::Vector3::Zero();
  kinematics::LinkInfo<double> info{body, at_body, {}, {}};
  std::copy_n(X.R.data(), 9, info.R_BL);  // both column-major
  std::copy_n(X.p.data(), 3, info.p_BL);
  return info;
}

/// For each body the child that continues its run, the one with the most bodies behind it; -1 for none.
std::vector<int> continuations(const model::CanonicalTree& tree) {
  const std::size_t n = tree.bodies.size();
  std::vector<int> weight(n, 1), next(n, -1);
  for (std::size_t i = n; i-- > 0;) {
    if (tree.bodies[i].parent < 0) continue;
    const auto parent = index(tree.bodies[i].parent);
    weight[parent] += weight[i];
    int& chosen = next[parent];
    if (chosen < 0 || weight[i] >= weight[index(chosen)]) chosen = static_cast<int>(i);
  }
  return next;
}

/// Puts the bodies into runs.
class WalkBuilder {
 public:
  explicit WalkBuilder(const model::CanonicalTree& tree) : tree_(tree) { walk_.nv = tree.nv; }

  ir::LinkWalk build() {
    const std::vector<int> next = continuations(tree_);
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      const int parent = tree_.bodies[i].parent;
      if (parent >= 0 && next[index(parent)] == static_cast<int>(i)) continue;
      begin_run(parent);
      for (int b = static_cast<int>(i); b >= 0; b = next[index(b)]) add_body(b);
    }
    for (const model::Link& link : tree_.links)
      walk_.links.push_back(link_info(link, link.body < 0 ? -1 : walked_.at(link.body)));
    return std::move(walk_);
  }

 private:
  void begin_run(int parent) {
    const int above = parent < 0 ? -1 : walked_.at(parent);
    const int runs_above = above < 0 ? 0 : runs_on_path_[index(run_of(above))];
    walk_.runs.push_back({static_cast<int>(walk_.bodies.size()), above});
    runs_on_path_.push_back(runs_above + 1);
    walk_.max_runs = std::max(walk_.max_runs, runs_above + 1);
  }

  void add_body(int b) {
    const model::Body& body = tree_.bodies[index(b)];
    const int place = body.parent < 0 ? 0 : 1 + walk_.place[index(walked_.at(body.parent))];
    walked_.emplace(b, static_cast<int>(walk_.bodies.size()));
    walk_.bodies.push_back(walk_row(body.joint, static_cast<int>(walk_.runs.size()) - 1));
    walk_.steps.push_back(pose_step(body, tree_.nq, place));
    walk_.tree_body.push_back(b);
    walk_.place.push_back(place);
    walk_.max_path = std::max(walk_.max_path, place + 1);
  }

  int run_of(int body) const { return walk_.bodies[index(body)].run; }

  const model::CanonicalTree& tree_;
  ir::LinkWalk walk_;
  std::vector<int> runs_on_path_;  ///< by run
  std::map<int, int> walked_;      ///< by body of the tree: its number in the walk
};

void call_walk(Context& c, ir::Routine routine, const std::vector<std::string>& arguments) {
  ir::Call call;
  call.routine = routine;
  call.arguments = c.arrays(arguments);
  call.walk = std::make_shared<ir::LinkWalk>(WalkBuilder(c.tree()).build());
  c.call(std::move(call));
}

}  // namespace

void forward_kinematics(Context& c) { call_walk(c, ir::Routine::forward_kinematics, {"q", "R", "p"}); }

void frame_jacobian(Context& c) { call_walk(c, ir::Routine::frame_jacobian, {"q", "J"}); }

}  // namespace featherline::algorithms
