#include "peers/mujoco_model.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace featherline::bench {

namespace {

using model::JointType;

std::string numbers(const model::Vector3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string joint_elements(const model::Joint& joint) {
  switch (joint.type) {
    case JointType::floating:
      return "<freejoint/>";
    case JointType::planar:
      return "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='hinge' "
             "axis='0 0 1'/>";
    case JointType::prismatic:
      return fmt::format("<joint type='slide' axis='{}'/>", numbers(joint.axis));
    default:
      return fmt::format("<joint type='hinge' axis='{}'/>", numbers(joint.axis));
  }
}

/// Spheres of --contacts, which touch the ground and nothing else.
std::string sphere_elements(const model::Tree& tree, int body) {
  std::string text;
  for (const model::Constraint& contact : tree.constraints.all) {
    const model::Anchor& anchor = contact.anchors.front();
    if (contact.type == model::ConstraintType::contact_sphere && model::body_of(tree, anchor) == body)
      text += fmt::format("<geom type='sphere' size='{}' pos='{}' contype='1' conaffinity='0'/>",
                          contact.radius, numbers(model::frame_in_body(tree, anchor).p));
  }
  return text;
}

/// The inertial element is a placeholder off the body's origin, so that MuJoCo keeps a general inertial
/// frame.
std::string body_element(const model::Tree& tree, int i) {
  const model::Body& body = tree.bodies[static_cast<std::size_t>(i)];
  const Eigen::Quaterniond turn{body.joint.placement.R};
  std::string text = fmt::format(
      "<body pos='{}' quat='{} {} {} {}'>{}{}<inertial pos='0.1 0.2 0.3' quat='1 0.1 0.2 0.3' mass='1' "
      "diaginertia='1 1 1'/>\n",
      numbers(body.joint.placement.p), turn.w(), turn.x(), turn.y(), turn.z(), joint_elements(body.joint),
      sphere_elements(tree, i));
  for (int child = i + 1; child < static_cast<int>(tree.bodies.size()); ++child) {
    if (tree.bodies[static_cast<std::size_t>(child)].parent == i) text += body_element(tree, child);
  }
  return text + "</body>\n";
}

std::string to_xml(const model::Tree& tree, const std::string& ground) {
  std::string text = fmt::format("<mujoco><compiler angle='radian'/><option gravity='{}'/><worldbody>{}\n",
                                 numbers(tree.gravity), ground);
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i) {
    if (tree.bodies[static_cast<std::size_t>(i)].parent < 0) text += body_element(tree, i);
  }
  return text + "</worldbody></mujoco>\n";
}

void set_inertia(mjModel& m, int body, const model::Inertia& inertia) {
  const model::Vector3 c =
      inertia.mass == 0.0 ? model::Vector3::Zero() : model::Vector3{inertia.h / inertia.mass};
  const model::Matrix3 shift = c.squaredNorm() * model::Matrix3::Identity() - c * c.transpose();
  const Eigen::SelfAdjointEigenSolver<model::Matrix3> principal{inertia.J - inertia.mass * shift};
  model::Matrix3 axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  const Eigen::Quaterniond turn{axes};
  m.body_mass[body] = inertia.mass;
  Eigen::Map<Eigen::Vector3d>{m.body_ipos + 3 * body} = c;
  Eigen::Map<Eigen::Vector4d>{m.body_iquat + 4 * body} << turn.w(), turn.x(), turn.y(), turn.z();
  Eigen::Map<Eigen::Vector3d>{m.body_inertia + 3 * body} = principal.eigenvalues();
}

void set_inertias(mjModel& m, const model::Tree& tree) {
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i)
    set_inertia(m, i + 1, tree.bodies[static_cast<std::size_t>(i)].inertia);
}

/// MuJoCo reads models from files only.
MujocoModel compile(const std::string& xml) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("featherline_bench_{}.xml", ::getpid());
  std::ofstream{file} << xml;
  std::array<char, 1000> message{};
  MujocoModel m{mj_loadXML(file.c_str(), nullptr, message.data(), static_cast<int>(message.size()))};
  std::filesystem::remove(file);
  if (!m) throw std::runtime_error{fmt::format("MuJoCo rejects the model: {}", message.data())};
  return m;
}

}  // namespace

std::string unsupported_by_mujoco(const model::Tree& tree) {
  for (const model::Body& body : tree.bodies) {
    const JointType type = body.joint.type;
    const bool known = type == JointType::revolute || type == JointType::continuous ||
                       type == JointType::prismatic || type == JointType::planar ||
                       type == JointType::floating;
    if (!known) return "joint \"" + body.joint.name + "\" has a type MuJoCo does not have";
    if (type == JointType::floating && body.parent >= 0) return "MuJoCo has free joints at the root only";
    if (body.joint.mimics >= 0) return "MuJoCo couples mimic joints by constraints, not by coordinates";
  }
  return {};
}

MujocoModel build_mujoco_model(const model::Tree& tree) {
  MujocoModel m = compile(to_xml(tree, ""));
  set_inertias(*m, tree);
  return m;
}

MujocoModel build_mujoco_on_plane(const model::Tree& tree, double step, double friction) {
  MujocoModel m = compile(to_xml(
      tree, fmt::format(
                "<geom type='plane' size='50 50 1' contype='0' conaffinity='1' friction='{} 0.005 0.0001'/>",
                friction)));
  set_inertias(*m, tree);
  m->opt.timestep = step;
  for (int k = 0; k < m->ngeom; ++k) m->geom_friction[3 * k] = friction;
  return m;
}

}  // namespace featherline::bench
