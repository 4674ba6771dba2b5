#pragma once

#include <map>
#include <string>

#include "subject.hpp"

namespace featherline::bench {

/// Relative errors against the reference solver, the worst of all states.
struct Errors {
  double in_double = 0.0, in_float = 0.0;
};

/// A relative error up to this counts as agreement in double.
inline constexpr double agreement = 1e-10;

/// Compares everything that is about to be timed with the reference solver at all states: the emitted functions, by
/// name, and the peers. A peer that disagrees is removed from the subject, with the reason kept.
std::map<std::string, Errors> verify(Subject& subject);

}  // namespace featherline::bench
