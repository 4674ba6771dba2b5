#pragma once

#include "emitted_robot.hpp"
#include "model/tree.hpp"
#include "peers/peer.hpp"
#include "reference/solver.hpp"
#include "robot_inputs.hpp"

#include <Eigen/Core>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace featherline::bench {

struct NamedPeer {
  std::string name;
  std::unique_ptr<Peer> peer;          ///< none if this robot cannot be represented
  std::vector<std::string> functions;  ///< that agree with the reference solver
  std::vector<std::string> reasons;    ///< why something is missing
};

/// All peers of this build, which know the states by their index.
std::vector<NamedPeer> make_peers(const model::Tree& tree, const Chosen& chosen,
                                  const std::vector<State>& states);

/// States in the memory layout of emitted code.
template <class S>
class InputArrays {
 public:
  InputArrays(const std::vector<State>& states, int link);
  Inputs<S> operator[](std::size_t k) const { return {q_[k].data(), v_[k].data(), a_[k].data(), link_}; }

 private:
  std::vector<std::vector<S>> q_, v_, a_;
  int link_;
};

struct ReferenceState {
  Eigen::VectorXd q, v, a;
};

/// One robot with everything that is measured on it.
class Subject {
 public:
  /// Throws std::runtime_error if the URDF or the manifest cannot be read.
  explicit Subject(EmittedRobot robot);

  const EmittedRobot& robot() const { return robot_; }
  const model::Tree& tree() const { return tree_; }
  const Facts& facts(const std::string& function) const { return facts_.at(function); }
  std::size_t num_states() const { return states_.size(); }
  const InputArrays<double>& inputs_double() const { return inputs_double_; }
  const InputArrays<float>& inputs_float() const { return inputs_float_; }
  std::vector<NamedPeer>& peers() { return peers_; }

  /// The reference solver's result of the function of that name at state k, laid out like the emitted output.
  Eigen::VectorXd reference(const std::string& function, std::size_t k);
  /// p of all links, then R of all links.
  Eigen::VectorXd link_poses(const Eigen::VectorXd& q);

 private:
  EmittedRobot robot_;
  model::UserTree tree_;
  std::map<std::string, Facts> facts_;
  int link_;
  std::vector<State> states_;
  InputArrays<double> inputs_double_;
  InputArrays<float> inputs_float_;
  std::vector<ReferenceState> reference_states_;
  reference::Solver<double> solver_;
  std::vector<NamedPeer> peers_;
};

/// Relative errors against the reference solver, the worst of all states.
struct Errors {
  double in_double = 0.0, in_float = 0.0;
};

/// Compares everything that is about to be timed with the reference solver at all states: the emitted functions, by
/// name, and the peers. A peer that disagrees is removed from the subject, with the reason kept.
std::map<std::string, Errors> verify(Subject& subject);

}  // namespace featherline::bench
