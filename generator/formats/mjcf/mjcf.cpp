#include "formats/mjcf/mjcf.hpp"

#include "description/checks.hpp"
#include "formats/mjcf/relations.hpp"
#include "formats/mjcf/vocabulary.hpp"

namespace featherline::mjcf {
namespace {

/// settotalmass: scales the mass of all bodies, also of those that do not move.
void scale_masses(double total, Description& robot) {
  double sum = 0.0;
  for (const Link& link : robot.links) sum += link.inertial ? link.inertial->mass : 0.0;
  for (Link& link : robot.links) {
    if (!link.inertial || !(sum > 0.0)) continue;
    link.inertial->mass *= total / sum;
    link.inertial->inertia *= total / sum;
  }
}

}  // namespace

void read(const XMLElement& mujoco, const std::string&, UnknownWords unknown, Description& robot,
          ElementReader& reader) {
  const char* name = mujoco.Attribute("model");
  robot.name = name == nullptr ? "robot" : name;
  robot.line = mujoco.GetLineNum();
  robot.siblings_as_written = robot.armature_by_default = true;
  const Document document(mujoco, reader);
  const Element& root = document.root();
  check_vocabulary(root, unknown);
  const Settings settings = read_settings(root);
  const Classes classes(root);
  Meshes meshes(document, classes, settings);
  Bodies bodies(classes, settings, meshes, robot);
  if (reader.diagnostics().has_errors()) return;
  robot.gravity = settings.gravity;
  bodies.read(root);
  if (reader.diagnostics().has_errors()) return;
  read_equalities(root, classes, bodies, robot);
  read_tendons(root, classes, bodies, robot);
  read_actuators(root, classes, bodies, robot);
  read_keyframes(root, robot);
  if (settings.totalmass > 0.0) scale_masses(settings.totalmass, robot);
  robot.other_files = document.included();
  robot.other_files.insert(robot.other_files.end(), meshes.files().begin(), meshes.files().end());
  check(robot, reader.diagnostics());
}

}  // namespace featherline::mjcf
