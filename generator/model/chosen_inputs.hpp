#pragma once

#include "joints/geometry.hpp"
#include "joints/joint_table.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace featherline::model {

struct Joint;
struct Tree;
struct UserTree;

/// Numbers of a payload, or of a link's inertia: m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, about the origin of
/// the link's frame and in its axes.
inline constexpr int payload_entries = 10;
/// Numbers of an external force: [force; moment] at the origin of the link's frame, in world axes.
inline constexpr int force_entries = 6;
inline constexpr int gravity_entries = 3;
/// Numbers of a placement: a translation, then a rotation vector.
inline constexpr int placement_entries = 6;
/// Numbers of the anchor of a contact: where its frame's origin is held, in the world.
inline constexpr int anchor_entries = 3;
/// Numbers of the stabilisation of constraints: KP, KD.
inline constexpr int stabilisation_entries = 2;

/// Matter on a link that is an input.
struct Payload {
  int link;
  bool replaces =
      false;  ///< what the file says of the link: canonical trees are without that (canonical.hpp)
};

/// A number of joints that can be an input.
struct JointNumber {
  const char* word;  ///< "armature"
  double Joint::*which;
  const char* unit;            ///< of joints that turn, and of those that slide
  bool (*fits)(const Joint&);  ///< which joints can have it
  const char* whose;           ///< "joints that turn about or slide along axes"
};

/// The number of one joint, or of all joints that can have it, in joint order.
struct JointInput {
  const JointNumber* number;
  bool of_all;
  std::vector<std::string> joints;
  std::vector<double> defaults;
};

/// A joint's number as an input.
struct JointEntry {
  int place = -1;  ///< the entry of `p`; -1 where the number is no input
  /// To add to the entry. Users know the rest of a spring as a position of the joint, a mimic's offset included.
  double more = 0.0;
};

/// What the user made inputs of the emitted functions (--external-forces, --parameters). Links are given by their index
/// in Tree::links.
struct ChosenInputs {
  std::vector<int>
      forces;  ///< links that external forces act on; input `fext` has their numbers one after the other
  bool gravity = false;           ///< the first numbers of input `p`
  std::vector<Payload> payloads;  ///< with the numbers of `p` that follow
  /// If `p` has anchors, those of all contacts, in their order: where their frames are with all joints at zero.
  std::vector<Eigen::Vector3d> anchors;
  std::vector<JointInput> joints;  ///< with the numbers of `p` behind them
  /// Joints that stand elsewhere than the file says, with the numbers of `p` behind them: where, seen from the joint
  /// frame of the file.
  std::vector<std::string> placements;
  bool stabilisation = false;  ///< the last numbers of `p`

  bool any() const { return !forces.empty() || num_parameters() > 0; }
  int num_parameters() const;
  /// The first number of the k-th payload in `p`.
  int first_of_payload(std::size_t k) const;
  /// The first number of the anchor of the k-th contact in `p`.
  int first_of_anchor(std::size_t k) const {
    return first_of_payload(payloads.size()) + anchor_entries * static_cast<int>(k);
  }
  /// The first number of the k-th of `joints` in `p`.
  int first_of_joints(std::size_t k) const;
  /// The first number of the k-th placement in `p`.
  int first_of_placement(std::size_t k) const {
    return first_of_joints(joints.size()) + placement_entries * static_cast<int>(k);
  }
  /// The first number of the stabilisation in `p`.
  int first_of_stabilisation() const { return first_of_placement(placements.size()); }
  /// Where a number of the joint is in `p`.
  JointEntry entry_of(double Joint::*which, const Joint& joint) const;
  /// The first number of the placement of body i's joint in `p`; -1 where it is no input. Where joints are split, the
  /// first part has it.
  int placement_of(const Tree& tree, std::size_t i) const;
  bool has_gears() const;
  /// Whether poses depend on `p`.
  bool has_geometry() const { return has_gears() || !placements.empty(); }
  std::vector<int> links_with_payloads() const;
};

/// Whether a joint has this number, or may have it because it is an input.
bool may_have(const Tree& tree, double Joint::*which);

/// What the names ask for: `forces` are links, `parameters` "gravity", "payload:LINK", "inertia:LINK", "anchors",
/// "stabilisation", "placement:JOINT", or a joint_numbers() alone or as "armature:JOINT". Throws
/// UsageError for any other word, and for a word that is given twice. The same for a link that does not exist or does
/// not move, for a joint that cannot have the number, and for anchors of a robot without contacts.
ChosenInputs choose_inputs(const UserTree& tree, const std::vector<std::string>& forces,
                           const std::vector<std::string>& parameters);

const std::vector<JointNumber>& joint_numbers();

/// Numbers of the input `p` that belong together.
struct Parameter {
  std::string name;  ///< as the user writes it: "gravity", "payload:tool", "anchors"
  int index;         ///< of the first of them
  std::string unit;
  std::vector<double> defaults;          ///< what the robot has if they are not inputs
  std::vector<std::string> joints = {};  ///< of numbers of joints: one for each

  int size() const { return static_cast<int>(defaults.size()); }
};
std::vector<Parameter> parameters(const Tree& tree);

/// A constant external force.
struct AppliedForce {
  int link;
  Eigen::Vector3d force, moment;  ///< at the origin of the link's frame, in world axes
};

/// The robot with these values of its chosen inputs: no input is left to choose.
Tree with_values(const Tree& tree, const Eigen::VectorXd& fext, const Eigen::VectorXd& p);

// Numbers of joints as inputs.

/// Adds the number of joint `name`, or of all joints that can have it. Throws UsageError in the words of
/// choose_inputs(), with `flag` before them.
void add_joint_input(const Tree& tree, const JointNumber& number, bool of_one, const std::string& name,
                     const std::string& flag, ChosenInputs& chosen);

/// The same for the placement of a joint.
void add_placement(const Tree& tree, const std::string& name, const std::string& flag, ChosenInputs& chosen);

/// Pose of these numbers.
Placement placement_of(const Eigen::Matrix<double, placement_entries, 1>& numbers);

// Columns of the regressor behind those of bodies (--regressor-columns).

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
