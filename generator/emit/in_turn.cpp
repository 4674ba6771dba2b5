#include "emit/function_files.hpp"

#include "support/index.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

using Names = std::vector<std::string>;

cost::DeviceFigures own_figures(const Request& request, const LoweredFunction& function,
                                const std::string& scalar) {
  const passes::DeviceProgram& program = *function.device_form;
  return cost::estimate(cost::count_for_device(program.kernel, program.most_alive),
                        cost::scalar_bytes(scalar), request.options.estimated_device());
}

const LoweredFunction* find_on_device(const Request& request, const std::string& name) {
  const auto found = std::ranges::find_if(request.functions, [&](const LoweredFunction& function) {
    return function.device_form && function_name(function) == name;
  });
  return found == request.functions.end() ? nullptr : &*found;
}

Names input_names(const Request& request, const LoweredFunction& function) {
  return each(make_signature(function, *request.tree).inputs(), [](const Parameter& p) { return p.name; });
}

/// The products have room for no more (Staging<AccelerationProducts>).
constexpr int most_coordinates = 55;

/// Without regard to times.
std::vector<DeviceLaunch> possible_launches(const Request& request, const LoweredFunction& function) {
  const Names known = input_names(request, function);
  const std::string &by_q = function.kernel.outputs[0].name, &by_v = function.kernel.outputs[1].name,
                    &inverse = function.kernel.outputs[2].name;
  std::vector<DeviceLaunch> launches;
  for (const auto& [name, outputs] :
       {std::pair{"aba", Names{inverse}}, {"rnea_derivatives", {by_q, by_v}}, {"minv", {inverse}}}) {
    const LoweredFunction* part = find_on_device(request, name);
    if (part == nullptr) return {};
    Names inputs = input_names(request, *part);
    std::ranges::replace(inputs, "a", inverse);
    const auto is_known = [&](const std::string& x) {
      return x == inverse || std::ranges::count(known, x) > 0;
    };
    if (!std::ranges::all_of(inputs, is_known)) return {};
    launches.push_back({name, inputs, outputs});
  }
  launches.push_back({products_kernel, {inverse}, {by_q, by_v}});
  return launches;
}

cost::DeviceFigures figures_of(const Request& request, const std::vector<DeviceLaunch>& launches,
                               const std::string& scalar) {
  cost::DeviceFigures sum;
  // M^-1 and two matrices of derivatives are read, and these are written. The products of 18 and 35 coordinates took
  // 1,300 to 1,700 bytes/ns on an H200.
  sum.ns = 5.0 * request.tree->nv * request.tree->nv * cost::scalar_bytes(scalar) / 1500.0;
  for (const DeviceLaunch& launch : launches) {
    const LoweredFunction* part = find_on_device(request, launch.function);
    if (part == nullptr) continue;  // the products
    const cost::DeviceFigures figures = own_figures(request, *part, scalar);
    sum.threads = std::max(sum.threads, figures.threads);
    sum.registers = std::max(sum.registers, figures.registers);
    sum.spilled_bytes = std::max(sum.spilled_bytes, figures.spilled_bytes);
    sum.instructions += figures.instructions;
    sum.ns += figures.ns;
  }
  return sum;
}

}  // namespace

std::vector<DeviceLaunch> launches_in_turn(const Request& request, const LoweredFunction& function,
                                           const std::string& scalar) {
  if (function_name(function) != "aba_derivatives" || !function.device_form ||
      request.tree->nv > most_coordinates)
    return {};
  const std::vector<DeviceLaunch> launches = possible_launches(request, function);
  const bool is_faster = !launches.empty() &&
                         figures_of(request, launches, scalar).ns < own_figures(request, function, scalar).ns;
  return is_faster ? launches : std::vector<DeviceLaunch>{};
}

cost::DeviceFigures device_figures(const Request& request, const LoweredFunction& function,
                                   const std::string& scalar, const std::vector<DeviceLaunch>& in_turn) {
  const cost::DeviceFigures own = own_figures(request, function, scalar);
  if (in_turn.empty()) return own;
  cost::DeviceFigures all = figures_of(request, in_turn, scalar);
  all.ns_in_rows = own.ns_in_rows;
  return all;
}

}  // namespace featherline::emit
