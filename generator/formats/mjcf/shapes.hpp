#pragma once

#include <Eigen/Core>

#include <string_view>

namespace featherline::mjcf {

using Eigen::Vector3d;

/// What a body weighs if a cubic metre of it (of a shell: a square metre) weighs 1 kg, centre at the origin.
struct Shape {
  double volume = 0.0;                  ///< [m^3] or [m^2]
  Vector3d moments = Vector3d::Zero();  ///< of 1 kg, about its axes [m^2]
};

/// Size as MJCF has it: radius and half of the length, or half of the three sides.
Shape solid(std::string_view type, const Vector3d& size);
Shape shell(std::string_view type, const Vector3d& size);

/// How many numbers the size of this type has; 0 for a type without a shape of its own.
int num_sizes(std::string_view type);

}  // namespace featherline::mjcf
