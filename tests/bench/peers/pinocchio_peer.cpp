#include <cmath>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "peers/peer.hpp"

namespace featherline::bench {

namespace {

using model::JointType;
using pinocchio::Data;
using pinocchio::Model;
using Tensor = Data::Tensor3x;

/// The joint whose axis is aligned with x, y or z where it is, as Pinocchio's reader of URDF chooses.
template <class X, class Y, class Z, class Unaligned>
pinocchio::JointModel along(const model::Vector3& axis) {
  if (axis == model::Vector3::UnitX()) return X();
  if (axis == model::Vector3::UnitY()) return Y();
  if (axis == model::Vector3::UnitZ()) return Z();
  return Unaligned(axis);
}

pinocchio::JointModel joint_model(const model::Joint& joint) {
  using namespace pinocchio;
  switch (joint.type) {
    case JointType::floating:
      return JointModelFreeFlyer();
    case JointType::planar:
      return JointModelPlanar();
    case JointType::spherical:
      return JointModelSpherical();
    case JointType::prismatic:
      return along<JointModelPX, JointModelPY, JointModelPZ, JointModelPrismaticUnaligned>(joint.axis);
    case JointType::continuous:
      return along<JointModelRUBX, JointModelRUBY, JointModelRUBZ, JointModelRevoluteUnboundedUnaligned>(
          joint.axis);
    default:
      return along<JointModelRX, JointModelRY, JointModelRZ, JointModelRevoluteUnaligned>(joint.axis);
  }
}

pinocchio::Inertia to_pinocchio(const model::Inertia& inertia) {
  if (inertia.mass == 0.0) return {0.0, model::Vector3::Zero(), inertia.J};
  const model::Vector3 c = inertia.h / inertia.mass;
  const model::Matrix3 shift = c.squaredNorm() * model::Matrix3::Identity() - c * c.transpose();
  return {inertia.mass, c, model::Matrix3(inertia.J - inertia.mass * shift)};
}

Model build(const model::Tree& tree) {
  Model model;
  model.gravity.linear(tree.gravity);
  std::vector<pinocchio::JointIndex> joint_of_body;
  for (const model::Body& body : tree.bodies) {
    const pinocchio::JointIndex parent =
        body.parent < 0 ? 0 : joint_of_body[static_cast<std::size_t>(body.parent)];
    const model::Placement& X = body.joint.placement;
    joint_of_body.push_back(
        model.addJoint(parent, joint_model(body.joint), pinocchio::SE3(X.R, X.p), body.joint.name));
    model.appendBodyToJoint(joint_of_body.back(), to_pinocchio(body.inertia));
  }
  return model;
}

struct Input {
  Eigen::VectorXd q, v, a;
};

/// Tensors are cleared once: Pinocchio writes what is not structurally zero.
struct Workspace {
  explicit Workspace(const model::Tree& tree) : model{build(tree)}, data{model} {}

  void allocate_tensors() {
    for (Tensor& T : tensors) T = Tensor(model.nv, model.nv, model.nv), T.setZero();
  }

