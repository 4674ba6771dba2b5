#pragma once

#include "description/description.hpp"
#include "joints/geometry.hpp"
#include "model/tree.hpp"
#include "report/report.hpp"
#include "report/zero_patterns.hpp"

#include <optional>
#include <string>
#include <vector>

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
std::optional<Ellipsoid> equivalent_ellipsoid(const description::Link& link);

/// A picture for each matrix that has structural zeros, and a sentence about those that have none.
std::string matrix_pictures(const std::vector<Matrix>& matrices);

/// The robot as the page's script reads it (print_script_json). The comment in templates/html/kinematics.js.in lists the
/// keys.
std::string scene_json(const Robot& robot);

/// The kinematic tree as SVG: a row for each body. A link's area follows its mass. A chain stays in its column, and
/// branches move to the next one.
std::string tree_picture(const model::Tree& tree);

}  // namespace featherline::report
