// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

/// The driver of NVIDIA's cards, libcuda.so.1, found when the program runs. Its interface does not change, so what is
/// used of it is declared here; the names are those of NVIDIA's documentation of the driver API.
namespace featherline::cuda {

using CUresult = int;  ///< 0: success
using CUdevice = int;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUevent = struct CUevent_st*;
using CUstream = void*;

/// Each entry point: its name here, its symbol, its parameters.
#define FEATHERLINE_CUDA_ENTRIES(entry)                                                                      \
  entry(cuInit, "cuInit", (unsigned)) entry(cuGetErrorName, "cuGetErrorName", (CUresult, const char**))      \
      entry(cuGetErrorString, "cuGetErrorString", (CUresult, const char**)) entry(                           \
          cuDeviceGetCount, "cuDeviceGetCount", (int*)) entry(cuDeviceGetName, "cuDeviceGetName",            \
                                                              (char*, int, CUdevice))                        \
          entry(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int*, int, CUdevice)) entry(                  \
              cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                                          \
              (CUcontext*, CUdevice)) entry(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext*))                \
              entry(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext)) entry(                             \
                  cuCtxPopCurrent, "cuCtxPopCurrent_v2",                                                     \
                  (CUcontext*)) entry(cuModuleLoadDataEx, "cuModuleLoadDataEx",                              \
                                      (CUmodule*, const void*, unsigned, int*, void**))                      \
                  entry(cuModuleGetFunction, "cuModuleGetFunction", (CUfunction*, CUmodule, const char*))    \
                      entry(cuPointerGetAttributes, "cuPointerGetAttributes",                                \
                            (unsigned, int*, void**, std::uintptr_t))                                        \
                          entry(cuEventCreate, "cuEventCreate", (CUevent*, unsigned))                        \
                              entry(cuEventDestroy, "cuEventDestroy_v2", (CUevent))                          \
                                  entry(cuEventRecord, "cuEventRecord", (CUevent, CUstream)) entry(          \
                                      cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream, CUevent, unsigned)) \
                                      entry(cuStreamSynchronize, "cuStreamSynchronize", (CUstream))          \
                                          entry(cuLaunchKernel, "cuLaunchKernel",                            \
                                                (CUfunction, unsigned, unsigned, unsigned, unsigned,         \
                                                 unsigned, unsigned, unsigned, CUstream, void**, void**))

struct Entries {
#define FEATHERLINE_CUDA_ENTRY(name, symbol, parameters) CUresult(*name) parameters = nullptr;
  FEATHERLINE_CUDA_ENTRIES(FEATHERLINE_CUDA_ENTRY)
#undef FEATHERLINE_CUDA_ENTRY
};

/// The driver of this machine. Functions return what went wrong, in words, or nothing.
class Driver {
 public:
  /// The one of the process. It is found at the first call; problem() says why it cannot be used.
  static const Driver& get() {
    static const Driver driver;
    return driver;
  }

  const std::string& problem() const { return problem_; }
  const Entries& entries() const { return entries_; }

  /// "the driver says CUDA_ERROR_INVALID_VALUE, invalid argument, to the launch of arm_rnea_float"; nothing for
  /// success.
  std::string check(CUresult result, const std::string& what) const {
    if (result == 0) return "";
    const char *name = nullptr, *text = nullptr;
    entries_.cuGetErrorName(result, &name);
    entries_.cuGetErrorString(result, &text);
    return "CUDA driver: " + (name != nullptr ? std::string(name) : "error " + std::to_string(result)) +
           (text != nullptr ? ", " + std::string(text) : std::string()) + ", is its answer to " + what;
  }

  struct Place {
    std::string problem = {};
    bool is_on_device = false;
    int device = 0;
  };
  /// Memory of the processor that the driver knows is not on a device; managed memory is.
  Place place_of(const void* array) const {
    enum { memory_type = 2, is_managed = 8, device_ordinal = 9, device_memory = 2 };
    int attributes[] = {memory_type, is_managed, device_ordinal};
    unsigned type = 0, managed = 0;
    Place place;
    void* results[] = {&type, &managed, &place.device};
    place.problem = check(
        entries_.cuPointerGetAttributes(3, attributes, results, reinterpret_cast<std::uintptr_t>(array)),
        "the question where an array is");
    place.is_on_device = type == device_memory || (managed & 255u) != 0;
    return place;
  }

  /// 90 for compute capability 9.0.
  unsigned capability(int device) const {
    enum { major_number = 75, minor_number = 76 };
    int major = 0, minor = 0;
    entries_.cuDeviceGetAttribute(&major, major_number, device);
    entries_.cuDeviceGetAttribute(&minor, minor_number, device);
    return static_cast<unsigned>(10 * major + minor);
  }
  std::string name(int device) const {
    char text[256] = "";
    entries_.cuDeviceGetName(text, sizeof text, device);
    return text;
  }

