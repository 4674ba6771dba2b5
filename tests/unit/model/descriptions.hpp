#pragma once

#include "description/description.hpp"

#include <string>
#include <utility>
#include <vector>

/// Hand-made robots for the tests of the model.
namespace featherline::test {

inline description::Link link(std::string name, double mass = 1.0) {
  description::Link made;
  made.name = std::move(name);
  made.line = 10;
  if (mass > 0.0) {
    made.inertial.emplace();
    made.inertial->mass = mass;
    made.inertial->inertia = Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal();
  }
  return made;
}

inline description::Joint joint(std::string name, model::JointType type, std::string parent,
                                std::string child) {
  description::Joint made;
  made.name = std::move(name);
  made.type = type;
  made.parent = std::move(parent);
  made.child = std::move(child);
  made.axis = Eigen::Vector3d::UnitZ();
  made.line = 20;
  return made;
}

inline description::Description robot(std::vector<description::Link> links,
                                      std::vector<description::Joint> joints) {
  description::Description made;
  made.file = "test.urdf";
  made.name = "test";
  made.links = std::move(links);
  made.joints = std::move(joints);
  return made;
}

}  // namespace featherline::test
