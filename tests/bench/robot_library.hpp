#pragma once

#include "robot_inputs.hpp"

#include <featherline/python_table.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace featherline::bench {

/// A robot in a library of its own, with the tables that `generate --python` writes: all functions by name, with the
/// shapes of their arrays. The library stays open as long as the program runs.
class RobotLibrary {
 public:
  /// Throws std::runtime_error if the file cannot be loaded.
  explicit RobotLibrary(std::string file);

  const std::string& file() const { return file_; }  ///< its whole path, as the kernel lists it
  const python::Robot& robot() const { return *robot_; }
  /// nullptr if the robot has no such function.
  const python::Function* find(const std::string& function) const;
  /// The address of NAME::F in double, for F = "rnea" or "prepare::rnea"; nullptr if the library exports none.
  const void* address(const std::string& function) const;

 private:
  void read_addresses(const void* base);

  std::string file_;
  const python::Robot* robot_ = nullptr;
  std::map<std::string, const void*> addresses_;  ///< by mangled name
};

/// A function of a robot at several states: inputs of its own for each, and one set of outputs.
class EmittedCalls {
 public:
  /// Positions are the states' q, and q of the next state where there are two. Velocities and steps are v. All other
  /// inputs with an entry for each velocity are a. All constraints hold. Links are given by their index.
  EmittedCalls(const python::Function& function, const std::vector<State>& states, int link);

  EmittedCalls(const EmittedCalls&) = delete;
  EmittedCalls& operator=(const EmittedCalls&) = delete;

  const python::Function& function() const { return *function_; }
  std::size_t num_states() const { return inputs_.size(); }
  void operator()(std::size_t state) {
    function_->float64.one(1, pointers_[state].data(), results_.data(), link_,
                           ReferenceFrame::local_world_aligned);
  }
  /// What the function itself takes at that state, all of which goes in as pointers do: arrays, link and frame.
  static constexpr std::size_t max_arguments = 12;
  using Arguments = std::array<const void*, max_arguments>;
  const Arguments& arguments(std::size_t state) const { return arguments_[state]; }
  /// Writes the inputs of that state anew, with the values that they have: as sensors do between preparing and calling.
  void write_inputs(std::size_t state);
  /// The outputs one after the other.
  std::vector<double> results() const;
  /// The arrays themselves, for those who ask where they are.
  std::vector<const std::vector<double>*> arrays() const;

 private:
  using Numbers = std::vector<double>;
  const python::Function* function_;
  int link_;
  std::vector<std::vector<Numbers>> inputs_;  ///< by state
  std::vector<Numbers> outputs_;
  std::vector<std::array<const void*, python::max_arrays>> pointers_;
  std::array<void*, python::max_arrays> results_{};
  std::vector<Arguments> arguments_;
};

}  // namespace featherline::bench