  /// Makes a function of the current context out of PTX.
  std::string compile(const std::string& ptx, const std::string& kernel, CUfunction& function) const {
    enum { error_log = 5, error_log_bytes = 6 };
    char log[4096] = "";
    int options[] = {error_log, error_log_bytes};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module = nullptr;
    const std::string problem = check(entries_.cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values),
                                      "the compilation of " + kernel);
    if (!problem.empty()) return problem + (log[0] != '\0' ? "; its log: " + std::string(log) : "");
    return check(entries_.cuModuleGetFunction(&function, module, kernel.c_str()),
                 "the question for " + kernel);
  }

  /// What comes on stream `later` from now on waits for all that is on stream `earlier`. Both are streams of the device
  /// that has the array.
  std::string order(CUstream earlier, CUstream later, const void* array) const {
    return on_device_of(array, [&] {
      constexpr unsigned without_time = 2;
      CUevent event = nullptr;
      std::string problem = check(entries_.cuEventCreate(&event, without_time), "the request for an event");
      if (problem.empty()) problem = check(entries_.cuEventRecord(event, earlier), "an event on a stream");
      if (problem.empty())
        problem = check(entries_.cuStreamWaitEvent(later, event, 0), "a stream that waits");
      if (event != nullptr) entries_.cuEventDestroy(event);  // it stays until it is reached
      return problem;
    });
  }

  /// Waits for the end of all that is on the stream.
  std::string wait(CUstream stream, const void* array) const {
    return on_device_of(array,
                        [&] { return check(entries_.cuStreamSynchronize(stream), "the wait for a stream"); });
  }

  /// Makes the primary context of a device, which the runtime of CUDA and all libraries share, the current one of this
  /// thread for a while.
  class Current {
   public:
    Current(const Driver& driver, int device) : driver_(driver) {
      CUcontext primary = nullptr, now = nullptr;
      problem_ = driver.primary_context(device, primary);
      if (!problem_.empty() || (driver.entries_.cuCtxGetCurrent(&now) == 0 && now == primary)) return;
      problem_ = driver.check(driver.entries_.cuCtxPushCurrent(primary), "the context of a device");
      is_pushed_ = problem_.empty();
    }
    Current(const Current&) = delete;
    ~Current() {
      CUcontext own = nullptr;
      if (is_pushed_) driver_.entries_.cuCtxPopCurrent(&own);
    }
    const std::string& problem() const { return problem_; }

   private:
    const Driver& driver_;
    std::string problem_;
    bool is_pushed_ = false;
  };

 private:
  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* reason = dlerror();
      problem_ = "CUDA driver: libcuda.so.1 cannot be loaded (" +
                 std::string(reason != nullptr ? reason : "no reason given") +
                 "); install the driver of the NVIDIA card. Functions on the processor need none";
      return;
    }
#define FEATHERLINE_CUDA_ENTRY(name, symbol, parameters) find(library, symbol, entries_.name);
    FEATHERLINE_CUDA_ENTRIES(FEATHERLINE_CUDA_ENTRY)
#undef FEATHERLINE_CUDA_ENTRY
    if (problem_.empty()) problem_ = check(entries_.cuInit(0), "cuInit");
    int count = 0;
    if (problem_.empty())
      problem_ = check(entries_.cuDeviceGetCount(&count), "the question how many devices there are");
    if (problem_.empty() && count == 0)
      problem_ = "CUDA driver: it knows no device; look at nvidia-smi and at CUDA_VISIBLE_DEVICES";
  }

  template <class Entry>
  void find(void* library, const char* symbol, Entry& entry) {
    entry = reinterpret_cast<Entry>(dlsym(library, symbol));
    if (entry == nullptr && problem_.empty())
      problem_ = "CUDA driver: libcuda.so.1 has no " + std::string(symbol) +
                 "; install a driver of CUDA 11 or newer";
  }

  template <class Action>
  std::string on_device_of(const void* array, const Action& action) const {
    if (!problem_.empty()) return problem_;
    const Place place = place_of(array);
    if (!place.problem.empty()) return place.problem;
    const Current current(*this, place.device);
    return current.problem().empty() ? action() : current.problem();
  }

  std::string primary_context(int device, CUcontext& context) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    CUcontext& kept = contexts_[device];
    std::string problem;
    if (kept == nullptr)
      problem =
          check(entries_.cuDevicePrimaryCtxRetain(&kept, device), "the request for the context of a device");
    context = kept;
    return problem;
  }

  Entries entries_;
  std::string problem_;
  mutable std::mutex mutex_;
  mutable std::map<int, CUcontext> contexts_;  ///< by device
};

}  // namespace featherline::cuda
