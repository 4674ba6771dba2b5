// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda/transpose.hpp>
#include <featherline/cuda_entries.hpp>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

/// Runs the kernels of NAME.ptx, which `--cuda ptx` writes. It takes the driver that the machine has when the program
/// runs: no part of the CUDA toolkit is needed, neither to compile this nor to run it.
///
///   featherline::cuda::Module arm(text_of("arm.ptx"), "featherline_robot_arm_5f0c12ab34cd56ef");
///   const featherline::cuda::Argument arguments[] = {{"q", q}, {"v", v}, {"a", a}, {"tau", tau}};
///   const std::string problem = arm.launch("arm_cuda_rnea_float", {count}, arguments, 4, stream);
///   if (!problem.empty()) ...
///
/// A function that can fail returns what went wrong, in words, and an empty text if nothing did. It throws nothing but
/// what std::string may throw. All of it may be called from several threads.
namespace featherline::cuda {

/// How much a kernel has to do.
struct Amount {
  long long count;       ///< of states; 0: nothing is launched
  long long stride = 0;  ///< in the layout by element, from one element of a state to the next; 0: the count
  long long steps =
      1;  ///< of a rollout; numbers of a state for arm_cuda_to_rows_float, ..._to_elements_float
};

/// An array on the device, behind its name, which errors tell.
struct Argument {
  const char* name;
  const void* array;
};

/// The kernels of one robot. The driver compiles a kernel for a device when it is first launched there, and keeps what
/// it compiled on the disk (its ComputeCache). The code stays on the device as long as the program runs.
class Module {
 public:
  /// `ptx`: the text of NAME.ptx. `robot`: the symbol that says which robot and which options the text is for; the
  /// manifest has it as "robot" of "ptx". If it is empty, any robot is taken.
  Module(const std::string& ptx, const std::string& robot) : compute_(number_behind(ptx, ".target sm_")) {
    const std::string begin = ".visible .entry ";
    std::size_t at = ptx.find(begin);
    head_ = ptx.substr(0, at);
    while (at != std::string::npos) {
      const std::size_t name = at + begin.size(), next = ptx.find(begin, name);
      const std::string text = ptx.substr(at, next == std::string::npos ? next : next - at);
      const std::string kernel = ptx.substr(name, ptx.find('(', name) - name);
      const unsigned bytes = number_behind(text, (kernel + "_param_0[").c_str());
      kernels_[kernel] = {text,
                          static_cast<int>(bytes / sizeof(std::uint64_t)) - first_array,
                          number_behind(text, ".maxntid "),
                          number_behind(head_, (" " + kernel + "_threads = ").c_str()),
                          {}};
      at = next;
    }
    if (compute_ == 0)
      problem_ = here(
          "this is no PTX; give the text of the file NAME.ptx that featherline generate --cuda ptx wrote");
    else if (!robot.empty() && head_.find(" " + robot + "[") == std::string::npos)
      problem_ = here("the PTX is of another robot, or of other options: it has no symbol " + robot +
                      "; give the NAME.ptx that was generated together with the other files");
  }

  bool has(const std::string& kernel) const { return kernels_.count(kernel) > 0; }

  /// Runs a kernel on the device where the arrays are, after what is on the stream (a CUstream or cudaStream_t; null:
  /// the default one). It does not wait for the end. `arguments` are those of the function, inputs first.
  std::string launch(const std::string& kernel, Amount amount, const Argument* arguments, int num_arguments,
                     void* stream) {
    const Driver& driver = Driver::get();
    if (!driver.problem().empty()) return driver.problem();
    if (amount.stride == 0) amount.stride = amount.count;
    const auto found = kernels_.find(kernel);
    if (!problem_.empty()) return problem_;
    if (found == kernels_.end())
      return here("the PTX has no kernel " + kernel +
                  "; ask for its function and its scalar when you generate. " +
                  "Functions that take a link or need loops have none");
    Kernel& own = found->second;
    std::string problem = check_call(kernel, own, amount, num_arguments);
    const bool is_nothing = amount.count == 0 || (own.is_transposition() && amount.steps == 0);
    if (!problem.empty() || is_nothing) return problem;
    int device = -1;
    for (int k = 0; problem.empty() && k < num_arguments; ++k)
      problem = find_device(driver, arguments[k], arguments[0], device);
    if (!problem.empty()) return problem;
    const Driver::Current current(driver, device);
    if (!current.problem().empty()) return current.problem();
    CUfunction function = nullptr;
    problem = load(driver, kernel, own, device, function);
    if (!problem.empty()) return problem;
    std::uint64_t words[first_array + most_arguments] = {static_cast<std::uint64_t>(amount.count),
                                                         static_cast<std::uint64_t>(amount.stride),
                                                         static_cast<std::uint64_t>(amount.steps)};
    for (int k = 0; k < num_arguments; ++k)
      words[first_array + k] = reinterpret_cast<std::uintptr_t>(arguments[k].array);
    void* parameters[] = {words};
    const auto blocks = static_cast<unsigned>((amount.count + own.states() - 1) / own.states());
    const auto parts = static_cast<unsigned>(own.is_transposition() ? parts_of(amount.steps) : 1);
    return driver.check(driver.entries().cuLaunchKernel(function, blocks, parts, 1, own.threads, 1, 1, 0,
                                                        stream, parameters, nullptr),
                        "the launch of " + kernel);
  }

