#include "reference/expected_groups.hpp"

namespace featherline::reference {

std::vector<OutputFunction> expected_tangent() { return {}; }

}  // namespace featherline::reference
