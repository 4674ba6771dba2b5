#pragma once

#include "ir/kernel.hpp"
#include "reference/expected.hpp"

/// Traced functions, followed through the passes and the schedule by the interpreter.
namespace featherline::test {

/// The largest error that is allowed.
inline constexpr double agreement = 1e-10;

/// Follows one function through all stages at one state. `expected` is what the judge compares there.
void follow(const ir::Kernel& traced, const reference::OutputFunction& judge, const reference::State& x,
            const reference::Outputs& expected, double allowed = agreement);

}  // namespace featherline::test