 private:
  /// The driver is given one kernel at a time, behind what all share: it compiles all that it is given, which takes
  /// seconds for large functions.
  struct Kernel {
    std::string text;
    int num_arrays = 0;
    unsigned threads = 0;                                    ///< of a block, which it was compiled for
    unsigned of_state = 0;                                   ///< threads that compute one state
    std::map<int, CUfunction> functions = {};                ///< by device
    long long states() const { return threads / of_state; }  ///< of a block
    bool is_transposition() const { return text.find("%ctaid.y") != std::string::npos; }
  };
  /// A kernel takes words of 8 bytes: those of Amount, then the arrays (featherline/cuda/job.hpp).
  static constexpr int first_array = 3, most_arguments = 30;
  static constexpr long long most_blocks = 0x7fffffff;  ///< of a grid
  static constexpr long long most_stride = 0xffffffff;  ///< featherline/cuda/device.hpp, Column

  static std::string here(const std::string& what) { return "featherline on the GPU: " + what; }

  /// The number behind `word`, such as 80 behind ".target sm_"; 0 if the text does not have it.
  static unsigned number_behind(const std::string& text, const char* word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return 0;
    return static_cast<unsigned>(
        std::strtoul(text.c_str() + at + std::char_traits<char>::length(word), nullptr, 10));
  }

  static std::string check_call(const std::string& kernel, const Kernel& own, const Amount& amount,
                                int num_arguments) {
    if (own.of_state == 0)
      return here("the PTX does not say how many threads compute a state: it has no number " + kernel +
                  "_threads; generate NAME.ptx anew with this version of featherline");
    if (num_arguments != own.num_arrays || num_arguments > most_arguments)
      return here(kernel + ": " + std::to_string(num_arguments) + " arrays are given; it takes " +
                  std::to_string(own.num_arrays));
    const long long most = most_blocks * own.states();
    if (amount.count < 0 || amount.count > most)
      return here(kernel + ": the number of states is " + std::to_string(amount.count) + "; 0 to " +
                  std::to_string(most) + " are possible");
    const bool by_element = kernel.find("_cuda_soa_") != std::string::npos;
    if (amount.stride < amount.count || (by_element && amount.stride > most_stride) || amount.steps < 0)
      return here(kernel + ": the stride is " + std::to_string(amount.stride) + " for " +
                  std::to_string(amount.count) + " states and " + std::to_string(amount.steps) +
                  " steps; it is at least as large as the number of " +
                  "states, by element below 2^32, and the number of steps is not negative");
    return "";
  }

  /// Where the array is. All have to be on one device.
  static std::string find_device(const Driver& driver, const Argument& argument, const Argument& first,
                                 int& device) {
    const std::string name = argument.name;
    const Driver::Place place = driver.place_of(argument.array);
    if (!place.problem.empty()) return place.problem;
    if (!place.is_on_device)
      return here(
          name + " is " + (argument.array == nullptr ? "null" : "in the memory of the processor") +
          "; give an array that is on the GPU, such as what cuMemAlloc, cudaMalloc, PyTorch or CuPy make");
    if (device >= 0 && place.device != device)
      return here(name + " is on device " + std::to_string(place.device) + ", and " + first.name +
                  " on device " + std::to_string(device) + "; move all arrays of a call to one device");
    device = place.device;
    return "";
  }

  std::string load(const Driver& driver, const std::string& kernel, Kernel& own, int device,
                   CUfunction& function) {
    const std::lock_guard<std::mutex> lock(mutex_);
    function = own.functions[device];
    if (function != nullptr) return "";
    const unsigned have = driver.capability(device);
    if (have < compute_)
      return here("device " + std::to_string(device) + " (" + driver.name(device) +
                  ") has compute capability " + version(have) + ", and this code needs " + version(compute_) +
                  "; take a newer device");
    const std::string problem = driver.compile(head_ + own.text, kernel, function);
    if (problem.empty()) own.functions[device] = function;
    return problem;
  }

  static std::string version(unsigned capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  }

  const unsigned compute_;  ///< 80: compute capability 8.0
  std::string head_, problem_;
  std::map<std::string, Kernel> kernels_;
  std::mutex mutex_;  ///< of their functions
};

}  // namespace featherline::cuda
