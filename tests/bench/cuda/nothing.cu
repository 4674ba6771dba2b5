#include "device_robot.hpp"

namespace {
__global__ void nothing() {}
}  // namespace

namespace featherline::bench {

cudaError_t launch_nothing(cudaStream_t stream) {
  nothing<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

}  // namespace featherline::bench
