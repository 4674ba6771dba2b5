#include "algorithms/kinematics/kinematics.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/routines/routine_calls.hpp"
#include "joints/symbolic/joints.hpp"

#include <featherline/kinematics.hpp>

#include <algorithm>
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

/// The columns of a walk's Jacobian: a joint that follows from others, or whose gear is an input, has its own.
struct WalkedColumns {
  std::vector<AllJoints::Row> all;  ///< by column: how fast it moves at unit speed of the robot's coordinates

  template <class F>
  void each_number(const F& f) {
    for (AllJoints::Row& row : all) {
      for (auto& [coordinate, speed] : row) f(speed, 1);
    }
  }
};

/// What the walk reads as q: behind the positions of all joints, the results of chosen parameters, if the function has
/// some.
struct WalkedPositions {
  explicit WalkedPositions(const Context& c)
      : all(c.input("q")), placed(index(c.num_bodies()), -1), geared(placed), column(placed) {
    for (int k = 0; k < c.nv(); ++k)
      columns.all.push_back(c.projection() != nullptr ? c.projection()->row(k)
                                                      : AllJoints::Row{{k, Scalar(1.0)}});
    if (!c.has_input(parameters)) return;
    const model::CanonicalTree& tree = c.full_tree();
    for (int i = 0; i < c.num_bodies(); ++i) {
      if (tree.chosen.placement_of(tree, index(i)) >= 0) {
        placed[index(i)] = size();
        const auto [R, p] = c.placement(i);
        append_entries(all, R);
        append_entries(all, p);
      }
      if (tree.chosen.entry_of(&model::Joint::multiplier, c.joint(i)).place >= 0) {
        const Scalar gear = c.number(i, &model::Joint::multiplier);
        geared[index(i)] = size();
        all.push_back(gear * c.input("q")[index(c.joint(i).idx_q)]);
        column[index(i)] = static_cast<int>(columns.all.size());
        if (c.full_tree().clusters) throw InternalError("gears of eliminated loops are no inputs");
        columns.all.push_back({{c.joint(i).idx_v, gear}});
      }
    }
  }
  int size() const { return static_cast<int>(all.size()); }

  Coordinates all;
  /// By body, the first entry of its joint's placement (given_placement), and that of the joint's own position
  /// without its offset, and its column; -1 where no parameter changes them.
  std::vector<int> placed, geared, column;
  WalkedColumns columns;
};

/// Pose of the joint from the arrays of the robot; sines and cosines are those of the path, `place` by `place`.
JointMotion motion_of_step(const Context& c, const model::Joint& joint, int geared, int place) {
  Coordinates own;
  for (int k = 0; k < joint.nq; ++k)
    own.push_back(geared >= 0 ? c.input("q")[index(geared)]
                              : Scalar(joint.multiplier) * c.input("q")[index(joint.idx_q + k)]);
  if (!c.has_input("cs")) return joint_motion(c, 0, own, 1.0, 0.0);
  return joint_motion(c, 0, own, c.input("cs")[index(place)], c.input("sn")[index(place)]);
}

