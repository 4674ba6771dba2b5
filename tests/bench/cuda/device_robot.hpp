#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// What the bench of devices knows of a robot's functions: each is called by lists of arrays.
namespace featherline::bench {

/// Launches a kernel that does nothing.
cudaError_t launch_nothing(cudaStream_t stream);

/// The steps of rollouts.
inline constexpr int num_steps = 10;

template <class S>
struct DeviceFunction {
  std::string robot, name;
  std::vector<int> inputs, outputs;  ///< numbers a state
  int nq = 0, nv = 0;
  using OnDevice = std::function<cudaError_t(std::ptrdiff_t, S* const*, S* const*, cudaStream_t)>;
  OnDevice rows, columns;
  using BetweenLayouts = cudaError_t (*)(std::ptrdiff_t, std::ptrdiff_t, const S*, S*, cudaStream_t,
                                         std::ptrdiff_t stride);
  BetweenLayouts to_elements, to_rows;
  std::function<void(std::ptrdiff_t, S* const*, S* const*, int threads)> batch;

  std::size_t numbers() const {
    std::size_t sum = 0;
    for (const int k : inputs) sum += static_cast<std::size_t>(k);
    for (const int k : outputs) sum += static_cast<std::size_t>(k);
    return sum;
  }
};

template <class S>
std::vector<DeviceFunction<S>>& device_functions() {
  static std::vector<DeviceFunction<S>> list;
  return list;
}

}  // namespace featherline::bench
