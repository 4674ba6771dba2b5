#include "emit/image.hpp"

#include "cost/cortex_m.hpp"

#include <algorithm>
#include <limits>

namespace featherline::emit {
namespace {

/// Of forward_kinematics beside frame_jacobian, which has the tables, the steps and the walk already.
constexpr int second_kinematics_code = 100;

}  // namespace

int image_bytes(const Request& request, const std::vector<FunctionFacts>& facts) {
  long long bytes = 0;  // of huge robots each function is at the limit of int
  int largest_kinematics = 0;
  bool has_sincos = false;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    has_sincos = has_sincos || facts[i].sincos > 0;
    if (request.functions[i].spec->takes_link) {
      bytes += second_kinematics_code;
      largest_kinematics = std::max(largest_kinematics, facts[i].code_bytes);
    } else {
      bytes += facts[i].code_bytes;
    }
  }
  if (largest_kinematics > 0) bytes += largest_kinematics - second_kinematics_code;
  if (has_sincos && cost::is_cortex_m(request.options.estimated_target()))
    bytes += cost::cortex_m_sincos_code;
  return static_cast<int>(std::min<long long>(bytes, std::numeric_limits<int>::max()));
}

}  // namespace featherline::emit