ir::Kernel pose_step(const model::CanonicalTree& tree, std::size_t i, const WalkedPositions& positions,
                     int place) {
  const model::Body& body = tree.bodies[i];
  const int placed = positions.placed[i];
  const bool has_parent = body.parent >= 0;
  std::vector<ir::Buffer> inputs{{"q", positions.size()}};
  if (has_parent) inputs.insert(inputs.begin(), {"parent", 4, true});
  if (body.joint.row().angle() >= 0) inputs.insert(inputs.end(), {{"sn", place + 1}, {"cs", place + 1}});
  const ir::Buffer output = has_parent ? ir::Buffer{"pose", 4} : ir::Buffer{"entries", 12};
  ir::Kernel step = trace(single_joint(body), std::move(inputs), {output}, [&](Context& c) {
    const Coordinates& q = c.input("q");
    if (placed >= 0) c.set_input(given_placement, {q.begin() + placed, q.begin() + placed + 12});
    const auto [R, p] = motion_of_step(c, body.joint, positions.geared[i], place);
    Coordinates entries;
    if (has_parent) {
      const Coordinates& parent = c.input("parent");
      const Vector3 row{parent[0], parent[1], parent[2]};  // any row of R_WP, and then of R_WP R_PB
      append_entries(entries, R.to_child(row));
      entries.push_back(parent[3] + dot(row, p));
    } else {
      append_entries(entries, R.matrix().transposed());  // column by column
      append_entries(entries, p);
    }
    c.output(output.name, entries);
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

/// The bodies in runs.
ir::LinkWalk link_walk(const model::CanonicalTree& tree, const WalkedPositions& positions) {
  ir::LinkWalk walk;
  walk.nv = static_cast<int>(positions.columns.all.size());
  const std::vector<int> next = continuations(tree);
  std::vector<int> walked(tree.bodies.size());  // by body of the tree: its number in the walk
  std::vector<int> runs_on_path;                // by run
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  for (int first = 0; first < size(tree.bodies); ++first) {
    const int parent = tree.bodies[index(first)].parent;
    if (parent >= 0 && next[index(parent)] == first) continue;
    const int above = parent < 0 ? -1 : walked[index(parent)];
    runs_on_path.push_back(above < 0 ? 1 : 1 + runs_on_path[index(walk.bodies[index(above)].run)]);
    walk.max_runs = std::max(walk.max_runs, runs_on_path.back());
    walk.runs.push_back({size(walk.bodies), above});
    int place = above < 0 ? 0 : 1 + walk.place[index(above)];
    for (int b = first; b >= 0; b = next[index(b)], ++place) {
      const model::Body& body = tree.bodies[index(b)];
      walked[index(b)] = size(walk.bodies);
      walk.bodies.push_back(walk_row(body.joint, size(walk.runs) - 1));
      if (const int geared = positions.geared[index(b)]; geared >= 0) {
        walk.bodies.back().angle_entry = geared;
        walk.bodies.back().multiplier = 1.0;
        walk.bodies.back().idx_v = positions.column[index(b)];
      }
      walk.steps.push_back(pose_step(tree, index(b), positions, place));
      walk.tree_body.push_back(b);
      walk.place.push_back(place);
      walk.max_path = std::max(walk.max_path, place + 1);
    }
  }
  for (const model::Link& link : tree.links)
    walk.links.push_back(link_info(link, link.body < 0 ? -1 : walked[index(link.body)]));
  return walk;
}

void call_walk(Context& c, const WalkedPositions& positions, ir::Routine routine,
               std::vector<std::string> arguments) {
  if (c.projection() != nullptr || c.has_input(parameters)) {
    arguments.front() = "positions";
    std::vector<StoredEntry> entries;
    for (const Scalar& x : positions.all) entries.push_back({{static_cast<int>(entries.size())}, x});
    c.local(arguments.front(), positions.size(), entries);
  }
  c.call({.routine = routine,
          .arguments = c.arrays(arguments),
          .walk = std::make_shared<ir::LinkWalk>(link_walk(c.tree(), positions))});
}

/// J from the Jacobian J_all of the walk.
void call_projection(Context& c, const WalkedColumns& columns, int nv) {
  constexpr int height = 6;
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = "projection";
  kernel->inputs = {{"J_all", height * static_cast<int>(columns.all.size())}};
  kernel->outputs = {{"J", height * nv}};
  if (const std::vector<StoredEntry> speeds = solver_numbers(columns); !speeds.empty()) {
    kernel->inputs.push_back({"G", static_cast<int>(speeds.size())});
    c.local("G", kernel->inputs.back().size, speeds);
  }
  Coordinates J(index(height * nv));
  int walked = 0;
  for (const AllJoints::Row& row : solver_of_numbers(columns, *kernel, 1).all) {
    for (int r = 0; r < height; ++r, ++walked) {
      for (const auto& [k, speed] : row) J[index(r + height * k)] += kernel->input(0, walked) * speed;
    }
  }
  for (std::size_t k = 0; k < J.size(); ++k) kernel->store(0, static_cast<int>(k), J[k]);
  std::vector<std::string> arguments = each(kernel->inputs, &ir::Buffer::name);
  arguments.emplace_back("J");
  c.call({.arguments = c.arrays(arguments),
          .first = std::vector<int>(arguments.size(), 0),
          .body = std::move(kernel)});
}

}  // namespace

void forward_kinematics(Context& c) {
  call_walk(c, WalkedPositions(c), ir::Routine::forward_kinematics, {"q", "R", "p"});
}

void frame_jacobian(Context& c) {
  const WalkedPositions positions(c);
  const auto walked = static_cast<int>(positions.columns.all.size());
  if (c.projection() == nullptr && walked == c.nv())
    return call_walk(c, positions, ir::Routine::frame_jacobian, {"q", "J"});
  c.scratch("J_all", 6 * walked);
  call_walk(c, positions, ir::Routine::frame_jacobian, {"q", "J_all"});
  call_projection(c, positions.columns, c.projection() != nullptr ? c.projection()->own().nv() : c.nv());
}

}  // namespace featherline::algorithms
