// Times of the generic algorithms on the mechanisms of paper 001, as JSON: {"method/branching/links": microseconds}.
//   times SECONDS METHODS BRANCHINGS LINKS      lists with commas; SECONDS for each time
// DMM, AZA and M_inverse are the parts of FDSVA: both products with M^-1, by either method, and M^-1.

#include "generic/aba.hpp"
#include "generic/forward.hpp"
#include "generic/idsva.hpp"
#include "generic/rnea.hpp"
#include "generic/timing.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <memory>

namespace featherline::bench::generic {

namespace {

constexpr int num_samples = 8;

using Samples = std::shared_ptr<const std::vector<Sample>>;
using Call = std::function<void(std::size_t)>;
using Make = std::function<Call(const Model&, const Samples&)>;

template <class Method, class... Arguments>
Call derivatives(const Samples& samples, const Arguments&... arguments) {
  return [method = std::make_shared<Method>(arguments...), samples](std::size_t k) {
    const Sample& x = (*samples)[k];
    method->derivatives(x.q, x.v, x.u);
  };
}

template <class Method>
Make whole() {
  return [](const Model& model, const Samples& samples) { return derivatives<Method>(samples, model); };
}

template <class Derivatives, Product product>
Make inverse_partial() {
  return [](const Model& model, const Samples& samples) {
    return derivatives<InversePartial<Derivatives>>(samples, model, product);
  };
}

template <class Part>
Make part(Part run) {
  return [run](const Model& model, const Samples& samples) -> Call {
    return [products = std::make_shared<Products>(model, samples->front().q), samples, run](std::size_t k) {
      run(*products, (*samples)[k]);
    };
  };
}

const std::map<std::string, Make> methods{
    {"RNEACR", whole<ChainRuleRnea>()},
    {"IDSVA", whole<Idsva>()},
    {"IDSVA-body", whole<IdsvaBody>()},
    {"ABACR", whole<ChainRuleAba>()},
    {"FDCR", inverse_partial<ChainRuleRnea, Product::dmm>()},
    {"FDSVA-DMM", inverse_partial<Idsva, Product::dmm>()},
    {"FDSVA-AZA", inverse_partial<Idsva, Product::aza>()},
    {"DMM", part([](Products& p, const Sample&) { p.dmm(); })},
    {"AZA", part([](Products& p, const Sample&) { p.aza(); })},
    {"M_inverse", part([](Products& p, const Sample& x) {
       p.factor.factor(x.q);
       p.factor.inverse();
     })},
};

/// One mechanism: its methods are sampled in turn.
void time_methods(const std::vector<std::string>& names, int branching, int links, double seconds) {
  const Model model = make_model(paper_tree(links, branching));
  const auto samples =
      std::make_shared<const std::vector<Sample>>(random_samples(links, num_samples, 1.0, 5.0));
  std::vector<Timed> timed;
  for (const std::string& name : names) {
    timed.push_back({name, num_samples, methods.at(name)(model, samples)});
  }
  print_times(timed, std::to_string(branching) + "/" + std::to_string(links), seconds);
}

}  // namespace

}  // namespace featherline::bench::generic

int main(int argc, char** argv) try {
  using namespace featherline::bench::generic;
  if (argc != 5) {
    std::fprintf(stderr, "usage: times SECONDS METHODS BRANCHINGS LINKS\n");
    return 2;
  }
  for (const std::string& branching : split(argv[3])) {
    for (const std::string& links : split(argv[4])) {
      time_methods(split(argv[2]), std::stoi(branching), std::stoi(links), std::stod(argv[1]));
    }
  }
  end_times();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "times: %s\n", error.what());
  return 1;
}
