#include "algorithms/dynamics/articulated_bodies.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/papers/papers.hpp"

namespace featherline::algorithms {
namespace {

/// M = U D U^T of Saha 1997. U and D are never formed: of axis k, D has m^_k, and U has psi_k, which B moves to the
/// axes it hangs on.
class InertiaDecomposition {
 public:
  explicit InertiaDecomposition(Context& context) : c_(context) {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "placement");
      joints_.push_back({joint_motion(c_, i), c_.axes(i), {}, {}});
    }
    std::vector<ArticulatedInertia> articulated(joints_.size());
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "articulated inertia");
      const auto k = index(i);
      articulated[k] = articulated[k] + c_.inertia(i, Grouping::J_xx);
      label(c_, i, articulated[k]);
      const ArticulatedInertia rest = eliminate(i, articulated[k]);
      c_.add_to_parent(i, articulated, [&] { return rest.to_parent(joints_[k].B); });
    }
  }

  /// M^-1 phi: phi~ = U^-1 phi inward, then x = U^-T D^-1 phi~ outward.
  Coordinates solve(const Coordinates& phi) const {
    const std::vector<Coordinates> forces = inward(phi);
    Coordinates x = c_.zeros();
    std::vector<Motion> mu(joints_.size());
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "acceleration");
      const auto k = index(i);
      const Joint& joint = joints_[k];
      if (c_.parent(i) >= 0) mu[k] = joint.B.to_child(mu[index(c_.parent(i))]);
      for (std::size_t r = 0; r < joint.axes.size(); ++r) {
        const Scalar rate = forces[k][r] * joint.inverse_m[r] - dot(joint.psi[r], mu[k]);
        x[index(joint.axes[r].idx_v)] = rate;
        c_.keep(rate);
        mu[k] = mu[k] + joint.axes[r].S * rate;
      }
      c_.label(mu[k], c_.of_body("A", i));
    }
    return x;
  }

 private:
  struct Joint {
    JointMotion B;
    std::vector<JointAxis> axes;
    Coordinates inverse_m;   ///< 1 / m^
    std::vector<Force> psi;  ///< psi^ / m^
  };

  /// From the last axis to the first: psi^ = M^ p, m^ = p^T psi^, and M^ less psi^ psi^T / m^.
  ArticulatedInertia eliminate(int i, ArticulatedInertia rest) {
    Joint& joint = joints_[index(i)];
    const std::size_t n = joint.axes.size();
    joint.inverse_m.resize(n);
    joint.psi.resize(n);
    for (std::size_t k = n; k-- > 0;) {
      const Force psi_hat = rest * joint.axes[k].S;
      Scalar m_hat = dot(psi_hat, joint.axes[k].S);
      if (n == 1) m_hat += c_.number(i, &model::Joint::armature);
      joint.inverse_m[k] = Scalar(1.0) / m_hat;
      joint.psi[k] = c_.label(psi_hat * joint.inverse_m[k], c_.of_axis("UD", i, k, n));
      rest = rest.minus(joint.psi[k], psi_hat);
    }
    return rest;
  }

  /// phi~_k = phi_k - p_k^T eta, by joint and axis. eta is what the axes further out take.
  std::vector<Coordinates> inward(const Coordinates& phi) const {
    std::vector<Force> eta(joints_.size());
    std::vector<Coordinates> forces(joints_.size());
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "force");
      const auto k = index(i);
      const Joint& joint = joints_[k];
      c_.label(eta[k], c_.of_body("P", i));
      forces[k].resize(joint.axes.size());
      for (std::size_t r = joint.axes.size(); r-- > 0;) {
        const JointAxis& axis = joint.axes[r];
        forces[k][r] = phi[index(axis.idx_v)] - dot(eta[k], axis.S);
        c_.label(forces[k][r], c_.of_axis("e", i, r, joint.axes.size()));
        eta[k] = eta[k] + joint.psi[r] * forces[k][r];
      }
      c_.add_to_parent(i, eta, [&] { return joint.B.to_parent(eta[k]); });
    }
    return forces;
  }

  Context& c_;
  std::vector<Joint> joints_;
};

}  // namespace

void aba_by_denoc(Context& context) {
  const InertiaDecomposition decomposition(context);
  context.output("a", decomposition.solve(net_torque(context, context.input("v"), context.input("tau"))));
}

}  // namespace featherline::algorithms
