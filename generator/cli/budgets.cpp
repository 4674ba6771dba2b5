#include "cli/budgets.hpp"

#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::cli {
namespace {

std::string remedy(const Options& options, const std::string& flag, const std::string& function) {
  const bool has_double =
      std::find(options.scalars.begin(), options.scalars.end(), "double") != options.scalars.end();
  return fmt::format("leave {} out of --functions, try another --formulation, {}or raise {}", function,
                     has_double ? "ask for --scalar float alone, " : "", flag);
}

void check_one(const Options& options, const std::string& function, const char* what, int estimate,
               int budget, const std::string& flag, Diagnostics& findings) {
  if (budget == 0 || estimate <= budget) return;
  findings.error(
      {options.urdf, 0, "function " + function},
      fmt::format("{} needs about {} bytes of {}, and {} allows {}", function, estimate, what, flag, budget),
      remedy(options, flag, function));
}

void check_image(const Options& options, const Emission& emission, Diagnostics& findings) {
  if (options.max_image == 0 || emission.image_bytes <= options.max_image || emission.facts.empty()) return;
  const auto is_shorter = [](const emit::FunctionFacts& a, const emit::FunctionFacts& b) {
    return a.code_bytes < b.code_bytes;
  };
  const emit::FunctionFacts& longest =
      *std::max_element(emission.facts.begin(), emission.facts.end(), is_shorter);
  findings.error({options.urdf, 0, "all functions"},
                 fmt::format("all functions together, with what they share, need about {} bytes of code, and "
                             "--max-image allows {}",
                             emission.image_bytes, options.max_image),
                 fmt::format("leave functions out of --functions ({} alone takes {}), or raise --max-image",
                             longest.name, longest.code_bytes));
}

}  // namespace

void check_budgets(const Options& options, const Emission& emission) {
  Diagnostics findings;
  for (const emit::FunctionFacts& facts : emission.facts) {
    check_one(options, facts.name, "stack", facts.stack_bytes, options.max_stack, "--max-stack", findings);
    check_one(options, facts.name, "code", facts.code_bytes, options.max_code, "--max-code", findings);
  }
  check_image(options, emission, findings);
  if (findings.has_errors()) throw InputError(findings);
}

}  // namespace featherline::cli
