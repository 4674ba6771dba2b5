// Errors of the generic algorithms against complex step by the reference solver, on the mechanisms of paper 001, as
// JSON: {"method/branching/links": [term by term, of the larger terms, of the whole]}: root mean squares, the worse of
// the derivatives by q and by v, the median over the states.
//   accuracy STATES BRANCHINGS LINKS      lists with commas

#include "generic/aba.hpp"
#include "generic/forward.hpp"
#include "generic/idsva.hpp"
#include "generic/rnea.hpp"
#include "generic/timing.hpp"
#include "reference/solver.hpp"
#include "support/derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace featherline::bench::generic {

namespace {

/// Term by term, as paper 001 takes it; the same without entries below 1e-6 of the largest, for in a chain entries fall
/// with the distance of the joints, to 1e-20 of the largest; and the rms of the error over that of the values.
struct Error {
  double of_terms = 0, of_larger_terms = 0, of_whole = 0;
};

double rms_of_terms(const MatrixXd& x, const MatrixXd& expected, double least) {
  double sum = 0;
  int count = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double value = expected.data()[i];
    if (std::abs(value) <= least) continue;
    const double relative = (x.data()[i] - value) / value;
    sum += relative * relative;
    ++count;
  }
  return std::sqrt(sum / count);
}

Error error_of(const MatrixXd& x, const MatrixXd& expected) {
  return {rms_of_terms(x, expected, 0.0), rms_of_terms(x, expected, 1e-6 * expected.cwiseAbs().maxCoeff()),
          (x - expected).norm() / expected.norm()};
}

Error worse(const Error& x, const Error& y) {
  return {std::max(x.of_terms, y.of_terms), std::max(x.of_larger_terms, y.of_larger_terms),
          std::max(x.of_whole, y.of_whole)};
}

using Errors = std::map<std::string, std::vector<Error>>;

template <class Method>
void inverse(Errors& errors, const std::string& name, const model::Tree& tree, const Sample& x,
             const test::RneaDerivatives& expected) {
  Method method{make_model(tree)};
  method.derivatives(x.q, x.v, x.u);
  errors[name].push_back(
      worse(error_of(method.dtau_dq(), expected.dtau_dq), error_of(method.dtau_dv(), expected.dtau_dv)));
}

template <class Method>
void forward(Errors& errors, const std::string& name, Method method, const Sample& x, const VectorXd& tau,
             const test::AbaDerivatives& expected) {
  method.derivatives(x.q, x.v, tau);
  errors[name].push_back(
      worse(error_of(method.da_dq(), expected.da_dq), error_of(method.da_dv(), expected.da_dv)));
}

void add_errors(Errors& errors, const model::Tree& tree, const Sample& x) {
  const Model model = make_model(tree);
  const auto of_inverse = test::rnea_derivatives(tree, x.q, x.v, x.u);
  inverse<ChainRuleRnea>(errors, "RNEACR", tree, x, of_inverse);
  inverse<Idsva>(errors, "IDSVA", tree, x, of_inverse);
  inverse<IdsvaBody>(errors, "IDSVA-body", tree, x, of_inverse);
  const VectorXd tau = reference::Solver<double>{tree}.rnea(x.q, x.v, x.u);
  const auto of_forward = test::aba_derivatives(tree, x.q, x.v, tau);
  forward(errors, "ABACR", ChainRuleAba{model}, x, tau, of_forward);
  forward(errors, "FDCR", InversePartial<ChainRuleRnea>{model, Product::dmm}, x, tau, of_forward);
  forward(errors, "FDSVA-DMM", InversePartial<Idsva>{model, Product::dmm}, x, tau, of_forward);
  forward(errors, "FDSVA-AZA", InversePartial<Idsva>{model, Product::aza}, x, tau, of_forward);
}

template <class Member>
double median(std::vector<Error> errors, Member member) {
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end(),
                   [&](const Error& x, const Error& y) { return x.*member < y.*member; });
  return (*middle).*member;
}

void print_errors(int num_states, int branching, int links) {
  const model::UserTree tree = paper_tree(links, branching);
  Errors errors;
  for (const Sample& x : random_samples(links, num_states, 1.0, 5.0)) add_errors(errors, tree, x);
  static const char* separator = "{";
  for (const auto& [name, of_states] : errors) {
    std::printf("%s\n\"%s/%d/%d\": [%.2g, %.2g, %.2g]", separator, name.c_str(), branching, links,
                median(of_states, &Error::of_terms), median(of_states, &Error::of_larger_terms),
                median(of_states, &Error::of_whole));
    separator = ",";
  }
  std::fflush(stdout);
}

}  // namespace

}  // namespace featherline::bench::generic

int main(int argc, char** argv) try {
  using namespace featherline::bench::generic;
  if (argc != 4) {
    std::fprintf(stderr, "usage: accuracy STATES BRANCHINGS LINKS\n");
    return 2;
  }
  for (const std::string& branching : split(argv[2])) {
    for (const std::string& links : split(argv[3])) {
      print_errors(std::stoi(argv[1]), std::stoi(branching), std::stoi(links));
    }
  }
  end_times();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "accuracy: %s\n", error.what());
  return 1;
}
