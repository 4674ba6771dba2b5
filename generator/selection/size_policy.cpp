#include "selection/size_policy.hpp"

#include "catalog/functions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline {
namespace {

using catalog::Formulation;
using catalog::FunctionSpec;

bool fits_unrolled(const FunctionSpec& algorithm, const model::Tree& tree, double limit) {
  return std::any_of(algorithm.formulations.begin(), algorithm.formulations.end(), [&](const Formulation& f) {
    return !f.in_loops() && unrolled_flops(algorithm, f, tree) <= limit;
  });
}

bool is_forced_to_unroll(const FunctionSpec& algorithm, const Options& options) {
  const std::string* demanded = options.demanded_formulation(algorithm.name);
  return demanded != nullptr &&
         std::any_of(algorithm.formulations.begin(), algorithm.formulations.end(),
                     [&](const Formulation& f) { return f.name == *demanded && !f.in_loops(); });
}

/// The algorithm that a function needs unrolled. Null if the function may also use loops.
const FunctionSpec* find_unrolled_only(const std::string& function, bool batch) {
  for (const FunctionSpec& algorithm : catalog::functions()) {
    if (packed_name(algorithm) == function || (batch && algorithm.name == function)) return &algorithm;
  }
  return nullptr;
}

}  // namespace

bool is_too_large(const FunctionSpec& function, const Formulation& formulation, const model::Tree& tree,
                  bool packed) {
  return !formulation.in_loops() &&
         unrolled_flops(function, formulation, tree) > (packed ? max_packed_flops : max_unrolled_flops);
}

bool is_candidate(const Formulation& formulation, const FunctionSpec& algorithm, const model::Tree& tree,
                  const Options& options, bool packed) {
  if (packed && formulation.in_loops()) return false;
  const std::string* demanded = options.demanded_formulation(algorithm.name);
  const double limit = packed ? max_packed_flops : max_unrolled_flops;
  const bool applies_to_packed = !packed || is_forced_to_unroll(algorithm, options);
  if (demanded != nullptr && applies_to_packed) return formulation.name == *demanded;
  if (formulation.by_name_only()) return false;
  if (formulation.in_lanes() && options.goal() == Goal::flops) return false;
  if (!formulation.in_loops()) return unrolled_flops(algorithm, formulation, tree) <= limit;
  return options.goal() != Goal::flops || !fits_unrolled(algorithm, tree, limit);
}

std::vector<std::string> drop_unrolled_only(const std::vector<std::string>& functions, const Options& options,
                                            const model::Tree& tree, const std::string& file,
                                            Diagnostics& findings) {
  std::vector<std::string> kept;
  for (const std::string& name : functions) {
    const FunctionSpec* algorithm = find_unrolled_only(name, options.has_binding("batch"));
    if (algorithm == nullptr || fits_unrolled(*algorithm, tree, max_packed_flops) ||
        is_forced_to_unroll(*algorithm, options)) {
      kept.push_back(name);
      continue;
    }
    const std::string reason = "this robot is too large to unroll " + in_quotes(algorithm->name) +
                               ", whose loops have neither packed form nor batches";
    const std::string remedy = "use the dense " + in_quotes(algorithm->name) +
                               " without --batch, or force straight-line code with --formulation \"" +
                               algorithm->name + "=" + algorithm->formulations.front().name + "\"";
    if (options.is_named(name)) {
      findings.error({file, 0, ""}, in_quotes(name) + " cannot be emitted: " + reason, remedy);
    } else {
      findings.warning(Finding::large_left_out, {file, 0, ""}, in_quotes(name) + " left out: " + reason,
                       remedy);
    }
  }
  return kept;
}

namespace {

constexpr double most_entries = 8e6;

/// Entries of the largest array of the function, or of M if the function inverts it.
double largest_array(const catalog::FunctionSpec& function, const model::Tree& tree) {
  const double nv = tree.nv;
  double entries = function.inverts_inertia ? nv * nv : nv;
  for (const catalog::Argument& output : function.outputs)
    entries = std::max(entries, static_cast<double>(output.shape.size(catalog::sizes_of(tree))));
  return entries;
}

}  // namespace

std::vector<std::string> drop_oversized(const std::vector<std::string>& functions, const Options& options,
                                        const model::Tree& tree, const std::string& file,
                                        Diagnostics& findings) {
  std::vector<std::string> kept, dropped, refused;
  for (const std::string& name : functions) {
    const bool fits = largest_array(*catalog::find(name), tree) <= most_entries;
    (fits ? kept : options.is_named(name) ? refused : dropped).push_back(name);
  }
  if (kept.empty()) {
    refused.insert(refused.end(), dropped.begin(), dropped.end());
    dropped.clear();
  }
  const std::string reason = fmt::format(
      "the robot has {} degrees of freedom; arrays of more than 8 million entries would be needed for ",
      tree.nv);
  const std::string remedy = "ask for other functions (--functions rnea), or make joints fixed (--lock)";
  const Location where{file, 0, "robot"};
  if (!dropped.empty())
    findings.warning(Finding::large_left_out, where,
                     fmt::format("{}{}: left out", reason, fmt::join(dropped, ", ")), remedy);
  if (!refused.empty()) findings.error(where, reason + fmt::format("{}", fmt::join(refused, ", ")), remedy);
  return kept;
}

}  // namespace featherline
