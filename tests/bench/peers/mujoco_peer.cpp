#include <algorithm>

#include "peers/mujoco_model.hpp"
#include "peers/parent_axes.hpp"
#include "peers/peer.hpp"

namespace featherline::bench {

namespace {

/// MuJoCo has the scalar part of a quaternion first, and no other difference in the layout of q.
void quaternions_to_mujoco(const model::Tree& tree, std::vector<double>& q) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.type != model::JointType::floating) continue;
    const auto first = q.begin() + body.joint.idx_q + 3;
    std::rotate(first, first + 3, first + 4);
  }
}

class MujocoPeer final : public InverseDynamicsPeer {
 public:
  explicit MujocoPeer(const model::Tree& tree)
      : tree_{tree},
        model_{build_mujoco_model(tree)},
        data_{mj_makeData(model_.get())},
        tau_(static_cast<std::size_t>(model_->nv)) {}

  std::string version() const override { return mj_versionString(); }

  void prepare(const std::vector<State>& states) override {
    for (State state : states) {
      original_.push_back(state);
      to_parent_axes(tree_, state);
      quaternions_to_mujoco(tree_, state.q);
      states_.push_back(std::move(state));
    }
  }

 private:
  void compute(std::size_t k) override {
    const State& x = states_[k];
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    std::copy(x.q.begin(), x.q.end(), d->qpos);
    std::copy(x.v.begin(), x.v.end(), d->qvel);
    std::copy(x.a.begin(), x.a.end(), d->qacc);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 1, tau_.data());
  }

  std::vector<double> torques(std::size_t k) const override {
    std::vector<double> tau = tau_;
    forces_to_body_axes(tree_, original_[k], tau);
    return tau;
  }

  model::Tree tree_;
  MujocoModel model_;
  MujocoData data_;
  std::vector<State> original_, states_;
  std::vector<double> tau_;
};

}  // namespace

PeerOrReason make_mujoco_peer(const model::Tree& tree) {
  const std::string reason = unsupported_by_mujoco(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<MujocoPeer>(tree), {}};
}

}  // namespace featherline::bench
