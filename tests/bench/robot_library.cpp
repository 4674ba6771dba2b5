#include "robot_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
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
  if (array.demand == python::Demand::switches || array.demand == python::Demand::weights)
    return std::vector<double>(size_of(array), 1.0);
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
  link_map* map = nullptr;
  dlinfo(library, RTLD_DI_LINKMAP, &map);
  read_addresses(reinterpret_cast<const void*>(map->l_addr));
}

/// Of all functions that the file exports, from its table of dynamic symbols.
void RobotLibrary::read_addresses(const void* base) {
  std::ifstream stream{file_, std::ios::binary};
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(file.data());
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file.data() + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(file.data() + sections[i].sh_offset);
    const char* names = file.data() + sections[sections[i].sh_link].sh_offset;
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof *symbols; ++k) {
      if (symbols[k].st_shndx != SHN_UNDEF)
        addresses_[names + symbols[k].st_name] = static_cast<const char*>(base) + symbols[k].st_value;
    }
  }
}

const void* RobotLibrary::address(const std::string& function) const {
  std::string mangled = "_ZN";
  const auto add = [&](const std::string& name) { mangled += std::to_string(name.size()) + name; };
  add(robot_->name);
  const std::size_t colons = function.find("::");
  if (colons != std::string::npos) add(function.substr(0, colons));
  add(colons == std::string::npos ? function : function.substr(colons + 2));
  mangled += "IdE";
  const auto found = addresses_.lower_bound(mangled);
  return found != addresses_.end() && found->first.rfind(mangled, 0) == 0 ? found->second : nullptr;
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
  for (const auto& inputs : pointers_) {
    Arguments all{};
    auto next = std::copy_n(inputs.begin(), inputs_[0].size(), all.begin());
    const auto number = [](int x) { return reinterpret_cast<const void*>(static_cast<std::intptr_t>(x)); };
    if (function.takes_link) *next++ = number(link);
    next = std::copy_n(results_.begin(), outputs_.size(), next);
    if (function.has_reference_frame_argument)
      *next++ = number(static_cast<int>(ReferenceFrame::local_world_aligned));
    arguments_.push_back(all);
  }
}

void EmittedCalls::write_inputs(std::size_t state) {
  for (Numbers& numbers : inputs_[state]) {
    for (volatile double& x : numbers) x = x;
  }
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
