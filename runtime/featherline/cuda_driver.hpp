// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/cuda_entries.hpp>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

/// Runs the kernels of NAME.ptx, which `--cuda ptx` writes. It takes the driver that the machine has when the program
/// runs: no part of the CUDA toolkit is needed, neither to compile this nor to run it.
///
///   featherline::cuda::Module arm(text_of("arm.ptx"), "featherline_robot_arm_5f0c12ab34cd56ef");
///   const featherline::cuda::Argument arguments[] = {{"q", q}, {"v", v}, {"a", a}, {"tau", tau}};
///   const std::string problem = arm.launch("arm_rnea_float", count, arguments, 4, stream);
///   if (!problem.empty()) ...
///
/// A function that can fail returns what went wrong, in words, and an empty text if nothing did. It throws nothing but
/// what std::string may throw. All of it may be called from several threads.
namespace featherline::cuda {

/// A state a thread: more states than this are no grid of the driver, and their number no int.
inline constexpr long long most_states = 2147483647;

/// An array on the device, behind its name, which errors tell.
struct Argument {
  const char* name;
  const void* array;
};

/// The kernels of one robot. The driver compiles a kernel for a device when it is first launched there, and keeps what it
/// compiled on the disk (its ComputeCache). The code stays on the device as long as the program runs.
class Module {
 public:
  /// `ptx`: the text of NAME.ptx. `robot`: the symbol that says which robot and which options the text is for; the
  /// manifest has it as "robot" of "ptx". If it is empty, any robot is taken.
  Module(std::string ptx, std::string robot) : ptx_(std::move(ptx)), robot_(std::move(robot)) {}

  bool has(const std::string& kernel) const { return ptx_.find(entry_of(kernel)) != std::string::npos; }

  /// Runs a kernel on `count` states, on the device where the arrays are, after what is on the stream (a CUstream or
  /// cudaStream_t; null: the default one). It does not wait for the end. `arguments` are those of the function, inputs
  /// first.
  std::string launch(const std::string& kernel, long long count, const Argument* arguments, int num_arguments,
                     void* stream) {
    const Driver& driver = Driver::get();
    if (!driver.problem().empty()) return driver.problem();
    std::string problem = check_call(kernel, count, num_arguments);
    int device = -1;
    for (int k = 0; problem.empty() && k < num_arguments; ++k)
      problem = find_device(driver, arguments[k], arguments[0], device);
    if (!problem.empty()) return problem;
    const Driver::Current current(driver, device);
    if (!current.problem().empty()) return current.problem();
    const Kernel* loaded = nullptr;
    problem = load(driver, kernel, device, loaded);
    return problem.empty() ? run(driver, kernel, *loaded, count, arguments, num_arguments, stream) : problem;
  }

  /// The text that is given to the driver for one kernel: it alone, behind what all share. The driver compiles all that
  /// it is given, which takes seconds for large functions.
  std::string part(const std::string& kernel) const {
    const std::string begin = ".visible .entry ";
    const std::size_t first = ptx_.find(begin), own = ptx_.find(entry_of(kernel));
    const std::size_t next = ptx_.find(begin, own + 1);
    return ptx_.substr(0, first) + ptx_.substr(own, next == std::string::npos ? next : next - own);
  }

 private:
  struct Kernel {
    CUfunction function = nullptr;
    unsigned threads = 128;  ///< of a block
  };
  static constexpr int most_arguments = 30;

  static std::string entry_of(const std::string& kernel) { return ".visible .entry " + kernel + "("; }
  static std::string here(const std::string& what) { return "featherline on the GPU: " + what; }

  /// The number behind `word`, such as 80 behind ".target sm_"; 0 if the text does not have it.
  static unsigned number_behind(const std::string& text, const char* word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return 0;
    return static_cast<unsigned>(
        std::strtoul(text.c_str() + at + std::char_traits<char>::length(word), nullptr, 10));
  }

  std::string check_call(const std::string& kernel, long long count, int num_arguments) const {
    if (ptx_.find(".version ") == std::string::npos)
      return here(
          "this is no PTX; give the text of the file NAME.ptx that featherline generate --cuda ptx wrote");
    if (!robot_.empty() && ptx_.find(" " + robot_ + "[") == std::string::npos)
      return here("the PTX is of another robot, or of other options: it has no symbol " + robot_ +
                  "; give the NAME.ptx that was generated together with the other files");
    if (!has(kernel))
      return here("the PTX has no kernel " + kernel +
                  "; ask for its function and its scalar when you generate");
    if (count < 1 || count > most_states)
      return here(kernel + ": the number of states is " + std::to_string(count) + "; 1 to " +
                  std::to_string(most_states) + " are possible");
    if (num_arguments < 1 || num_arguments > most_arguments)
      return here(kernel + ": " + std::to_string(num_arguments) + " arrays are given; 1 to " +
                  std::to_string(most_arguments) + " are possible");
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

  std::string load(const Driver& driver, const std::string& kernel, int device, const Kernel*& loaded) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Kernel& found = kernels_[{device, kernel}];
    loaded = &found;
    if (found.function != nullptr) return "";
    const unsigned wanted = number_behind(ptx_, ".target sm_"), have = driver.capability(device);
    if (have < wanted)
      return here("device " + std::to_string(device) + " (" + driver.name(device) +
                  ") has compute capability " + version(have) + ", and this code needs " + version(wanted) +
                  "; take a newer device");
    const std::string text = part(kernel);
    const unsigned bound = number_behind(text, ".maxntid ");
    if (bound > 0) found.threads = bound;
    std::string problem = driver.compile(text, kernel, found.function);
    if (!problem.empty()) found.function = nullptr;
    return problem;
  }

  static std::string run(const Driver& driver, const std::string& kernel, const Kernel& loaded,
                         long long count, const Argument* arguments, int num_arguments, void* stream) {
    int states = static_cast<int>(count);
    void* values[most_arguments + 1] = {&states};
    for (int k = 0; k < num_arguments; ++k) values[k + 1] = const_cast<const void**>(&arguments[k].array);
    const long long blocks = (count + loaded.threads - 1) / loaded.threads;
    return driver.check(driver.entries().cuLaunchKernel(loaded.function, static_cast<unsigned>(blocks), 1, 1,
                                                        loaded.threads, 1, 1, 0, stream, values, nullptr),
                        "the launch of " + kernel);
  }

  static std::string version(unsigned capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  }

  const std::string ptx_, robot_;
  std::mutex mutex_;
  std::map<std::pair<int, std::string>, Kernel> kernels_;  ///< by device and name
};

}  // namespace featherline::cuda
