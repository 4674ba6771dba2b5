#pragma once

#include "joints/geometry.hpp"
#include "model/chosen_inputs.hpp"

#include <string>

/// Numbers of joints as inputs.
namespace featherline::model {

/// Adds the number of joint `name`, or of all joints that can have it. Throws UsageError in the words of
/// choose_inputs(), with `flag` before them.
void add_joint_input(const Tree& tree, const JointNumber& number, bool of_one, const std::string& name,
                     const std::string& flag, ChosenInputs& chosen);

/// The same for the placement of a joint.
void add_placement(const Tree& tree, const std::string& name, const std::string& flag, ChosenInputs& chosen);

/// Pose of these numbers.
Placement placement_of(const Eigen::Matrix<double, placement_entries, 1>& numbers);

}  // namespace featherline::model
