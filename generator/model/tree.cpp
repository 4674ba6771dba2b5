#include "model/tree.hpp"

#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/observer.hpp"

#include <algorithm>

namespace featherline::model {
namespace {

using dumps::numbers;
using dumps::Out;

void write_body(Out out, int index, const Body& body) {
  const Joint& joint = body.joint;
  fmt::format_to(out, "body {} {} on {}\n", index, in_quotes(body.name), body.parent);
  fmt::format_to(out, "  joint {} {} idx_q {} nq {} idx_v {} nv {}\n", in_quotes(joint.name),
                 name(joint.type), joint.idx_q, joint.nq, joint.idx_v, joint.nv);
  fmt::format_to(out, "  R {} p {}\n", numbers(joint.placement.R), numbers(joint.placement.p));
  fmt::format_to(out, "  axis {} axis2 {} pitch {}\n", numbers(joint.axis), numbers(joint.axis2),
                 joint.pitch);
  fmt::format_to(out, "  multiplier {} offset {} mimics {}\n", joint.multiplier, joint.offset, joint.mimics);
  if (joint.stiffness != 0.0) fmt::format_to(out, "  stiffness {} rest {}\n", joint.stiffness, joint.rest);
  if (joint.damping != 0.0 || joint.friction != 0.0 || joint.armature != 0.0)
    fmt::format_to(out, "  damping {} friction {} armature {}\n", joint.damping, joint.friction,
                   joint.armature);
  fmt::format_to(out, "  m {} h {} J {}\n", body.inertia.mass, numbers(body.inertia.h),
                 numbers(body.inertia.J));
  if (body.lifted.mass != 0.0)
    fmt::format_to(out, "  lifted m {} h {}\n", body.lifted.mass, numbers(body.lifted.h));
}

void write_tendon(Out out, const Tendon& tendon) {
  fmt::format_to(out, "tendon {}", in_quotes(tendon.name));
  for (const TendonEnd& end : tendon.ends) fmt::format_to(out, " {} v{}", end.coefficient, end.idx_v);
  fmt::format_to(out, "\n  stiffness {} rest {} damping {} friction {} armature {}\n", tendon.stiffness,
                 tendon.rest, tendon.damping, tendon.friction, tendon.armature);
}

void write_chosen_inputs(Out out, const Tree& tree) {
  for (std::size_t k = 0; k < tree.chosen.forces.size(); ++k)
    fmt::format_to(out, "fext {} on link {}\n", force_entries * static_cast<int>(k), tree.chosen.forces[k]);
  for (const Parameter& parameter : parameters(tree))
    fmt::format_to(out, "p {} to {} {}\n", parameter.index, parameter.index + parameter.size() - 1,
                   in_quotes(parameter.name));
}

}  // namespace

int body_of(const Tree& tree, const TendonEnd& end) {
  const auto is_it = [&](const Body& body) {  // ends are among all joints
    const int place = tree.clusters ? body.joint.all.v : body.joint.idx_v;
    return place == end.idx_v && (body.joint.mimics < 0 || body.joint.is_eliminated);
  };
  return static_cast<int>(std::ranges::find_if(tree.bodies, is_it) - tree.bodies.begin());
}

bool has_lifted(const Tree& tree) {
  return std::ranges::any_of(
      tree.bodies, [](const Body& body) { return body.lifted.mass != 0.0 || !body.lifted.h.isZero(0.0); });
}

bool has_damped_free_joint(const Tree& tree) {
  return std::ranges::any_of(tree.bodies, [](const Body& body) {
    const Joint& joint = body.joint;
    return joint.row().is_free() && (joint.armature != 0.0 || joint.damping != 0.0 || joint.stiffness != 0.0);
  });
}

bool has_pose_springs(const Tree& tree) {
  return std::ranges::any_of(tree.bodies, [](const Body& body) {
    return body.joint.row().quaternion() >= 0 && body.joint.stiffness != 0.0;
  });
}

int num_user_bodies(const Tree& tree) {
  return static_cast<int>(
      std::ranges::count_if(tree.bodies, [](const Body& body) { return body.user_frame.has_value(); }));
}

std::vector<std::vector<int>> children_by_parent(const Tree& tree) {
  std::vector<std::vector<int>> children(tree.bodies.size() + 1);
  int i = 0;
  for (const Body& body : tree.bodies) children[index(body.parent + 1)].push_back(i++);
  return children;
}

double robot_size(const Tree& tree) {
  double size = 0.0;
  std::vector<double> reach(tree.bodies.size(), 0.0);  // from a body's origin outwards, along the tree
  for (const Link& link : tree.links) {
    if (link.body < 0 || link.mass <= 0.0) continue;
    double& farthest = reach[index(link.body)];
    farthest = std::max(farthest, (link.placement.R * link.com + link.placement.p).norm());
  }
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    size = std::max(size, reach[i]);
    if (tree.bodies[i].parent < 0) continue;
    double& farthest = reach[index(tree.bodies[i].parent)];
    const double through_i = tree.bodies[i].joint.placement.p.norm() + reach[i];
    size = std::max(size, farthest + through_i);
    farthest = std::max(farthest, through_i);
  }
  return size;
}

std::string dump(const Tree& tree) {
  std::string text = fmt::format("tree {} nq {} nv {} gravity {}{}\n", in_quotes(tree.name), tree.nq, tree.nv,
                                 numbers(tree.gravity), tree.floating_base ? " floating" : "");
  const Out out(text);
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) write_body(out, static_cast<int>(i), tree.bodies[i]);
  for (const Tendon& tendon : tree.tendons) write_tendon(out, tendon);
  for (const Link& link : tree.links) {
    fmt::format_to(out, "link {} on {} R {} p {}\n", in_quotes(link.name), link.body,
                   numbers(link.placement.R), numbers(link.placement.p));
  }
  write_chosen_inputs(out, tree);
  return text;
}

}  // namespace featherline::model
