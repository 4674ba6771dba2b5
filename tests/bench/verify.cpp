#include "verify.hpp"

#include "reference/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::bench {

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
