// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda/products.hpp>
#include <featherline/cuda/transpose.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>

/// Launches kernels through CUDA's runtime. Nothing is allocated and nothing waits, so that launches can be captured in
/// graphs. Nothing throws.
///
/// FEATHERLINE_CUDA_CHECKS   0 or 1
///     1: pointers that the current device cannot reach are refused before the launch. The default is 0 with NDEBUG,
///     else 1. Without it such a pointer makes the kernel fail, and CUDA then refuses every further call of the program.
#ifndef FEATHERLINE_CUDA_CHECKS
#ifdef NDEBUG
#define FEATHERLINE_CUDA_CHECKS 0
#else
#define FEATHERLINE_CUDA_CHECKS 1
#endif
#endif

namespace featherline::cuda {

/// cudaErrorInvalidValue for memory of the processor that the current device does not reach, cudaErrorInvalidDevice for
/// memory of a device that it has no access to.
inline cudaError_t check_pointer(const void* pointer) {
  int device = 0, reaches_all = 0;
  cudaPointerAttributes attributes{};
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaPointerGetAttributes(&attributes, pointer);
  if (error != cudaSuccess) return error;
  if (attributes.type == cudaMemoryTypeUnregistered) {
    error = cudaDeviceGetAttribute(&reaches_all, cudaDevAttrPageableMemoryAccess, device);
    return error != cudaSuccess ? error : reaches_all != 0 ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (attributes.type != cudaMemoryTypeDevice || attributes.device == device) return cudaSuccess;
  error = cudaDeviceCanAccessPeer(&reaches_all, device, attributes.device);
  return error != cudaSuccess ? error : reaches_all != 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

/// `threads` of a block of `block` compute one state. A count of 0 is a success without a launch. A negative count, one
/// that no grid holds, a stride shorter than the count or of 2^32 or more, and null pointers are cudaErrorInvalidValue.
/// Other errors are CUDA's own of the launch. The grid has so many `parts` in its second dimension.
template <class S, int num_inputs, int num_outputs>
cudaError_t launch(const void* kernel, int block, int threads, Job<S, num_inputs, num_outputs> job,
                   cudaStream_t stream, unsigned parts = 1) {
  constexpr std::int64_t most_blocks = 0x7fffffff, most_stride = 0xffffffff;  // of Column
  const bool by_element = job.stride != 0;
  if (job.count < 0 || (by_element && (job.stride < job.count || job.stride > most_stride)) ||
      job.count > most_blocks * (block / threads))
    return cudaErrorInvalidValue;
  if (job.count == 0) return cudaSuccess;
  if constexpr (num_inputs > 2) {
    if (job.steps < 1) job.in[2] = job.in[0];  // torques of no steps may be null
  }
  const auto check = [](const void* pointer) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    return FEATHERLINE_CUDA_CHECKS ? check_pointer(pointer) : cudaSuccess;
  };
  for (const void* pointer : job.in) {
    if (const cudaError_t error = check(pointer); error != cudaSuccess) return error;
  }
  for (const void* pointer : job.out) {
    if (const cudaError_t error = check(pointer); error != cudaSuccess) return error;
  }
  void* arguments[] = {&job};
  const int states = block / threads;
  const auto blocks = static_cast<unsigned>((job.count + states - 1) / states);
  return cudaLaunchKernel(kernel, dim3(blocks, parts), dim3(static_cast<unsigned>(block)), arguments, 0,
                          stream);
}

/// An array of `size` numbers a state from one layout into the other. A stride of 0 is the count.
template <class S>
cudaError_t transpose(const void* kernel, std::int64_t count, std::int64_t size, const S* from, S* to,
                      cudaStream_t stream, std::int64_t stride) {
  if (size <= 0) return size == 0 ? cudaSuccess : cudaErrorInvalidValue;
  return launch(kernel, Staging<Transposition, S>::block, 1,
                Job<S, 1, 1>{count, stride == 0 ? count : stride, size, {from}, {to}}, stream,
                static_cast<unsigned>(parts_of(size)));
}

/// Defines to_elements() and to_rows() of a robot for one scalar.
#define FEATHERLINE_CUDA_LAYOUTS(robot, S)                              \
  FEATHERLINE_CUDA_LAYOUT(to_elements, robot##_cuda_to_elements_##S, S) \
  FEATHERLINE_CUDA_LAYOUT(to_rows, robot##_cuda_to_rows_##S, S)
#define FEATHERLINE_CUDA_LAYOUT(function, kernel, S)                                                   \
  template <>                                                                                          \
  cudaError_t function<S>(std::ptrdiff_t count, std::ptrdiff_t size, const S* from, S* to,             \
                          cudaStream_t stream, std::ptrdiff_t stride) {                                \
    return featherline::cuda::transpose(reinterpret_cast<const void*>(&kernel), count, size, from, to, \
                                        stream, stride);                                               \
  }

/// Derivatives of rnea become those of aba, by M^-1. A stride of 0 is the count.
template <int nv, class S>
cudaError_t launch_products(const void* kernel, std::int64_t count, const S* Minv, S* by_q, S* by_v,
                            cudaStream_t stream, std::int64_t stride) {
  using Plan = Staging<AccelerationProducts<nv>, S>;
  return launch(kernel, Plan::block, Plan::threads,
                Job<S, 1, 2>{count, stride == 0 ? count : stride, 1, {Minv}, {by_q, by_v}}, stream);
}

}  // namespace featherline::cuda
