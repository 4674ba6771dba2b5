#pragma once

#include <string>
#include <vector>

/// An emitted robot behind a common signature; links by their index.
struct KinematicsRobot {
  int nv;
  std::vector<std::string> links;
  void (*forward_kinematics)(const double* q, int link, double* R, double* p);
  void (*frame_jacobian)(const double* q, int link, double* J);
  void (*link_poses)(const double* q, double* p, double* R);
};
