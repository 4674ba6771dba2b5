#pragma once

#include "joints/geometry.hpp"
#include "urdf/description.hpp"

#include <optional>
#include <string>

namespace featherline::report {

/// The homogeneous ellipsoid that has the mass, the centre of mass and the inertia of a link.
struct Ellipsoid {
  model::Vector3 moments;    ///< principal moments of inertia, smallest first [kg m^2]
  model::Vector3 semi_axes;  ///< largest first [m]; 0 in a direction in which no body has such an inertia
  /// 5/m (tr(I)/2 - I), in the axes of the link: its eigenvalues are the squares of the semi-axes [m^2].
  model::Matrix3 shape;
  std::string flaw;  ///< why no body has this inertia, as a clause; empty if one has
};

/// Nothing for a link without inertia.
std::optional<Ellipsoid> equivalent_ellipsoid(const urdf::Link& link);

}  // namespace featherline::report
