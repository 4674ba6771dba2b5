#pragma once

#include "urdf/description.hpp"

#include <string>
#include <utility>
#include <vector>

/// Hand-made robots for the tests of the model.
namespace featherline::test {

inline urdf::Link link(std::string name, double mass = 1.0) {
  urdf::Link made;
  made.name = std::move(name);
  made.line = 10;
  if (mass > 0.0) {
    made.inertial.emplace();
    made.inertial->mass = mass;
    made.inertial->inertia = Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal();
  }
  return made;
}

inline urdf::Joint joint(std::string name, urdf::JointType type, std::string parent, std::string child) {
  urdf::Joint made;
  made.name = std::move(name);
  made.type = type;
  made.parent = std::move(parent);
  made.child = std::move(child);
  made.axis = Eigen::Vector3d::UnitZ();
  made.line = 20;
  return made;
}

inline urdf::Description robot(std::vector<urdf::Link> links, std::vector<urdf::Joint> joints) {
  urdf::Description made;
  made.file = "test.urdf";
  made.name = "test";
  made.links = std::move(links);
  made.joints = std::move(joints);
  return made;
}

}  // namespace featherline::test
