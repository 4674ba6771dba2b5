#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace featherline::model {

struct Tree;
struct UserTree;

/// Numbers of a payload: m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, about the origin of the link's frame and in
/// its axes.
inline constexpr int payload_entries = 10;
/// Numbers of an external force: [force; moment] at the origin of the link's frame, in world axes.
inline constexpr int force_entries = 6;
inline constexpr int gravity_entries = 3;
/// Numbers of the anchor of a contact: where its frame's origin is held, in the world.
inline constexpr int anchor_entries = 3;
/// Numbers of the stabilisation of constraints: KP, KD.
inline constexpr int stabilisation_entries = 2;

/// What the user made inputs of the emitted functions (--external-forces, --parameters). Links are given by their index
/// in Tree::links.
struct ChosenInputs {
  std::vector<int>
      forces;  ///< links that external forces act on; input `fext` has their numbers one after the other
  bool gravity = false;       ///< the first numbers of input `p`
  std::vector<int> payloads;  ///< links that carry a payload, with the numbers of `p` that follow
  /// If `p` has anchors, those of all contacts, in their order: where their frames are with all joints at zero.
  std::vector<Eigen::Vector3d> anchors;
  bool stabilisation = false;  ///< the last numbers of `p`

  bool any() const { return !forces.empty() || num_parameters() > 0; }
  int num_parameters() const;
  /// The first number of the k-th payload in `p`.
  int first_of_payload(std::size_t k) const;
  /// The first number of the anchor of the k-th contact in `p`.
  int first_of_anchor(std::size_t k) const {
    return first_of_payload(payloads.size()) + anchor_entries * static_cast<int>(k);
  }
  /// The first number of the stabilisation in `p`.
  int first_of_stabilisation() const { return first_of_anchor(anchors.size()); }
};

/// What the names ask for: `forces` are links, `parameters` "gravity", "payload:LINK", "anchors" or
/// "stabilisation". Throws UsageError for a link that does not exist or does not move, for anchors of a robot without
/// contacts, for a word that is given twice, and for any other parameter.
ChosenInputs choose_inputs(const UserTree& tree, const std::vector<std::string>& forces,
                           const std::vector<std::string>& parameters);

/// Numbers of the input `p` that belong together.
struct Parameter {
  std::string name;  ///< as the user writes it: "gravity", "payload:tool", "anchors"
  int index;         ///< of the first of them
  std::string unit;
  std::vector<double> defaults;  ///< what the robot has if they are not inputs

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

}  // namespace featherline::model
