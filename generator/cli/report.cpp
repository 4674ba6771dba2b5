#include "cli/report.hpp"

#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <cstdio>

namespace featherline::cli {
namespace {

std::string function_table(const std::vector<emit::FunctionFacts>& facts) {
  std::size_t width = std::string_view("function").size();
  for (const emit::FunctionFacts& f : facts) width = std::max(width, f.name.size());
  std::string table =
      fmt::format("  {:<{}}  {:>7}  {:>6}  {:>10}  {:>7}  {:>7}  {:>8}  formulation\n", "function", width,
                  "flops", "sincos", "statements", "~stack", "~code", "error");
  for (const emit::FunctionFacts& f : facts) {
    const std::string error = f.error ? fmt::format("{:.1e}", *f.error) : "-";
    table += fmt::format("  {:<{}}  {:>7}  {:>6}  {:>10}  {:>7}  {:>7}  {:>8}  {}\n", f.name, width, f.flops,
                         f.sincos, f.statements, f.stack_bytes, f.code_bytes, error, f.formulation);
  }
  return table;
}

std::string remedy(const CommandLine& line, const std::string& flag, const std::string& function) {
  const bool has_double = std::find(line.options.scalars.begin(), line.options.scalars.end(), "double") !=
                          line.options.scalars.end();
  return fmt::format("leave {} out of --functions, try another --formulation, {}or raise {}", function,
                     has_double ? "ask for --scalar float alone, " : "", flag);
}

void check_one(const CommandLine& line, const std::string& function, const char* what, int estimate,
               int budget, const std::string& flag, Diagnostics& findings) {
  if (budget == 0 || estimate <= budget) return;
  findings.error(
      {line.urdf, 0, "function " + function},
      fmt::format("{} needs about {} bytes of {}, and {} allows {}", function, estimate, what, flag, budget),
      remedy(line, flag, function));
}

void check_image(const CommandLine& line, const Emission& emission, Diagnostics& findings) {
  if (line.max_image == 0 || emission.image_bytes <= line.max_image || emission.facts.empty()) return;
  const auto is_shorter = [](const emit::FunctionFacts& a, const emit::FunctionFacts& b) {
    return a.code_bytes < b.code_bytes;
  };
  const emit::FunctionFacts& longest =
      *std::max_element(emission.facts.begin(), emission.facts.end(), is_shorter);
  findings.error({line.urdf, 0, "all functions"},
                 fmt::format("all functions together, with what they share, need about {} bytes of code, and "
                             "--max-image allows {}",
                             emission.image_bytes, line.max_image),
                 fmt::format("leave functions out of --functions ({} alone takes {}), or raise --max-image",
                             longest.name, longest.code_bytes));
}

}  // namespace

Progress::Progress() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& what) {
  if (!on_terminal_) return;
  std::fprintf(stderr, "\r\033[K%s ...", what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  shown_ = false;
}

std::string report(const CommandLine& line, const model::Tree& tree, const Emission& emission) {
  std::string text =
      fmt::format("{}: nq = {}, nv = {}, {} moving bodies, {} base, mimic joints {}\n", emission.name,
                  tree.nq, tree.nv, tree.bodies.size(), tree.floating_base ? "floating" : "fixed",
                  line.options.build.mimic_independent ? "independent" : "coupled");
  text += function_table(emission.facts);
  text += fmt::format(
      "~stack (with what is called) and ~code are bytes for {}; all functions and what they share: ~{}; "
      "error: the "
      "largest difference from the reference solver, 1e-10 is allowed\n",
      cost::name(line.options.estimated_target()), emission.image_bytes);
  if (emission.turns_as_written) {
    text +=
        "quarter turns are taken as the file writes them, in decimals: exact ones would change results by "
        "more "
        "than 5e-11.\n--snap-angles 1e-9 takes them as exact, which mostly saves operations\n";
  }
  text += fmt::format("{} files in {}; include {}.hpp\n", emission.files.size(), line.output_folder,
                      emission.name);
  return text;
}

void check_budgets(const CommandLine& line, const Emission& emission) {
  Diagnostics findings;
  for (const emit::FunctionFacts& facts : emission.facts) {
    check_one(line, facts.name, "stack", facts.stack_bytes, line.max_stack, "--max-stack", findings);
    check_one(line, facts.name, "code", facts.code_bytes, line.options.max_code, "--max-code", findings);
  }
  check_image(line, emission, findings);
  stop_on_errors(findings);
}

}  // namespace featherline::cli
