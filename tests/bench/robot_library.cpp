#include "robot_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace featherline::bench {

namespace {

std::size_t size_of(const python::Array& array) {
  std::size_t size = 1;
  for (int i = 0; i < array.rank; ++i) size *= static_cast<std::size_t>(array.sides[i]);
  return size;
}

std::vector<double> input(const python::Array& array, const State& x, const State& next) {
  const std::string name = array.name;
  if (array.demand == python::Demand::switches) return std::vector<double>(size_of(array), 1.0);
  const std::vector<double>& values = name == "q1"                  ? next.q
                                      : name == "q" || name == "q0" ? x.q
                                      : name == "v" || name == "dv" ? x.v
                                                                    : x.a;
  if (values.size() != size_of(array)) throw std::runtime_error{"the benches have no values for " + name};
  return values;
}

}  // namespace

RobotLibrary::RobotLibrary(std::string file) : file_{std::filesystem::canonical(file).string()} {
  void* library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == nullptr ? nullptr : dlsym(library, "featherline_robot");
  if (symbol == nullptr) throw std::runtime_error{dlerror()};
  robot_ = reinterpret_cast<const python::Robot* (*)()>(symbol)();
}

const python::Function* RobotLibrary::find(const std::string& function) const {
  for (const python::Function& f : robot_->functions) {
    if (f.name == function) return &f;
  }
  return nullptr;
}

EmittedCalls::EmittedCalls(const python::Function& function, const std::vector<State>& states, int link)
    : function_{&function}, link_{link}, inputs_(states.size()), pointers_(states.size()) {
  for (const python::Array& array : function.arrays) {
    if (array.is_output) {
      outputs_.emplace_back(size_of(array));
      continue;
    }
    for (std::size_t k = 0; k < states.size(); ++k)
      inputs_[k].push_back(input(array, states[k], states[(k + 1) % states.size()]));
  }
  for (std::size_t k = 0; k < states.size(); ++k) {
    for (std::size_t i = 0; i < inputs_[k].size(); ++i) pointers_[k][i] = inputs_[k][i].data();
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) results_[i] = outputs_[i].data();
}

std::vector<double> EmittedCalls::results() const {
  std::vector<double> all;
  for (const Numbers& output : outputs_) all.insert(all.end(), output.begin(), output.end());
  return all;
}

std::vector<const std::vector<double>*> EmittedCalls::arrays() const {
  std::vector<const Numbers*> all;
  for (const std::vector<Numbers>& of_state : inputs_) {
    for (const Numbers& numbers : of_state) all.push_back(&numbers);
  }
  for (const Numbers& numbers : outputs_) all.push_back(&numbers);
  return all;
}

}  // namespace featherline::bench
