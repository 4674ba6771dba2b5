#include "algorithms/frame_roots.hpp"
#include "algorithms/registry.hpp"
#include "lowering.hpp"
#include "model/canonical.hpp"
#include "model/regroup.hpp"
#include "support/shared_reference.hpp"
#include "urdf/reader.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace featherline;

namespace {

/// Flops of the cheapest formulation after simplification: what the generator reports.
int flops(const std::string& function, const model::Tree& tree) {
  int fewest = -1;
  for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
    if (algorithm.name != function) continue;
    for (const algorithms::Formulation& formulation : algorithm.formulations) {
      if (formulation.in_loops || (formulation.applies && !formulation.applies(tree))) continue;
      const int count = expr::count_cost(simplify(formulation.trace(tree))).flops;
      if (fewest < 0 || count < fewest) fewest = count;
    }
  }
  return fewest;
}

model::Tree tracing_tree(const std::string& robot, bool floating_base) {
  Diagnostics findings;
  const auto path = test::shared_dir_or_skip() / "robots" / (robot + ".urdf");
  model::BuildOptions options;
  options.floating_base = floating_base;
  options.mimic_independent = true;
  const model::Tree tree = model::build_tree(urdf::read_file(path.string(), findings), options, findings);
  REQUIRE(!findings.has_errors());
  model::Tree regrouped = model::regroup_inertias(model::canonicalise(tree));
  regrouped.frame_roots = algorithms::choose_frame_roots(regrouped);
  return regrouped;
}

using Budgets = std::map<std::string, int>;

void check(const std::string& robot, bool floating_base, const Budgets& budgets) {
  const model::Tree tree = tracing_tree(robot, floating_base);
  for (const auto& [function, budget] : budgets) {
    const int count = flops(function, tree);
    CAPTURE(robot);
    CAPTURE(function);
    CHECK(count > 0);
    CHECK(count <= budget);
  }
}

}  // namespace

TEST_CASE("flops of the robots in ../shared stay within what has been reached") {
  check("ur5", false,
        {{"rnea", 277},
         {"mass_matrix", 133},
         {"aba", 524},
         {"minv", 303},
         {"rnea_derivatives", 943},
         {"aba_derivatives", 2090},
         {"rnea_second_derivatives", 1793},
         {"aba_second_derivatives", 10776},
         {"rnea_vector_hessian", 1544},
         {"aba_vector_hessian", 3245}});
  check("panda", false,
        {{"rnea", 669},
         {"mass_matrix", 453},
         {"aba", 1447},
         {"rnea_derivatives", 3830},
         {"rnea_second_derivatives", 16172},
         {"rnea_vector_hessian", 6156},
         {"aba_vector_hessian", 11672}});
  check("z1", false, {{"rnea", 579}, {"rnea_derivatives", 2362}, {"rnea_second_derivatives", 6224}});
  check("baxter", false, {{"rnea", 1413}, {"rnea_derivatives", 7840}});
  check("hyq", true,
        {{"rnea", 1394},
         {"mass_matrix", 663},
         {"aba", 3282},
         {"rnea_derivatives", 5932},
         {"aba_derivatives", 18402},
         {"rnea_second_derivatives", 12686},
         {"rnea_vector_hessian", 8248},
         {"aba_vector_hessian", 22674}});
  check("talos_reduced", true,
        {{"rnea", 3598}, {"mass_matrix", 3093}, {"aba", 10150}, {"rnea_derivatives", 23500}});
}
