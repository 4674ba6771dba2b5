// time_kernels FOLDER: the time of a state of each kernel of FOLDER/kernels.txt, which `prediction device` writes. A
// line of it has a file, its kernel, the bytes of a number, the threads of a state, and the sizes of inputs and
// outputs, each list behind its length. Prints file and ns a state, by element, the best of several launches. Needs the
// driver alone.
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t states = 1 << 19;
constexpr std::size_t most_bytes = std::size_t{12} << 30;

void* driver = nullptr;

template <class Entry, class... Arguments>
void call(const char* name, Arguments... arguments) {
  const auto entry = reinterpret_cast<Entry*>(dlsym(driver, name));
  const CUresult result = entry == nullptr ? CUDA_ERROR_NOT_FOUND : entry(arguments...);
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "time_kernels: %s says %d\n", name, static_cast<int>(result));
  std::exit(1);
}
#define CALL(name, symbol, ...) call<decltype(name)>(symbol, __VA_ARGS__)

std::vector<int> read_list(std::istream& in) {
  std::size_t count = 0;
  in >> count;
  std::vector<int> list(count);
  for (int& x : list) in >> x;
  return list;
}

/// Random numbers from -1 to 1.
template <class S>
CUdeviceptr random_numbers(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<S> numbers(count);
  for (S& x : numbers) x = uniform(random);
  CUdeviceptr memory = 0;
  CALL(cuMemAlloc, "cuMemAlloc_v2", &memory, count * sizeof(S));
  CALL(cuMemcpyHtoD, "cuMemcpyHtoD_v2", memory, static_cast<const void*>(numbers.data()), count * sizeof(S));
  return memory;
}

struct Timer {
  CUevent begin = nullptr, end = nullptr;
  CUdeviceptr inputs[2] = {}, outputs = 0;

  /// Milliseconds.
  float time(CUfunction kernel, unsigned blocks, unsigned threads, void* job) const {
    void* arguments[] = {job};
    float best = 1e9F;
    for (int k = 0; k < 6; ++k) {
      float ms = 0;
      CALL(cuEventRecord, "cuEventRecord", begin, CUstream{});
      CALL(cuLaunchKernel, "cuLaunchKernel", kernel, blocks, 1U, 1U, threads, 1U, 1U, 0U, CUstream{},
           arguments, static_cast<void**>(nullptr));
      CALL(cuEventRecord, "cuEventRecord", end, CUstream{});
      CALL(cuEventSynchronize, "cuEventSynchronize", end);
      CALL(cuEventElapsedTime, "cuEventElapsedTime", &ms, begin, end);
      best = std::min(best, ms);
    }
    return best;
  }
};

constexpr std::size_t most_inputs = std::size_t{128} << 20;  // numbers

void time_line(const std::string& folder, const std::string& line, const Timer& timer) {
  std::istringstream words(line);
  std::string file, kernel;
  int bytes = 0, threads = 0, block = 0;
  words >> file >> kernel >> bytes >> threads;
  const std::vector<int> inputs = read_list(words), outputs = read_list(words);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CALL(cuModuleLoad, "cuModuleLoad", &module, (folder + "/" + file).c_str());
  CALL(cuModuleGetFunction, "cuModuleGetFunction", &function, module, kernel.c_str());
  CALL(cuFuncGetAttribute, "cuFuncGetAttribute", &block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  std::vector<std::int64_t> job{states, states, 1};
  const auto add = [&](CUdeviceptr first, const std::vector<int>& sizes, std::size_t most) {
    std::size_t used = 0;
    for (const int size : sizes) {
      const std::size_t length = static_cast<std::size_t>(size) * states * static_cast<std::size_t>(bytes);
      if (used + length > most)
        std::fprintf(stderr, "time_kernels: %s is too large\n", file.c_str()), std::exit(1);
      job.push_back(static_cast<std::int64_t>(first + used));
      used += length;
    }
  };
  add(timer.inputs[bytes == 8 ? 1 : 0], inputs, most_inputs * static_cast<std::size_t>(bytes));
  add(timer.outputs, outputs, most_bytes);
  const std::int64_t of_block = block / threads;
  const float ms = timer.time(function, static_cast<unsigned>((states + of_block - 1) / of_block),
                              static_cast<unsigned>(block), job.data());
  std::printf("%s %.4g\n", file.c_str(), 1e6 * static_cast<double>(ms) / static_cast<double>(states));
  std::fflush(stdout);
  CALL(cuModuleUnload, "cuModuleUnload", module);
}

}  // namespace

int main(int argc, char** argv) {
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (argc != 2 || driver == nullptr) {
    std::fputs("usage: time_kernels FOLDER, on a machine with a driver of CUDA\n", stderr);
    return 2;
  }
  CUcontext context = nullptr;
  CALL(cuInit, "cuInit", 0U);
  CALL(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", &context, CUdevice{0});
  CALL(cuCtxSetCurrent, "cuCtxSetCurrent", context);
  Timer timer;
  CALL(cuEventCreate, "cuEventCreate", &timer.begin, 0U);
  CALL(cuEventCreate, "cuEventCreate", &timer.end, 0U);
  timer.inputs[0] = random_numbers<float>(most_inputs);
  timer.inputs[1] = random_numbers<double>(most_inputs);
  CALL(cuMemAlloc, "cuMemAlloc_v2", &timer.outputs, most_bytes);
  const std::string folder = argv[1];
  std::ifstream list(folder + "/kernels.txt");
  for (std::string line; std::getline(list, line);) time_line(folder, line, timer);
}
