#include "cli/report.hpp"

#include "cli/nearest_name.hpp"
#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::string options_in_effect(const Options& options) {
  const model::BuildOptions& build = options.build;
  std::string text =
      fmt::format("--base {} --mimic {} --gravity {},{},{}", build.floating_base ? "floating" : "fixed",
                  build.mimic_independent ? "independent" : "coupled", build.gravity.x(), build.gravity.y(),
                  build.gravity.z());
  if (build.snap_tolerance != model::BuildOptions::default_snap_tolerance) {
    text += fmt::format(" --snap-angles {}", build.snap_tolerance);
  }
  if (build.allow_unphysical_inertia) text += " --allow unphysical-inertia";
  if (options.joint_dynamics != "off") {
    text += options.joint_dynamics == "urdf" ? " --joint-dynamics urdf" : " --joint-dynamics (given)";
  }
  if (build.joint_order) text += " --joint-order (given)";
  text += " --scalar " + join(options.scalars, ",");
  if (options.target) text += " --target " + cost::name(*options.target);
  if (options.c_api) text += " --c-api";
  if (options.batch) text += " --batch";
  text += " --functions " + join(options.functions, ",");
  for (const auto& [function, formulation] : options.formulations) {
    text += fmt::format(" --formulation \"{}={}\"", function, formulation);
  }
  return text;
}

EmitOptions emit_options(const Options& options) {
  EmitOptions result{options.name, options.functions, options.formulations, options.scalars,
                     options_in_effect(options)};
  result.batch = options.batch;
  result.c_interface = options.c_api;
  result.max_code = options.max_code;
  result.target = options.target;
  result.verify = options.verify;
  return result;
}

std::string report(const Options& options, const model::Tree& tree, const Emission& emission) {
  std::string text =
      fmt::format("{}: nq = {}, nv = {}, {} moving bodies, {} base, mimic joints {}\n", emission.name,
                  tree.nq, tree.nv, tree.bodies.size(), tree.floating_base ? "floating" : "fixed",
                  options.build.mimic_independent ? "independent" : "coupled");
  text += function_table(emission.facts);
  const cost::Target target = options.target.value_or(cost::usual_target(options.scalars));
  text += fmt::format(
      "~stack (with what is called) and ~code are bytes for {}; all functions and what they share: ~{}; "
      "error: the "
      "largest difference from the reference solver, 1e-10 is allowed\n",
      cost::name(target), emission.image_bytes);
  if (emission.turns_as_written) {
    text +=
        "quarter turns are taken as the file writes them, in decimals: exact ones would change results by "
        "more "
        "than 5e-11.\n--snap-angles 1e-9 takes them as exact, which mostly saves operations\n";
  }
  text += fmt::format("{} files in {}; include {}.hpp\n", emission.files.size(), options.output_folder,
                      emission.name);
  return text;
}

}  // namespace featherline::cli
