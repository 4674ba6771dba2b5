#include <kdl/config.h>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <optional>

#include "peers/parent_axes.hpp"
#include "peers/peer.hpp"

namespace featherline::bench {

namespace {

using model::JointType;

KDL::Vector to_kdl(const model::Vector3& v) { return {v.x(), v.y(), v.z()}; }

KDL::Frame to_kdl(const model::Placement& X) {
  const model::Matrix3& R = X.R;
  return {KDL::Rotation{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)},
          to_kdl(X.p)};
}

/// KDL wants the rotational inertia about the centre of mass.
KDL::RigidBodyInertia to_kdl(const model::Inertia& inertia) {
  if (inertia.mass == 0.0) return KDL::RigidBodyInertia::Zero();
  const model::Vector3 c = inertia.h / inertia.mass;
  const model::Matrix3 shift = c.squaredNorm() * model::Matrix3::Identity() - c * c.transpose();
  const model::Matrix3 J = inertia.J - inertia.mass * shift;
  const KDL::RotationalInertia about_com{J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
  return KDL::RigidBodyInertia{inertia.mass, to_kdl(c), about_com};
}

std::string parent_name(const model::Tree& tree, const model::Body& body) {
  return body.parent < 0 ? "world" : tree.bodies[static_cast<std::size_t>(body.parent)].name;
}

/// A KDL segment starts at the parent's frame, its joint stands at the placement, and its tip is our body
/// frame.
KDL::Segment one_dof_segment(const model::Body& body) {
  const model::Joint& joint = body.joint;
  const auto type = joint.type == JointType::prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
  const KDL::Joint kdl_joint{joint.name, to_kdl(joint.placement.p), to_kdl(joint.placement.R * joint.axis),
                             type};
  return KDL::Segment{body.name, kdl_joint, to_kdl(joint.placement), to_kdl(body.inertia)};
}

/// Two translations and a turn; only the last segment has inertia.
void add_planar(KDL::Tree& kdl, const model::Body& body, const std::string& parent) {
  const KDL::Frame X = to_kdl(body.joint.placement);
  const std::string x = body.name + ".x", y = body.name + ".y";
  kdl.addSegment(KDL::Segment{x, KDL::Joint{x, X.p, X.M.UnitX(), KDL::Joint::TransAxis}, X}, parent);
  kdl.addSegment(KDL::Segment{y, KDL::Joint{y, KDL::Joint::TransY}}, x);
  const KDL::Joint turn{body.joint.name, KDL::Joint::RotZ};
  kdl.addSegment(KDL::Segment{body.name, turn, KDL::Frame::Identity(), to_kdl(body.inertia)}, y);
}

KDL::Tree build(const model::Tree& tree) {
  KDL::Tree kdl{"world"};
  for (const model::Body& body : tree.bodies) {
    const std::string parent = parent_name(tree, body);
    if (body.joint.type == JointType::planar) {
      add_planar(kdl, body, parent);
    } else {
      kdl.addSegment(one_dof_segment(body), parent);
    }
  }
  return kdl;
}

std::string unsupported_part(const model::Tree& tree) {
  for (const model::Body& body : tree.bodies) {
    const JointType type = body.joint.type;
    const bool known = type == JointType::revolute || type == JointType::continuous ||
                       type == JointType::prismatic || type == JointType::planar;
    if (type == JointType::floating) return "KDL's inverse dynamics has no floating base";
    if (!known) return "joint \"" + body.joint.name + "\" has a type KDL does not have";
    if (body.joint.mimics >= 0) return "KDL does not couple mimic joints";
  }
  return {};
}

bool is_chain(const model::Tree& tree) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].parent != static_cast<int>(i) - 1) return false;
  }
  return true;
}

struct JointState {
  KDL::JntArray q, v, a;
};

KDL::JntArray to_kdl(const std::vector<double>& x) {
  KDL::JntArray array{static_cast<unsigned>(x.size())};
  for (std::size_t i = 0; i < x.size(); ++i) array(static_cast<unsigned>(i)) = x[i];
  return array;
}

class KdlPeer final : public InverseDynamicsPeer {
 public:
  explicit KdlPeer(const model::Tree& tree) : tree_{tree}, kdl_{build(tree)} {
    const KDL::Vector gravity = to_kdl(tree.gravity);
    if (is_chain(tree)) {
      kdl_.getChain("world", tree.bodies.back().name, chain_);
      chain_solver_.emplace(chain_, gravity);
      wrenches_.resize(chain_.getNrOfSegments(), KDL::Wrench::Zero());
    } else {
      tree_solver_.emplace(kdl_, gravity);
    }
    tau_.resize(static_cast<unsigned>(tree.nv));
  }

  std::string version() const override { return KDL_VERSION_STRING; }

  void prepare(const std::vector<State>& states) override {
    for (State state : states) {
      original_.push_back(state);
      to_parent_axes(tree_, state);
      states_.push_back({to_kdl(state.q), to_kdl(state.v), to_kdl(state.a)});
    }
  }

 private:
  void compute(std::size_t k) override {
    const JointState& x = states_[k];
    if (chain_solver_) {
      chain_solver_->CartToJnt(x.q, x.v, x.a, wrenches_, tau_);
    } else {
      tree_solver_->CartToJnt(x.q, x.v, x.a, no_wrenches_, tau_);
    }
  }

  std::vector<double> torques(std::size_t k) const override {
    std::vector<double> tau(tau_.data.data(), tau_.data.data() + tau_.data.size());
    forces_to_body_axes(tree_, original_[k], tau);
    return tau;
  }

  model::Tree tree_;
  KDL::Tree kdl_;
  KDL::Chain chain_;
  std::optional<KDL::ChainIdSolver_RNE> chain_solver_;
  std::optional<KDL::TreeIdSolver_RNE> tree_solver_;
  KDL::Wrenches wrenches_;
  KDL::WrenchMap no_wrenches_;
  std::vector<State> original_;
  std::vector<JointState> states_;
  KDL::JntArray tau_;
};

}  // namespace

PeerOrReason make_kdl_peer(const model::Tree& tree) {
  const std::string reason = unsupported_part(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<KdlPeer>(tree), {}};
}

}  // namespace featherline::bench
