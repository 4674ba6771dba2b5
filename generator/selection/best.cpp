#include "selection/best.hpp"

#include <algorithm>

namespace featherline {
namespace {

/// Code without calls is as fast as its flops are few, but for a few per cent; lanes count as one flop. Of the
/// measured ones none with more than 1.13 times the flops of another one was faster.
constexpr double hopeless_flops = 1.25;
/// The least ns that unrolled code was seen to take for a flop, and how far the estimate of flops before tracing can be
/// above the truth.
constexpr double fastest_flop = 0.08, estimate_factor = 2.0;

}  // namespace

double calls_ns(const ir::Kernel& kernel) {
  double ns = 0;
  for (const ir::Call* call : kernel.calls()) ns += call->ns;
  return ns;
}

bool Best::admits(double unrolled_flops) const {
  if (!kept_ || options_.goal() != Goal::speed || unrolled_flops == 0.0 || !fits(*kept_)) return true;
  return unrolled_flops / estimate_factor * fastest_flop < kept_->predicted_cost;
}

bool Best::admits(const ir::Kernel& kernel, double share) const {
  if (!kept_ || !fits(*kept_)) return true;
  if (kernel.ends_in_calls())
    return options_.goal() != Goal::speed || calls_ns(kernel) < kept_->predicted_cost;
  return share * ir::count_cost(kernel).flops <= hopeless_flops * fewest_flops_;
}

void Best::add(const Traced& candidate) {
  if (!candidate.graph.ends_in_calls())
    fewest_flops_ = std::min<double>(fewest_flops_, ir::count_cost(candidate.graph).flops);
  if (!kept_ || is_better(candidate, *kept_)) kept_ = candidate;
}

/// What --max-code allows is better than what it does not allow. If it allows neither, the shorter one is better.
bool Best::is_better(const Traced& a, const Traced& b) const {
  if (fits(a) != fits(b)) return fits(a);
  return fits(a) ? a.predicted_cost < b.predicted_cost : a.code_bytes < b.code_bytes;
}

bool Best::fits(const Traced& traced) const {
  return options_.max_code == 0 || traced.code_bytes <= options_.max_code;
}

}  // namespace featherline
