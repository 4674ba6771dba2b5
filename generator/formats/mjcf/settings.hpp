#pragma once

#include "formats/mjcf/item.hpp"

#include <Eigen/Geometry>

#include <string>

namespace featherline::mjcf {

/// What <compiler> and <option> say. Of several elements the last that has an attribute counts, for the whole file.
struct Settings {
  std::optional<bool> degrees = {};  ///< otherwise radians; degrees if the file does not say
  std::string eulerseq = "xyz";
  bool autolimits = true;
  std::string inertiafromgeom = "auto";  ///< "false", "true" or "auto"
  int first_group = 0, last_group = 5;   ///< of the geoms that make inertias
  double boundmass = 0.0, boundinertia = 0.0, totalmass = -1.0;
  bool balanceinertia = false, strippath = false, alignfree = false;
  std::string meshdir;
  Vector3d gravity{0.0, 0.0, -9.81};

  double angle(double value) const;  ///< in radians
};

Settings read_settings(const Element& root);

/// The attribute `pos` and one of quat, axisangle, xyaxes, zaxis, euler.
Pose read_pose(const Item& item, const Settings& settings);
Eigen::Quaterniond euler(const std::vector<double>& angles, const Settings& settings);
/// The smallest turn that takes z to this direction.
Eigen::Quaterniond z_to(const Vector3d& direction);

}  // namespace featherline::mjcf
