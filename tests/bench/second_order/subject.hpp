#pragma once

#include "facts.hpp"
#include "generic/idsva_second.hpp"
#include "peers/peer.hpp"
#include "second_order/complex_step.hpp"

#include <optional>

namespace featherline::bench::second_order {

/// One robot with everything that is measured on it.
class Subject {
 public:
  /// Throws std::runtime_error if the URDF or the manifest cannot be read, or where a method disagrees with the
  /// reference solver by more than 1e-10 of the largest entry of an array.
  explicit Subject(Robot robot);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const Robot& robot() const { return robot_; }
  int nv() const { return tree_.nv; }
  /// Of an emitted function; an estimate for functions in loops.
  int flops(const std::string& function) const { return facts_.at(function).flops; }
  bool in_loops(const std::string& function) const {
    return facts_.at(function).formulation == "vector loops";
  }
  std::size_t num_states() const { return states_.size(); }

  Inputs inputs(std::size_t k) const {
    const reference::State& x = states_[k];
    return {x.q.data(), x.v.data(), x.a.data(), x.tau.data(), x.w.data()};
  }
  void complex_step(std::size_t k, double* tensors) { complex_step_(k, tensors); }
  /// Whether Algorithm 1 is written for all of this robot's joints.
  bool has_generic() const { return generic_.has_value(); }
  void generic(std::size_t k) { generic_->derivatives(states_[k].q, states_[k].v, states_[k].a); }
  /// Pinocchio's tensors at state k, by its own tensors that are cleared once; empty if there is no Pinocchio.
  const std::function<void(std::size_t)>& pinocchio() const { return pinocchio_; }

 private:
  void verify();
  void verify_rivals(const reference::Outputs& tensors);

  Robot robot_;
  model::UserTree tree_;
  std::map<std::string, Facts> facts_;
  std::vector<reference::State> states_;
  ComplexStep complex_step_;
  std::optional<generic::IdsvaSecond> generic_;
  std::unique_ptr<Peer> peer_;
  std::function<void(std::size_t)> pinocchio_;
};

}  // namespace featherline::bench::second_order
