// featherline/cuda_driver.hpp where the driver is missing, or says that it cannot work. The process has one driver, so
// each case is a run of its own.
#include <featherline/cuda_driver.hpp>

#include <cstdio>
#include <string>

/// Prints what a launch answers.
int main() {
  featherline::cuda::Module arm("", "");
  const featherline::cuda::Argument q{"q", nullptr};
  std::puts(arm.launch("arm_cuda_rnea_float", {1}, &q, 1, nullptr).c_str());
}
