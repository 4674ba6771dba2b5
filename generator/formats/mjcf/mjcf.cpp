#include "formats/mjcf/mjcf.hpp"

#include "description/checks.hpp"
#include "formats/mjcf/bodies.hpp"

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
  Library library(unknown);
  Source& main = library.read(mujoco, reader);
  Bodies bodies(robot);
  if (reader.diagnostics().has_errors()) return;
  robot.gravity = main.settings.gravity;
  bodies.read(main);
  if (reader.diagnostics().has_errors()) return;
  read_equalities(bodies, robot);
  for (const Scope& scope : bodies.scopes) read_drives(scope, bodies, robot);
  read_keyframes(bodies, robot);
  if (main.settings.totalmass > 0.0) scale_masses(main.settings.totalmass, robot);
  robot.other_files = library.other_files();
  check(robot, reader.diagnostics());
}

}  // namespace featherline::mjcf
