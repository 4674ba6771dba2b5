#pragma once

#include "model/tree.hpp"
#include "peers/generated_c.hpp"
#include "peers/peer.hpp"
#include "peers/pinocchio_algorithms.hpp"

namespace featherline::bench {

/// A library that writes C from what Pinocchio's algorithms do with its scalar S. The C is compiled when a function is
/// first asked for, and called raw.
template <class S>
class GeneratedPeer : public Peer {
 public:
  explicit GeneratedPeer(const model::Tree& tree) : tree_{tree}, model_{build_pinocchio_model(tree)} {}

  void prepare(const std::vector<State>& states) final {
    for (const State& state : states) {
      const Eigen::VectorXd q = pinocchio_positions(tree_, state.q);
      std::vector<double>& x = inputs_.emplace_back(q.begin(), q.end());
      x.insert(x.end(), state.v.begin(), state.v.end());
      x.insert(x.end(), state.a.begin(), state.a.end());
    }
  }

  std::function<void(std::size_t)> computation(const std::string& function) final {
    const PinocchioAlgorithm<S>* algorithm = find_pinocchio_algorithm<S>(function);
    if (algorithm == nullptr) return {};
    const auto [found, is_new] = calls_.try_emplace(function);
    if (is_new) found->second = generate(*algorithm, results_[function]);
    return found->second;
  }

  std::vector<double> results(const std::string& function, std::size_t) const final {
    return results_.at(function);
  }

 protected:
  /// What calls the C at a state, `results` at its size.
  virtual std::function<void(std::size_t)> generate(const PinocchioAlgorithm<S>& algorithm,
                                                    std::vector<double>& results) = 0;

  /// The algorithm as a function of x = [q; v; a].
  std::vector<S> trace(const PinocchioAlgorithm<S>& algorithm, const Eigen::VectorX<S>& x) const {
    PinocchioWorkspace<S> workspace{model_.cast<S>()};
    algorithm.run(workspace, {x.head(model_.nq), x.segment(model_.nq, model_.nv), x.tail(model_.nv)});
    std::vector<S> y;
    algorithm.results(workspace.data, y);
    return y;
  }

  /// The function `evaluate` of the C. `versions`: of all that decides what the C computes, beside the robot. The text
  /// of the C is not a key: from run to run some subexpressions are shared and ordered differently, and structural
  /// zeros have either sign.
  void* compile(const std::string& function, const std::string& versions, const CSources& sources) const {
    const std::string origin = function + "\n" + model::dump(tree_) + "Pinocchio " PINOCCHIO_VERSION " " +
                               versions + " traced by " FEATHERLINE_BENCH_TRACED_BY "\n";
    return compile_c(tree_.name + "_" + function, origin, sources, "evaluate");
  }

  std::size_t num_inputs() const { return inputs_.front().size(); }
  const std::vector<double>& input(std::size_t k) const { return inputs_[k]; }

 private:
  model::Tree tree_;
  pinocchio::Model model_;
  std::vector<std::vector<double>> inputs_;  // [q; v; a]
  std::map<std::string, std::function<void(std::size_t)>> calls_;
  std::map<std::string, std::vector<double>> results_;
};

/// Peer, or the reason why it cannot represent this robot.
template <class GeneratedPeerOfLibrary>
PeerOrReason make_generated_peer(const model::Tree& tree) {
  const std::string reason = unsupported_by_pinocchio(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<GeneratedPeerOfLibrary>(tree), {}};
}

}  // namespace featherline::bench
