// The papers' comparison in one run: first-order derivatives of inverse and of forward dynamics by each
// generic method, for serial chains and for trees of branching factor 2 and 5. Names: method/branching/links.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "generic/aba.hpp"
#include "generic/forward.hpp"
#include "generic/idsva.hpp"
#include "generic/rnea.hpp"
#include "min_reporter.hpp"
#include "state.hpp"

namespace featherline::bench::generic {

namespace {

constexpr int num_states = 16;

struct Inputs {
  std::vector<VectorXd> q, v, u;  ///< u: accelerations or torques
};

Inputs random_inputs(const model::Tree& tree) {
  Inputs inputs;
  for (const State& state : random_states(tree, num_states)) {
    const auto vector = [](const std::vector<double>& x) {
      return Eigen::Map<const VectorXd>{x.data(), static_cast<Eigen::Index>(x.size())};
    };
    inputs.q.emplace_back(vector(state.q));
    inputs.v.emplace_back(0.1 * vector(state.v));
    inputs.u.emplace_back(0.1 * vector(state.a));
  }
  return inputs;
}

template <class Method>
void add(const std::string& name, int branching, int n, Method (*make)(const Model&)) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", name, branching, n).c_str(),
                               [=](benchmark::State& state) {
                                 const model::Tree tree = paper_tree(n, branching);
                                 const Inputs inputs = random_inputs(tree);
                                 Method method = make(make_model(tree));
                                 std::size_t k = 0;
                                 for (auto _ : state) {
                                   method.derivatives(inputs.q[k], inputs.v[k], inputs.u[k]);
                                   benchmark::ClobberMemory();
                                   k = (k + 1) % num_states;
                                 }
                               });
}

template <class Derivatives, Product product>
InversePartial<Derivatives> make_inverse_partial(const Model& model) {
  return {model, product};
}

template <class Method>
Method make(const Model& model) {
  return Method{model};
}

void add_all(int branching, int n) {
  add("RNEACR", branching, n, make<ChainRuleRnea>);
  add("IDSVA", branching, n, make<Idsva>);
  add("ABACR", branching, n, make<ChainRuleAba>);
  add("FDCR", branching, n, make_inverse_partial<ChainRuleRnea, Product::dmm>);
  add("FDSVA-DMM", branching, n, make_inverse_partial<Idsva, Product::dmm>);
  add("FDSVA-AZA", branching, n, make_inverse_partial<Idsva, Product::aza>);
}

void print_table(const std::map<std::string, double>& best, const std::vector<int>& sizes) {
  fmt::print(
      "\nMicroseconds per call, best repetition; ratio IDSVA: RNEACR / IDSVA, ratio FDSVA: FDCR / "
      "FDSVA.\n\n");
  fmt::print("| branching | N | RNEACR | IDSVA | ratio | ABACR | FDCR | FDSVA-DMM | FDSVA-AZA | ratio |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const int branching : {1, 2, 5}) {
    for (const int n : sizes) {
      const auto us = [&](const char* method) {
        const auto found = best.find(fmt::format("{}/{}/{}", method, branching, n));
        return found == best.end() ? 0.0 : found->second / 1000.0;
      };
      if (us("IDSVA") == 0.0) continue;
      const double fdsva = std::min(us("FDSVA-DMM"), us("FDSVA-AZA"));
      fmt::print("| {} | {} | {:.4g} | {:.4g} | {:.2f} | {:.4g} | {:.4g} | {:.4g} | {:.4g} | {:.2f} |\n",
                 branching, n, us("RNEACR"), us("IDSVA"), us("RNEACR") / us("IDSVA"), us("ABACR"), us("FDCR"),
                 us("FDSVA-DMM"), us("FDSVA-AZA"), us("FDCR") / fdsva);
    }
  }
}

}  // namespace

int run(int argc, char** argv) {
  const std::vector<int> sizes{2, 5, 10, 20, 50, 100, 200, 500};
  for (const int branching : {1, 2, 5}) {
    for (const int n : sizes) add_all(branching, n);
  }
  benchmark::Initialize(&argc, argv);
  MinReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_table(reporter.best(), sizes);
  return 0;
}

}  // namespace featherline::bench::generic

int main(int argc, char** argv) { return featherline::bench::generic::run(argc, argv); }
