#include <pinocchio/codegen/cppadcg.hpp>  // first: it extends Eigen's classes

#include <cppad/cg/configure.hpp>

#include "peers/generated_peer.hpp"

namespace featherline::bench {

namespace {

namespace cg = CppAD::cg;
using Code = cg::CG<double>;     // prints operations
using Traced = CppAD::AD<Code>;  // records them, so that CppAD optimises before they are printed
using Vector = Eigen::VectorX<Traced>;

/// in[0] is [q; v; a], out[0] are the results.
using Function = void (*)(const double* const* in, double* const* out, LangCAtomicFun);

CSources print(CppAD::ADFun<Code>& function) {
  cg::CodeHandler<double> handler;
  std::vector<Code> x(function.Domain());
  handler.makeVariables(x);
  std::vector<Code> y = function.Forward(0, x);
  CSources sources;
  cg::LanguageC<double> c("double");
  c.setGenerateFunction("evaluate");
  c.setMaxAssignmentsPerFunction(20'000, &sources);  // the library's default where it writes a whole model
  c.setParameterPrecision(17);                       // by default 15 digits, which is not exact
  cg::LangCDefaultVariableNameGenerator<double> names;
  std::ostringstream ignored;  // the same text as in `sources`
  handler.generateCode(ignored, c, y, names);
  return sources;
}

class CppadcodegenPeer final : public GeneratedPeer<Traced> {
 public:
  using GeneratedPeer::GeneratedPeer;

  std::string version() const override { return CPPAD_CG_VERSION; }

 private:
  std::function<void(std::size_t)> generate(const PinocchioAlgorithm<Traced>& algorithm,
                                            std::vector<double>& results) override {
    Vector x(static_cast<Eigen::Index>(num_inputs()));
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = input(0)[static_cast<std::size_t>(i)];
    CppAD::Independent(x);
    std::vector<Traced> y = trace(algorithm, x);
    CppAD::ADFun<Code> function;
    function.Dependent(x, Vector(Eigen::Map<Vector>(y.data(), static_cast<Eigen::Index>(y.size()))));
    function.optimize("no_compare_op");  // as Pinocchio's own generator does
    results.resize(function.Range());
    const auto call = reinterpret_cast<Function>(
        compile(algorithm.function, CPPAD_PACKAGE_STRING " " CPPAD_CG_VERSION, print(function)));
    return [this, call, out = results.data()](std::size_t k) mutable {
      const double* in = input(k).data();
      call(&in, &out, {});
    };
  }
};

}  // namespace

PeerOrReason make_cppadcodegen_peer(const model::Tree& tree) {
  return make_generated_peer<CppadcodegenPeer>(tree);
}

}  // namespace featherline::bench
