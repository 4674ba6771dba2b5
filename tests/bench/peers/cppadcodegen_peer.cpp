#include <pinocchio/codegen/cppadcg.hpp>  // first: it extends Eigen's classes

#include <cppad/cg/configure.hpp>

#include "peers/generated_c.hpp"
#include "peers/peer.hpp"
#include "peers/pinocchio_algorithms.hpp"

namespace featherline::bench {

namespace {

namespace cg = CppAD::cg;
using Code = cg::CG<double>;     // prints operations
using Traced = CppAD::AD<Code>;  // records them, so that CppAD optimises before they are printed
using Vector = Eigen::VectorX<Traced>;

/// The generated C, called raw: in[0] is [q; v; a], out[0] are the results.
using Function = void (*)(const double* const* in, double* const* out, LangCAtomicFun);
constexpr const char* function_name = "evaluate";

/// Pinocchio's algorithm as a function of [q; v; a], `at` a state where it is defined.
CppAD::ADFun<Code> trace(const pinocchio::Model& model, const PinocchioAlgorithm<Traced>& algorithm,
                         const std::vector<double>& at) {
  PinocchioWorkspace<Traced> workspace{model.cast<Traced>()};
  Vector x(static_cast<Eigen::Index>(at.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = at[static_cast<std::size_t>(i)];
  CppAD::Independent(x);
  algorithm.run(workspace, {x.head(model.nq), x.segment(model.nq, model.nv), x.tail(model.nv)});
  std::vector<Traced> y;
  algorithm.results(workspace.data, y);
  CppAD::ADFun<Code> function;
  function.Dependent(x, Vector(Eigen::Map<Vector>(y.data(), static_cast<Eigen::Index>(y.size()))));
  function.optimize("no_compare_op");  // as Pinocchio's own generator does
  return function;
}

CSources print(CppAD::ADFun<Code>& function) {
  cg::CodeHandler<double> handler;
  std::vector<Code> x(function.Domain());
  handler.makeVariables(x);
  std::vector<Code> y = function.Forward(0, x);
  CSources sources;
  cg::LanguageC<double> c("double");
  c.setGenerateFunction(function_name);
  c.setMaxAssignmentsPerFunction(20'000, &sources);  // the library's default where it writes a whole model
  c.setParameterPrecision(17);                       // by default 15 digits, which is not exact
  cg::LangCDefaultVariableNameGenerator<double> names;
  std::ostringstream ignored;  // the same text as in `sources`
  handler.generateCode(ignored, c, y, names);
  return sources;
}

/// All that decides what the C computes. Its text is not a key: from run to run some subexpressions are shared and
/// ordered differently, and structural zeros have either sign.
std::string origin_of(const model::Tree& tree, const std::string& function) {
  return function + "\n" + model::dump(tree) +
         "Pinocchio " PINOCCHIO_VERSION " " CPPAD_PACKAGE_STRING " " CPPAD_CG_VERSION
         " traced by " FEATHERLINE_BENCH_TRACED_BY "\n";
}

class CppadcodegenPeer final : public Peer {
 public:
  explicit CppadcodegenPeer(const model::Tree& tree) : tree_{tree}, model_{build_pinocchio_model(tree)} {}

  std::string version() const override { return CPPAD_CG_VERSION; }

  void prepare(const std::vector<State>& states) override {
    for (const State& state : states) {
      const Eigen::VectorXd q = pinocchio_positions(tree_, state.q);
      std::vector<double>& x = inputs_.emplace_back(q.begin(), q.end());
      x.insert(x.end(), state.v.begin(), state.v.end());
      x.insert(x.end(), state.a.begin(), state.a.end());
    }
  }

  std::function<void(std::size_t)> computation(const std::string& function) override {
    const PinocchioAlgorithm<Traced>* algorithm = find_pinocchio_algorithm<Traced>(function);
    if (algorithm == nullptr) return {};
    const auto [found, is_new] = generated_.try_emplace(function);
    Generated& generated = found->second;
    if (is_new) generate(*algorithm, generated);
    return [this, &generated](std::size_t k) {
      const double* in = inputs_[k].data();
      double* out = generated.results.data();
      generated.call(&in, &out, {});
    };
  }

  std::vector<double> results(const std::string& function, std::size_t) const override {
    return generated_.at(function).results;
  }

 private:
  struct Generated {
    Function call = nullptr;
    std::vector<double> results;
  };

  void generate(const PinocchioAlgorithm<Traced>& algorithm, Generated& generated) {
    CppAD::ADFun<Code> function = trace(model_, algorithm, inputs_[0]);
    generated.results.resize(function.Range());
    generated.call = reinterpret_cast<Function>(compile_c(tree_.name + "_" + algorithm.function,
                                                          origin_of(tree_, algorithm.function),
                                                          print(function), function_name));
  }

  model::Tree tree_;
  pinocchio::Model model_;
  std::vector<std::vector<double>> inputs_;  // [q; v; a]
  std::map<std::string, Generated> generated_;
};

}  // namespace

PeerOrReason make_cppadcodegen_peer(const model::Tree& tree) {
  const std::string reason = unsupported_by_pinocchio(tree);
  if (!reason.empty()) return {nullptr, reason};
  return {std::make_unique<CppadcodegenPeer>(tree), {}};
}

}  // namespace featherline::bench
