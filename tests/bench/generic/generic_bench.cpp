// The papers' comparison in one run: first-order derivatives of inverse and of forward dynamics by each generic
// method and by emitted code, for serial chains and for trees of branching factor 2 and 5.
// Names: method/branching/links.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "generic/aba.hpp"
#include "generic/forward.hpp"
#include "generic/idsva.hpp"
#include "generic/rnea.hpp"
#include "google_benchmark.hpp"
#include "robot_inputs.hpp"
#include "subject.hpp"

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
  benchmark::RegisterBenchmark(
      fmt::format("{}/{}/{}", name, branching, n).c_str(), [=](benchmark::State& state) {
        const model::UserTree tree = paper_tree(n, branching);
        const Inputs inputs = random_inputs(tree);
        Method method = make(make_model(tree));
        cycle(state, num_states,
              [&](std::size_t k) { method.derivatives(inputs.q[k], inputs.v[k], inputs.u[k]); });
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

/// Emitted functions of the robots paper_<branching>_<links>, under the name emitted/<function>/<branching>/<links>.
void add_emitted(const Subject& subject) {
  std::string shape = subject.robot().name.substr(std::string{"paper"}.size());
  std::replace(shape.begin(), shape.end(), '_', '/');
  for (const EmittedFunction& function : subject.robot().functions) {
    benchmark::RegisterBenchmark(("emitted/" + function.name + shape).c_str(), [&](benchmark::State& state) {
      std::vector<double> output(static_cast<std::size_t>(function.num_outputs));
      benchmark::DoNotOptimize(output.data());
      cycle(state, subject.num_states(),
            [&](std::size_t k) { function.in_double(subject.inputs_double()[k], output.data()); });
    });
  }
}

/// Throws where an emitted function disagrees with the reference solver.
std::vector<std::unique_ptr<Subject>> load_emitted() {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (EmittedRobot& robot : emitted_robots()) {
    subjects.push_back(std::make_unique<Subject>(std::move(robot)));
    for (const auto& [function, error] : verify(*subjects.back())) {
      if (error.in_double <= agreement) continue;
      throw std::runtime_error{
          fmt::format("{} {} is wrong by {:.1e}", subjects.back()->robot().name, function, error.in_double)};
    }
  }
  return subjects;
}

const std::vector<std::string> columns{"RNEACR",    "IDSVA",     "emitted/rnea_derivatives", "ABACR", "FDCR",
                                       "FDSVA-DMM", "FDSVA-AZA", "emitted/aba_derivatives"};

void print_table(const std::map<std::string, double>& best, const std::vector<int>& sizes) {
  fmt::print("\nMicroseconds per call, best repetition.\n\n| branching | N |");
  for (const std::string& column : columns) fmt::print(" {} |", column);
  fmt::print(" RNEACR / IDSVA | FDCR / FDSVA | IDSVA / emitted | FDSVA / emitted |\n| --- |");
  for (std::size_t i = 0; i < columns.size() + 5; ++i) fmt::print(" --: |");
  fmt::print("\n");
  for (const int branching : {1, 2, 5}) {
    for (const int n : sizes) {
      const auto us = [&](const std::string& method) {
        const auto found = best.find(fmt::format("{}/{}/{}", method, branching, n));
        return found == best.end() ? std::nan("") : found->second / 1000.0;
      };
      const auto cell = [](double x) { return std::isnan(x) ? std::string{} : fmt::format("{:.3g}", x); };
      fmt::print("| {} | {} |", branching, n);
      for (const std::string& column : columns) fmt::print(" {} |", cell(us(column)));
      const double fdsva = std::fmin(us("FDSVA-DMM"), us("FDSVA-AZA"));
      fmt::print(" {} | {} | {} | {} |\n", cell(us("RNEACR") / us("IDSVA")), cell(us("FDCR") / fdsva),
                 cell(us("IDSVA") / us("emitted/rnea_derivatives")),
                 cell(fdsva / us("emitted/aba_derivatives")));
    }
  }
}

int run() {
  const std::vector<int> sizes{2, 5, 10, 20, 50, 100, 200, 500};
  for (const int branching : {1, 2, 5}) {
    for (const int n : sizes) add_all(branching, n);
  }
  const auto subjects = load_emitted();
  for (const auto& subject : subjects) add_emitted(*subject);
  MinReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_table(reporter.best(), sizes);
  return 0;
}

}  // namespace

}  // namespace featherline::bench::generic

int main(int argc, char** argv) {
  return featherline::bench::guarded_main(argc, argv, featherline::bench::generic::run);
}
