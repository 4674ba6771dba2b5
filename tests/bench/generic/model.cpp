#include "generic/model.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

namespace featherline::bench::generic {

namespace {

using model::JointType;

LinkJoint link_joint(const model::Joint& joint, Joints allowed) {
  switch (joint.type) {
    case JointType::revolute:
    case JointType::continuous:
      return LinkJoint::revolute;
    case JointType::prismatic:
      return LinkJoint::prismatic;
    case JointType::floating:
      if (allowed == Joints::floating_too) return LinkJoint::floating;
      [[fallthrough]];
    default:
      throw std::invalid_argument{"joint \"" + joint.name + "\": the algorithm has no formula for its type"};
  }
}

Link make_link(const model::Body& body, Joints allowed) {
  const model::Joint& joint = body.joint;
  if (joint.mimics >= 0 || joint.multiplier != 1.0 || joint.offset != 0.0) {
    throw std::invalid_argument{"joint \"" + joint.name + "\" is a coupled mimic joint"};
  }
  Link link;
  link.parent = body.parent;
  link.placement = {joint.placement.R, joint.placement.p};
  link.joint = link_joint(joint, allowed);
  link.idx_q = joint.idx_q;
  link.idx_v = joint.idx_v;
  link.axis = joint.axis;
  if (link.joint == LinkJoint::revolute) link.S = join(joint.axis, Vector3d::Zero());
  if (link.joint == LinkJoint::prismatic) link.S = join(Vector3d::Zero(), joint.axis);
  link.I = spatial_inertia(body.inertia.mass, body.inertia.h, body.inertia.J);
  return link;
}

void connect(std::vector<Link>& links) {
  for (int i = 0; i < static_cast<int>(links.size()); ++i) {
    Link& link = links[static_cast<std::size_t>(i)];
    for (int j = i; j >= 0; j = links[static_cast<std::size_t>(j)].parent) {
      link.path.push_back(j);
      links[static_cast<std::size_t>(j)].subtree.push_back(i);
    }
  }
}

model::Body paper_link(int i, int branching) {
  model::Body body;
  body.name = "link" + std::to_string(i);
  body.parent = i == 0 ? -1 : (i - 1) / branching;
  body.joint.name = "joint" + std::to_string(i);
  body.joint.idx_q = body.joint.idx_v = i;
  if (i > 0) body.joint.placement.p = Vector3d::UnitX();
  const Vector3d com{0.5, 0.0, 0.0};
  body.inertia.mass = 1.0;
  body.inertia.h = com;
  body.inertia.J = Vector3d{0.0, 0.0, 1.0}.asDiagonal();
  body.inertia.J += com.squaredNorm() * Matrix3d::Identity() - com * com.transpose();
  return body;
}

using Generator = std::mt19937;

Vector3d random_vector(Generator& random) {
  std::uniform_real_distribution<double> uniform{-1.0, 1.0};
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

void scramble(model::Body& body, Generator& random) {
  body.joint.axis = random_vector(random).normalized();
  body.joint.placement.R =
      Eigen::AngleAxisd{3.0 * random_vector(random).x(), random_vector(random).normalized()};
  body.joint.placement.p = 0.3 * random_vector(random);
  if (random() % 5 == 0) body.joint.type = JointType::prismatic;
  const Vector3d com = 0.1 * random_vector(random);
  body.inertia.mass = 1.0 + random_vector(random).cwiseAbs().x();
  body.inertia.h = body.inertia.mass * com;
  Matrix3d spread;  // second moments of the mass distribution: any positive matrix belongs to a real body
  spread << random_vector(random), random_vector(random), random_vector(random);
  const Matrix3d moments = 0.02 * spread * spread.transpose() + body.inertia.mass * com * com.transpose();
  body.inertia.J = moments.trace() * Matrix3d::Identity() - moments;
}

}  // namespace

Pose Model::pose(int i, const VectorXd& q) const {
  const Link& x = link(i);
  switch (x.joint) {
    case LinkJoint::floating:
      return x.placement *
             Pose{Eigen::Quaterniond{q.segment<4>(x.idx_q + 3)}.toRotationMatrix(), q.segment<3>(x.idx_q)};
    case LinkJoint::prismatic:
      return {x.placement.R, x.placement.p + x.placement.R * (q[x.idx_q] * x.axis)};
    default:
      return {x.placement.R * Eigen::AngleAxisd{q[x.idx_q], x.axis}.toRotationMatrix(), x.placement.p};
  }
}

Model make_model(const model::Tree& tree, Joints allowed) {
  Model model;
  model.nv = tree.nv;
  for (const model::Body& body : tree.bodies) model.links.push_back(make_link(body, allowed));
  connect(model.links);
  model.gravity = join(Vector3d::Zero(), tree.gravity);
  return model;
}

model::UserTree paper_tree(int num_links, int branching) {
  model::UserTree tree;
  tree.name = "paper_tree";
  tree.nq = tree.nv = num_links;
  tree.gravity = {0.0, -9.81, 0.0};
  for (int i = 0; i < num_links; ++i) tree.bodies.push_back(paper_link(i, branching));
  return tree;
}

model::UserTree scrambled_tree(int num_links, int branching, unsigned seed) {
  model::UserTree tree = paper_tree(num_links, branching);
  Generator random{seed};
  for (model::Body& body : tree.bodies) scramble(body, random);
  return tree;
}

}  // namespace featherline::bench::generic
