#pragma once

#include "joints/geometry.hpp"

#include <Eigen/Core>

#include <array>
#include <vector>

/// Ten inertial parameters for each body of the user's tree, and the combinations of them that motion can show.
namespace featherline::model {

struct Tree;

inline constexpr int parameters_per_body = 10;
/// In the order of the regressor's columns.
inline constexpr std::array<const char*, parameters_per_body> parameter_names{
    "m", "m cx", "m cy", "m cz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"};

using Parameters = Eigen::Matrix<double, parameters_per_body, 1>;
Parameters parameters_of(const Inertia& inertia);
Inertia inertia_of(const Parameters& parameters);

/// A minimal set of parameters: base parameters = map * all parameters. The regressor is base regressor * map.
struct BaseParameters {
  std::vector<int> columns;  ///< of the regressor, which are those of the base regressor; ascending
  Eigen::MatrixXd map;       ///< one row for each of them, 10 columns for each body

  int count() const { return static_cast<int>(columns.size()); }
};

/// What the grouping relations of regroup.hpp leave: sufficient, and minimal if gravity and the first joints do not
/// hide more. `tree` is in the user's frames. Where a joint does not feel some combination of its body's parameters,
/// the parent has this combination instead, and the map no longer has that many of the body's columns.
BaseParameters group_parameters(const Tree& tree);

}  // namespace featherline::model
