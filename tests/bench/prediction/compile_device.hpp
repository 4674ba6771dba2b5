#pragma once

#include <filesystem>
#include <vector>

#include "device_rows.hpp"
#include "pipeline.hpp"

namespace featherline::bench {

/// Compiles each formulation of each function for a device by nvcc, one kernel each, into `folder`, and returns the
/// rows. A line of `folder`/kernels.txt tells time_kernels of each what to run.
std::vector<DeviceRow> compile_for_device(const std::filesystem::path& folder, const Robot& robot,
                                          const Plan& plan, const Options& options);

}  // namespace featherline::bench
