#include <array>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>

#include "peers/peer.hpp"
#include "peers/pinocchio_algorithms.hpp"

namespace featherline::bench {

namespace {

using Tensor = pinocchio::Data::Tensor3x;

Eigen::VectorXd to_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

class PinocchioPeer final : public Peer {
 public:
  explicit PinocchioPeer(const model::Tree& tree) : tree_{tree}, workspace_{build_pinocchio_model(tree)} {}

  void prepare(const std::vector<State>& states) override {
    for (const State& x : states)
      inputs_.push_back({pinocchio_positions(tree_, x.q), to_eigen(x.v), to_eigen(x.a)});
  }

  std::function<void(std::size_t)> computation(const std::string& function) override {
    if (function == "rnea_second_derivatives") {
      clear_tensors();
      return [this](std::size_t k) { second_derivatives(inputs_[k]); };
    }
    const PinocchioAlgorithm<double>* algorithm = find_pinocchio_algorithm<double>(function);
    if (algorithm == nullptr) return {};
    return [this, run = algorithm->run](std::size_t k) { run(workspace_, inputs_[k]); };
  }

  std::vector<double> results(const std::string& function, std::size_t) const override {
    std::vector<double> list;
    if (function == "rnea_second_derivatives") {
      for (const Tensor& T : tensors_) list.insert(list.end(), T.data(), T.data() + T.size());
      return list;
    }
    find_pinocchio_algorithm<double>(function)->results(workspace_.data, list);
    return list;
  }

 private:
  /// Once: Pinocchio writes what is not structurally zero.
  void clear_tensors() {
    const int n = workspace_.model.nv;
    for (Tensor& T : tensors_) T = Tensor(n, n, n), T.setZero();
  }

  void second_derivatives(const PinocchioInput<double>& x) {
    auto& [dqdq, dvdv, dqdv, dM_dq] = tensors_;
    pinocchio::ComputeRNEASecondOrderDerivatives(workspace_.model, workspace_.data, x.q, x.v, x.a, dqdq, dvdv,
                                                 dqdv, dM_dq);
  }

  model::Tree tree_;
  PinocchioWorkspace<double> workspace_;
  std::array<Tensor, 4> tensors_;
  std::vector<PinocchioInput<double>> inputs_;
};

}  // namespace

PeerOrReason make_pinocchio_peer(const model::Tree& tree) {
  const std::string reason = unsupported_by_pinocchio(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<PinocchioPeer>(tree), {}};
}

}  // namespace featherline::bench
