#include <pinocchio/autodiff/casadi.hpp>  // first: it extends Eigen's classes

#include <casadi/core/casadi_meta.hpp>

#include "peers/generated_peer.hpp"

namespace featherline::bench {

namespace {

using Traced = casadi::SX;

/// What CasADi's C is called by: work arrays are the caller's.
using Function = int (*)(const double** in, double** out, casadi_int* iw, double* w, int memory);

class CasadiPeer final : public GeneratedPeer<Traced> {
 public:
  using GeneratedPeer::GeneratedPeer;

  std::string version() const override { return casadi::CasadiMeta::version(); }

 private:
  struct Work {
    std::vector<const double*> in;
    std::vector<double*> out;
    std::vector<casadi_int> iw;
    std::vector<double> w;
  };

  std::function<void(std::size_t)> generate(const PinocchioAlgorithm<Traced>& algorithm,
                                            std::vector<double>& results) override {
    const Traced x = Traced::sym("x", static_cast<casadi_int>(num_inputs()));
    Eigen::VectorX<Traced> entries(x.size1());
    for (Eigen::Index i = 0; i < entries.size(); ++i) entries[i] = x(i);
    const Traced y = densify(vertcat(trace(algorithm, entries)));
    // With common subexpressions found: without, its code is longer.
    const casadi::Function function("evaluate", {x}, {y}, {{"cse", true}});
    casadi::CodeGenerator c("evaluate.c");
    c.add(function);
    results.resize(static_cast<std::size_t>(y.size1()));
    const auto call = reinterpret_cast<Function>(
        compile(algorithm.function, "CasADi " + version(), {{"evaluate.c", c.dump()}}));
    const auto work = std::make_shared<Work>();
    work->in.resize(function.sz_arg());
    work->out.resize(function.sz_res());
    work->iw.resize(function.sz_iw());
    work->w.resize(function.sz_w());
    work->out[0] = results.data();
    return [this, call, work](std::size_t k) {
      work->in[0] = input(k).data();
      call(work->in.data(), work->out.data(), work->iw.data(), work->w.data(), 0);
    };
  }
};

}  // namespace

PeerOrReason make_casadi_peer(const model::Tree& tree) { return make_generated_peer<CasadiPeer>(tree); }

}  // namespace featherline::bench
