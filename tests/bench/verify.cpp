#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::bench {

namespace {

constexpr double double_tolerance = 1e-10, float_tolerance = 1e-3;

/// Relative to the largest entry, as ../shared/reference states its agreement.
template <class S>
double error(const std::vector<S>& x, const Eigen::VectorXd& expected) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(static_cast<double>(x[static_cast<std::size_t>(i)]) - expected[i]);
    if (!(difference <= largest)) largest = difference;  // keeps NaN
  }
  return largest / std::max(1.0, expected.cwiseAbs().maxCoeff());
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

double peer_error(Subject& subject, Peer& peer) {
  double worst = 0.0;
  for (std::size_t k = 0; k < subject.num_states(); ++k) {
    peer.compute(k);
    worst = std::max(worst, error(peer.torques(k), subject.reference("rnea", k)));
  }
  return worst;
}

}  // namespace

std::vector<std::string> verify(Subject& subject) {
  std::vector<std::string> faults;
  const auto expect = [&](const std::string& what, double error, double tolerance) {
    if (error <= tolerance) return;
    faults.push_back(fmt::format("{} {}: relative error {:.1e}", subject.robot().name, what, error));
  };
  for (const EmittedFunction& f : subject.robot().functions) {
    expect(f.name, emitted_error(subject, f, f.in_double, subject.inputs_double()), double_tolerance);
    expect(f.name + " in float", emitted_error(subject, f, f.in_float, subject.inputs_float()),
           float_tolerance);
  }
  for (NamedPeer& named : subject.peers()) {
    if (!named.peer) continue;
    const double e = peer_error(subject, *named.peer);
    if (e <= double_tolerance) continue;
    named.peer.reset();
    named.reason = fmt::format("differs from the reference solver by {:.1e}", e);
  }
  return faults;
}

}  // namespace featherline::bench
