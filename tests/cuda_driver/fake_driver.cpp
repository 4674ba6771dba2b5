// A stand-in for libcuda.so.1, which loaders find by its name once a test has loaded it. A launch computes nothing; it
// is written down. "Device memory" is what fake_cuda_allocate() gives. Tests say what fails.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Array {
  std::size_t bytes;
  int device;
};

std::mutex mutex;
std::map<std::uintptr_t, Array> arrays;
std::map<std::string, int> failures;  ///< by entry point
std::string log_text, module_text, compiler_log;
int devices = 2, capability = 90, current = -1;
std::vector<int> pushed;
std::vector<std::string> kernels;
std::map<std::string, int> parameters;  ///< by kernel: its words of 8 bytes, as the PTX declares them

int number_behind(const std::string& text, const std::string& word) {
  return std::atoi(text.c_str() + text.find(word) + word.size());
}

int answer(const char* entry) {
  const auto found = failures.find(entry);
  return found == failures.end() ? 0 : found->second;
}

void note(const std::string& text) { log_text += text + "\n"; }

void* context_of(int device) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(0x1000 + device)); }
int device_of(void* context) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 0x1000; }
std::string number(void* handle) { return std::to_string(reinterpret_cast<std::uintptr_t>(handle)); }

}  // namespace

extern "C" {

// What tests call.
void* fake_cuda_allocate(std::size_t bytes, int device) {
  void* memory = std::calloc(bytes, 1);
  arrays[reinterpret_cast<std::uintptr_t>(memory)] = {bytes, device};
  return memory;
}
void fake_cuda_free(void* memory) {
  arrays.erase(reinterpret_cast<std::uintptr_t>(memory));
  std::free(memory);
}
void fake_cuda_fail(const char* entry, int result) { failures[entry] = result; }
void fake_cuda_reset() {
  failures.clear();
  log_text.clear();
  compiler_log.clear();
  devices = 2, capability = 90, current = -1;
}
void fake_cuda_set_capability(int value) { capability = value; }
void fake_cuda_set_compiler_log(const char* text) { compiler_log = text; }
const char* fake_cuda_log() { return log_text.c_str(); }
const char* fake_cuda_module() { return module_text.c_str(); }
int fake_cuda_current() { return current; }

// What the driver has.
int cuInit(unsigned) {
  const char* failure = std::getenv("FAKE_CUDA_INIT");
  return failure != nullptr ? std::atoi(failure) : 0;
}
int cuGetErrorName(int result, const char** text) {
  *text = result == 1     ? "CUDA_ERROR_INVALID_VALUE"
          : result == 100 ? "CUDA_ERROR_NO_DEVICE"
          : result == 218 ? "CUDA_ERROR_INVALID_PTX"
          : result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                          : nullptr;
  return *text == nullptr ? 1 : 0;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == 1     ? "invalid argument"
          : result == 100 ? "no CUDA-capable device is detected"
          : result == 218 ? "a PTX JIT compilation failed"
          : result == 700 ? "an illegal memory access was encountered"
                          : nullptr;
  return *text == nullptr ? 1 : 0;
}
int cuDeviceGetCount(int* count) {
  const char* none = std::getenv("FAKE_CUDA_DEVICES");
  *count = none != nullptr ? std::atoi(none) : devices;
  return 0;
}
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? capability / 10 : capability % 10;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = context_of(device);
  return answer("cuDevicePrimaryCtxRetain");
}
int cuCtxGetCurrent(void** context) {
  *context = current < 0 ? nullptr : context_of(current);
  return 0;
}
int cuCtxPushCurrent_v2(void* context) {
  pushed.push_back(current);
  current = device_of(context);
  return 0;
}
int cuCtxPopCurrent_v2(void** context) {
  *context = context_of(current);
  current = pushed.back();
  pushed.pop_back();
  return 0;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values) {
  module_text = static_cast<const char*>(image);
  for (unsigned k = 0; k < count; ++k) {
    if (options[k] == 5) std::strncpy(static_cast<char*>(values[k]), compiler_log.c_str(), 4095);
  }
  *module = &module_text;
  if (answer("cuModuleLoadDataEx") == 0) note("module " + std::to_string(current));
  return answer("cuModuleLoadDataEx");
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  const std::lock_guard<std::mutex> lock(mutex);
  kernels.emplace_back(name);
  parameters[name] = number_behind(module_text, std::string(name) + "_param_0[") / 8;
  *function = reinterpret_cast<void*>(kernels.size());
  return answer("cuModuleGetFunction");
}
int cuPointerGetAttributes(unsigned count, int* attributes, void** results, std::uintptr_t pointer) {
  const auto next = arrays.upper_bound(pointer);
  const bool found =
      next != arrays.begin() && pointer < std::prev(next)->first + std::prev(next)->second.bytes;
  for (unsigned k = 0; k < count; ++k) {
    *static_cast<int*>(results[k]) = !found               ? 0
                                     : attributes[k] == 2 ? 2
                                     : attributes[k] == 9 ? std::prev(next)->second.device
                                                          : 0;
  }
  return answer("cuPointerGetAttributes");
}
int cuEventCreate(void** event, unsigned) {
  *event = &log_text;
  return 0;
}
int cuEventDestroy_v2(void*) { return 0; }
int cuEventRecord(void*, void* stream) {
  note("event on " + number(stream));
  return 0;
}
int cuStreamWaitEvent(void* stream, void*, unsigned) {
  note(number(stream) + " waits");
  return 0;
}
int cuStreamSynchronize(void* stream) {
  note("wait for " + number(stream));
  return 0;
}
/// "arm_cuda_rnea_float on 0: 2 x 128, 200 states, 200 apart, 1 steps, stream 0: 94... 94..."; a grid
/// with a second dimension is "2 x 3 x 128".
int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned, unsigned,
                   unsigned, void* stream, void** arguments, void**) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (z != 1) return 1;
  const auto* words = static_cast<const std::uint64_t*>(arguments[0]);
  const std::string& name = kernels.at(reinterpret_cast<std::uintptr_t>(function) - 1);
  std::string text = name + " on " + std::to_string(current) + ": " + std::to_string(x) +
                     (y == 1 ? "" : " x " + std::to_string(y)) + " x " + std::to_string(threads) + ", " +
                     std::to_string(words[0]) + " states, " + std::to_string(words[1]) + " apart, " +
                     std::to_string(words[2]) + " steps, stream " + number(stream) + ":";
  for (int k = 3; k < parameters.at(name); ++k) text += " " + std::to_string(words[k]);
  note(text);
  return answer("cuLaunchKernel");
}
}
