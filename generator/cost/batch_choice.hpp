#pragma once

#include "ir/kernel.hpp"

/// When a batch calls the plain function for one state after the other. NAME::batch runs a kernel on as many states at
/// once as a vector has lanes. That is slower in a few cases, which `scripts/bench --batch-functions` measures.
namespace featherline::cost {

struct PlainCalls {
  int up_to_lanes = 0;        ///< in vectors of up to so many lanes; 0: never
  bool beyond_cache = false;  ///< if the results of a call do not stay in a cache

  bool any() const { return up_to_lanes > 0 || beyond_cache; }
};

/// More lanes than any vector has.
inline constexpr int any_lanes = 64;

/// `plain`: the function, `lanes`: the kernel that runs on many states, without structural zeros where there are some.
PlainCalls plain_calls(const ir::Kernel& plain, const ir::Kernel& lanes);

}  // namespace featherline::cost
