#include "peers/peer.hpp"
#include "peers/pinocchio_robot.hpp"

namespace featherline::bench {

namespace {

Eigen::VectorXd to_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

class PinocchioPeer final : public Peer {
 public:
  PinocchioPeer(const model::Tree& tree, const Chosen& chosen) : tree_{tree}, robot_{tree, chosen} {}

  std::string version() const override { return PINOCCHIO_VERSION; }

  void prepare(const std::vector<State>& states) override {
    for (std::size_t k = 0; k < states.size(); ++k) {
      const State &x = states[k], &next = states[(k + 1) % states.size()];
      inputs_.push_back({{pinocchio_positions(tree_, x.q), to_eigen(x.v), to_eigen(x.a)},
                         pinocchio_positions(tree_, next.q)});
    }
  }

  std::function<void(std::size_t)> computation(const std::string& function) override {
    const DirectCall call = direct(function, 0);
    if (call.function == nullptr) return {};
    return [call, this](std::size_t k) { call.function(call.workspace, &inputs_[k]); };
  }

  std::vector<double> results(const std::string& function, std::size_t) const override {
    std::vector<double> list;
    if (const auto* algorithm = find_pinocchio_dynamics(function))
      algorithm->results(robot_.data, list);
    else
      find(function)->results(robot_, list);
    return list;
  }

  DirectCall direct(const std::string& function, std::size_t k) override {
    // The same addresses with pointers in the place of references.
    using Address = void (*)();
    Address address = nullptr;
    if (const auto* algorithm = find_pinocchio_dynamics(function))
      address = reinterpret_cast<Address>(algorithm->run);
    else if (const PinocchioFunction* found = find(function))
      address = reinterpret_cast<Address>(found->run);
    if (function == "rnea_second_derivatives") robot_.clear_tensors();
    return {reinterpret_cast<void (*)(void*, const void*)>(address), &robot_, &inputs_[k]};
  }

 private:
  /// None of steps in q if Pinocchio's q has other entries.
  const PinocchioFunction* find(const std::string& function) const {
    const bool is_step = function == "integrate" || function == "difference";
    if (is_step && robot_.model.nq != tree_.nq) return nullptr;
    for (const auto* list :
         {&pinocchio_kinematics, &pinocchio_whole_body, &pinocchio_second_order, &pinocchio_constraints}) {
      for (const PinocchioFunction& f : *list) {
        if (f.function == function) return &f;
      }
    }
    return nullptr;
  }

  model::Tree tree_;
  PinocchioRobot robot_;
  std::vector<PinocchioState> inputs_;
};

}  // namespace

PeerOrReason make_pinocchio_peer(const model::Tree& tree, const Chosen& chosen) {
  const std::string reason = unsupported_by_pinocchio(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<PinocchioPeer>(tree, chosen), {}};
}

}  // namespace featherline::bench
