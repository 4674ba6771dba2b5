#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/tree.hpp"
#include "peers/chosen.hpp"
#include "robot_inputs.hpp"

namespace featherline::bench {

/// A relative error up to this counts as agreement in double.
inline constexpr double agreement = 1e-10;

/// A call with nothing between the caller and the library: function(workspace, input).
struct DirectCall {
  void (*function)(void* workspace, const void* input) = nullptr;
  void* workspace = nullptr;
  const void* input = nullptr;
};

/// Another library's dynamics, on the same tree and in our conventions. Conversions of the conventions happen
/// outside of what is timed.
class Peer {
 public:
  virtual ~Peer() = default;

  virtual std::string version() const { return {}; }
  /// Takes the states over, converted; they are then known by their index.
  virtual void prepare(const std::vector<State>& states) = 0;
  /// What is timed beside the emitted function of that name, by state; results are left inside. Empty if the library
  /// has no such function.
  virtual std::function<void(std::size_t)> computation(const std::string& function) = 0;
  /// Results of the last computation of that function, at state k: converted back, laid out like the emitted outputs.
  virtual std::vector<double> results(const std::string& function, std::size_t k) const = 0;
  /// The computation at state k for those who time single calls out of cold caches, where each line counts that is run
  /// on the way; no function if there is only the way through computation().
  virtual DirectCall direct(const std::string& /*function*/, std::size_t /*k*/) { return {}; }
};

/// A library of which inverse dynamics alone is measured.
class InverseDynamicsPeer : public Peer {
 public:
  std::function<void(std::size_t)> computation(const std::string& function) final {
    if (function != "rnea") return {};
    return [this](std::size_t k) { compute(k); };
  }
  std::vector<double> results(const std::string&, std::size_t k) const final { return torques(k); }

 protected:
  virtual void compute(std::size_t k) = 0;
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

/// Pinocchio: timed is the algorithm of each function, on vectors of its own.
PeerOrReason make_pinocchio_peer(const model::Tree& tree, const Chosen& chosen);

/// CppADCodeGen: timed is the raw call of the C that it generates from Pinocchio's algorithm of each function. That C
/// is compiled when computation() is first called for a function, and kept in the build folder for later runs.
PeerOrReason make_cppadcodegen_peer(const model::Tree& tree);

/// CasADi: the same of the C that it writes.
PeerOrReason make_casadi_peer(const model::Tree& tree);

}  // namespace featherline::bench
