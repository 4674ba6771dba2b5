#include "subject.hpp"

#include "reference/expected.hpp"
#include "robot_inputs.hpp"
#include "support/derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace featherline::bench {

namespace {

constexpr int states_per_robot = 16;  // their inputs stay in the first-level cache, as a controller's do

Eigen::VectorXd to_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>{x.data(), static_cast<Eigen::Index>(x.size())};
}

Eigen::VectorXd flatten(const reference::Pose<double>& pose) {
  Eigen::VectorXd flat(12);
  flat << pose.R.reshaped(), pose.p;
  return flat;
}

Eigen::VectorXd flatten(const test::RneaDerivatives& d) {
  Eigen::VectorXd flat(2 * d.dtau_dq.size());
  flat << d.dtau_dq.reshaped(), d.dtau_dv.reshaped();
  return flat;
}

Eigen::VectorXd flatten(const test::AbaDerivatives& d) {
  Eigen::VectorXd flat(3 * d.da_dq.size());
  flat << d.da_dq.reshaped(), d.da_dv.reshaped(), d.da_dtau.reshaped();
  return flat;
}

}  // namespace

std::vector<NamedPeer> make_peers([[maybe_unused]] const model::Tree& tree,
                                  [[maybe_unused]] const Chosen& chosen,
                                  [[maybe_unused]] const std::vector<State>& states) {
  std::vector<NamedPeer> peers;
  [[maybe_unused]] const auto add = [&](const char* name, PeerOrReason made) {
    if (made.peer) made.peer->prepare(states);
    peers.push_back({name, std::move(made.peer), {}, {}});
    if (!made.reason.empty()) peers.back().reasons.push_back(std::move(made.reason));
  };
#ifdef FEATHERLINE_BENCH_MUJOCO
  add("MuJoCo", make_mujoco_peer(tree));
#endif
#ifdef FEATHERLINE_BENCH_KDL
  add("KDL", make_kdl_peer(tree));
#endif
#ifdef FEATHERLINE_BENCH_PINOCCHIO
  add("Pinocchio", make_pinocchio_peer(tree, chosen));
#endif
#ifdef FEATHERLINE_BENCH_CPPADCODEGEN
  add("CppADCodeGen", make_cppadcodegen_peer(tree));
#endif
#ifdef FEATHERLINE_BENCH_CASADI
  add("CasADi", make_casadi_peer(tree));
#endif
  return peers;
}

template <class S>
InputArrays<S>::InputArrays(const std::vector<State>& states, int link) : link_{link} {
  for (const State& state : states) {
    q_.emplace_back(state.q.begin(), state.q.end());
    v_.emplace_back(state.v.begin(), state.v.end());
    a_.emplace_back(state.a.begin(), state.a.end());
  }
}

template class InputArrays<double>;
template class InputArrays<float>;

Subject::Subject(EmittedRobot robot)
    : robot_{std::move(robot)},
      tree_{read_tree(robot_.urdf, robot_.floating_base)},
      facts_{read_facts(robot_.manifest)},
      link_{deepest_link(tree_)},
      states_{random_states(tree_, states_per_robot)},
      inputs_double_{states_, link_},
      inputs_float_{states_, link_},
      solver_{tree_},
      peers_{make_peers(tree_, {link_, {}, {}}, states_)} {
  for (const State& x : states_) reference_states_.push_back({to_eigen(x.q), to_eigen(x.v), to_eigen(x.a)});
}

Eigen::VectorXd Subject::link_poses(const Eigen::VectorXd& q) {
  const auto num_links = static_cast<Eigen::Index>(tree_.links.size());
  Eigen::VectorXd all(12 * num_links);
  for (Eigen::Index l = 0; l < num_links; ++l) {
    const reference::Pose<double> pose = solver_.link_pose(q, static_cast<int>(l));
    all.segment<3>(3 * l) = pose.p;
    all.segment<9>(3 * num_links + 9 * l) = pose.R.reshaped();
  }
  return all;
}

Eigen::VectorXd Subject::reference(const std::string& function, std::size_t k) {
  const ReferenceState& x = reference_states_[k];
  if (function == "rnea") return solver_.rnea(x.q, x.v, x.a);
  if (function == "bias") return solver_.bias(x.q, x.v);
  if (function == "gravity") return solver_.gravity(x.q);
  if (function == "mass_matrix") return solver_.crba(x.q).reshaped();
  if (function == "frame_jacobian") return solver_.frame_jacobian(x.q, link_).reshaped();
  if (function == "forward_kinematics") return flatten(solver_.link_pose(x.q, link_));
  if (function == "link_poses") return link_poses(x.q);
  if (function == "aba") return solver_.aba(x.q, x.v, x.a);
  if (function == "minv") return solver_.minv(x.q).reshaped();
  if (function == "rnea_derivatives") return flatten(test::rnea_derivatives(tree_, x.q, x.v, x.a));
  if (function == "aba_derivatives") return flatten(test::aba_derivatives(tree_, x.q, x.v, x.a));
  throw std::runtime_error{"the benches know no reference for " + function};
}

namespace {

template <class S>
double error(const std::vector<S>& x, const Eigen::VectorXd& expected) {
  return reference::array_error(x, expected).relative;
}

template <class S>
double emitted_error(Subject& subject, const EmittedFunction& function, Call<S> call,
                     const InputArrays<S>& inputs) {
  double worst = 0.0;
  std::vector<S> output(static_cast<std::size_t>(function.num_outputs));
  for (std::size_t k = 0; k < subject.num_states(); ++k) {
    call(inputs[k], output.data());
    const double e = error(output, subject.reference(function.name, k));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

double peer_error(Subject& subject, Peer& peer, const std::string& function) {
  double worst = 0.0;
  const std::function<void(std::size_t)> compute = peer.computation(function);
  for (std::size_t k = 0; k < subject.num_states(); ++k) {
    compute(k);
    const double e = error(peer.results(function, k), subject.reference(function, k));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

/// Keeps the functions that agree with the reference solver.
void verify_peer(Subject& subject, NamedPeer& named) {
  for (const EmittedFunction& f : subject.robot().functions) {
    if (!named.peer || !named.peer->computation(f.name)) continue;
    const double e = peer_error(subject, *named.peer, f.name);
    if (e <= agreement)
      named.functions.push_back(f.name);
    else
      named.reasons.push_back(fmt::format("{} differs from the reference solver by {:.1e}", f.name, e));
  }
}

}  // namespace

std::map<std::string, Errors> verify(Subject& subject) {
  std::map<std::string, Errors> errors;
  for (const EmittedFunction& f : subject.robot().functions) {
    errors[f.name] = {emitted_error(subject, f, f.in_double, subject.inputs_double()),
                      emitted_error(subject, f, f.in_float, subject.inputs_float())};
  }
  for (NamedPeer& named : subject.peers()) verify_peer(subject, named);
  return errors;
}

}  // namespace featherline::bench
