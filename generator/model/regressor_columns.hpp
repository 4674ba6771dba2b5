#pragma once

#include <string>
#include <vector>

/// Columns of the regressor behind those of bodies (--regressor-columns).
namespace featherline::model {

struct JointColumn;
struct Tree;
struct UserTree;

/// "armature", "damping", "friction", "stiffness", "offset", "rotor".
std::vector<std::string> joint_column_words();

/// One column for each joint, or for each rotor, that can have what a word names: word by word, joints in their order.
/// Throws UsageError for a word that stands there twice, and for one that no joint can have.
std::vector<JointColumn> choose_joint_columns(const UserTree& tree, const std::vector<std::string>& words);

/// "armature:elbow".
std::string name_of(const JointColumn& column);
/// What the robot's file gives for what the column multiplies.
double value_of(const Tree& tree, const JointColumn& column);

/// Of all columns: ten for each body, and those of joints.
int num_regressor_columns(const Tree& tree);

}  // namespace featherline::model
