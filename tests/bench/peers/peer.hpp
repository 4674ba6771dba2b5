#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/tree.hpp"
#include "state.hpp"

namespace featherline::bench {

/// Inverse dynamics by another library, on the same tree and in our conventions. Conversions of the
/// conventions happen outside of what is timed.
class Peer {
 public:
  virtual ~Peer() = default;

  /// Takes the states over, converted; they are then known by their index.
  virtual void prepare(const std::vector<State>& states) = 0;
  /// What is timed: joint torques of state k, left inside.
  virtual void compute(std::size_t k) = 0;
  /// Torques of the last compute(k), converted back, nv entries.
  virtual std::vector<double> torques(std::size_t k) const = 0;
};

/// The peer, or none and the reason why it cannot represent this robot.
struct PeerOrReason {
  std::unique_ptr<Peer> peer;
  std::string reason;
};

/// MuJoCo: timed are mj_kinematics, mj_comPos, mj_comVel and mj_rne with accelerations, after copying q, v
/// and a.
PeerOrReason make_mujoco_peer(const model::Tree& tree);

/// orocos KDL: timed is CartToJnt of ChainIdSolver_RNE, or of TreeIdSolver_RNE where the robot branches,
/// after copying q, v and a.
PeerOrReason make_kdl_peer(const model::Tree& tree);

}  // namespace featherline::bench
