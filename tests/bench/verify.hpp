#pragma once

#include <string>
#include <vector>

#include "subject.hpp"

namespace featherline::bench {

/// Compares everything that is about to be timed with the reference solver at all states. What an emitted
/// function gets wrong is returned, one line each. A peer that differs is removed from the subject, with the
/// reason kept.
std::vector<std::string> verify(Subject& subject);

}  // namespace featherline::bench