  Model model;
  Data data;
  std::array<Tensor, 4> tensors;
};

void append(std::vector<double>& list, const Eigen::MatrixXd& A) {
  list.insert(list.end(), A.data(), A.data() + A.size());
}

/// Of a matrix with an upper triangle alone.
Eigen::MatrixXd full(const Eigen::MatrixXd& upper) { return upper.selfadjointView<Eigen::Upper>(); }

/// An algorithm, and its results in the order of the emitted outputs.
struct Algorithm {
  const char* function;
  void (*run)(Workspace&, const Input&);
  void (*results)(const Workspace&, std::vector<double>&);
};

const Algorithm algorithms[] = {
    {"rnea", [](Workspace& w, const Input& x) { pinocchio::rnea(w.model, w.data, x.q, x.v, x.a); },
     [](const Workspace& w, std::vector<double>& y) { append(y, w.data.tau); }},
    {"bias", [](Workspace& w, const Input& x) { pinocchio::nonLinearEffects(w.model, w.data, x.q, x.v); },
     [](const Workspace& w, std::vector<double>& y) { append(y, w.data.nle); }},
    {"gravity",
     [](Workspace& w, const Input& x) { pinocchio::computeGeneralizedGravity(w.model, w.data, x.q); },
     [](const Workspace& w, std::vector<double>& y) { append(y, w.data.g); }},
    {"mass_matrix", [](Workspace& w, const Input& x) { pinocchio::crba(w.model, w.data, x.q); },
     [](const Workspace& w, std::vector<double>& y) { append(y, full(w.data.M)); }},
    {"aba", [](Workspace& w, const Input& x) { pinocchio::aba(w.model, w.data, x.q, x.v, x.a); },
     [](const Workspace& w, std::vector<double>& y) { append(y, w.data.ddq); }},
    {"minv", [](Workspace& w, const Input& x) { pinocchio::computeMinverse(w.model, w.data, x.q); },
     [](const Workspace& w, std::vector<double>& y) { append(y, full(w.data.Minv)); }},
    {"rnea_derivatives",
     [](Workspace& w, const Input& x) { pinocchio::computeRNEADerivatives(w.model, w.data, x.q, x.v, x.a); },
     [](const Workspace& w, std::vector<double>& y) {
       append(y, w.data.dtau_dq);
       append(y, w.data.dtau_dv);
     }},
    {"aba_derivatives",
     [](Workspace& w, const Input& x) { pinocchio::computeABADerivatives(w.model, w.data, x.q, x.v, x.a); },
     [](const Workspace& w, std::vector<double>& y) {
       append(y, w.data.ddq_dq);
       append(y, w.data.ddq_dv);
       append(y, full(w.data.Minv));
     }},
    {"rnea_second_derivatives",
     [](Workspace& w, const Input& x) {
       auto& [dqdq, dvdv, dqdv, dM_dq] = w.tensors;
       pinocchio::ComputeRNEASecondOrderDerivatives(w.model, w.data, x.q, x.v, x.a, dqdq, dvdv, dqdv, dM_dq);
     },
     [](const Workspace& w, std::vector<double>& y) {
       for (const Tensor& T : w.tensors) y.insert(y.end(), T.data(), T.data() + T.size());
     }},
};

const Algorithm* find(const std::string& function) {
  for (const Algorithm& algorithm : algorithms) {
    if (algorithm.function == function) return &algorithm;
  }
  return nullptr;
}

class PinocchioPeer final : public Peer {
 public:
  explicit PinocchioPeer(const model::Tree& tree) : tree_{tree}, workspace_{tree} {}

  void prepare(const std::vector<State>& states) override {
    const auto vector = [](const std::vector<double>& x) {
      return Eigen::VectorXd(
          Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
    };
    for (const State& x : states) inputs_.push_back({positions(x.q), vector(x.v), vector(x.a)});
  }

  std::function<void(std::size_t)> computation(const std::string& function) override {
    const Algorithm* algorithm = find(function);
    if (algorithm == nullptr) return {};
    if (function == "rnea_second_derivatives") workspace_.allocate_tensors();
    return [this, run = algorithm->run](std::size_t k) { run(workspace_, inputs_[k]); };
  }

  std::vector<double> results(const std::string& function, std::size_t) const override {
    std::vector<double> list;
    find(function)->results(workspace_, list);
    return list;
  }

 private:
  /// Continuous and planar joints have the cosine and the sine of their angle.
  Eigen::VectorXd positions(const std::vector<double>& q) const {
    std::vector<double> list;
    for (const model::Body& body : tree_.bodies) {
      const auto first = q.begin() + body.joint.idx_q;
      const bool has_unit_circle =
          body.joint.type == JointType::continuous || body.joint.type == JointType::planar;
      const int plain = body.joint.nq - (has_unit_circle ? 1 : 0);
      list.insert(list.end(), first, first + plain);
      if (has_unit_circle) list.insert(list.end(), {std::cos(first[plain]), std::sin(first[plain])});
    }
    return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
  }

  model::Tree tree_;
  Workspace workspace_;
  std::vector<Input> inputs_;
};

std::string unsupported(const model::Tree& tree) {
  for (const model::Body& body : tree.bodies) {
    const JointType type = body.joint.type;
    if (type == JointType::cylindrical || type == JointType::helical || type == JointType::universal)
      return "joint \"" + body.joint.name + "\" is of a type that is not compared";
    if (body.joint.mimics >= 0) return "mimic joints that are coupled are not compared";
  }
  return {};
}

}  // namespace

PeerOrReason make_pinocchio_peer(const model::Tree& tree) {
  const std::string reason = unsupported(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<PinocchioPeer>(tree), {}};
}

}  // namespace featherline::bench
