#include "cold/timed_sides.hpp"

#include "cold/eviction.hpp"
#include "reference/expected.hpp"

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <stdexcept>

namespace featherline::bench {

namespace {

constexpr std::size_t num_states = 64;  ///< enough to have those for which constraints take a slow way

Memory memory_of(const std::vector<double>& numbers) {
  const char* begin = reinterpret_cast<const char*>(numbers.data());
  return {begin, begin + numbers.size() * sizeof(double), false};
}

/// The C library's functions are not looked for in touched_pages(): what both sides may call of them.
void add_c_library(std::vector<Memory>& memory) {
  for (const char* name : {"memset", "memcpy", "memmove", "malloc", "free"}) {
    const char* at = static_cast<const char*>(dlsym(RTLD_DEFAULT, name));
    if (at != nullptr) memory.push_back({at, at + 256, true});
  }
}

void find_memory(Side& side, const std::function<bool(const Mapping&)>& is_chosen) {
  const auto of = [&](const std::vector<DirectCall>& calls) {
    return touched_pages(is_chosen, [&] {
      for (const DirectCall& call : calls) call.function(call.workspace, call.input);
    });
  };
  side.memory = of(side.calls);
  side.code_pages = count_pages(side.memory, true);
  side.data_pages = count_pages(side.memory, false);
  const std::vector<Memory> of_prepare = of(side.prepare);
  side.memory.insert(side.memory.end(), of_prepare.begin(), of_prepare.end());
  add_c_library(side.memory);
}

/// `memory` without the lines from `begin` on.
std::vector<Memory> without(const std::vector<Memory>& memory, const char* begin, std::ptrdiff_t size) {
  std::vector<Memory> rest;
  for (const Memory& m : memory) {
    const char *first = std::clamp(begin, m.begin, m.end), *last = std::clamp(begin + size, m.begin, m.end);
    if (m.begin < first) rest.push_back({m.begin, first, m.is_code});
    if (last < m.end) rest.push_back({last, m.end, m.is_code});
  }
  return rest;
}

int link_of(const std::string& frame, const model::Tree& tree) {
  for (std::size_t l = 0; l < tree.links.size(); ++l) {
    if (tree.links[l].name == frame) return static_cast<int>(l);
  }
  throw std::runtime_error{"the benches know frames of links alone, and not " + frame};
}

Chosen chosen(const python::Robot& robot, const model::Tree& tree) {
  Chosen found{deepest_link(tree), {}, {}};
  for (const FrameInfo& frame : robot.frames) found.frames.push_back(link_of(frame.name, tree));
  for (const ConstraintInfo& c : robot.constraints)
    found.contacts.push_back({link_of(c.name, tree), c.num_rows});
  return found;
}

/// The states, and all of them again with v = 0.
std::vector<State> and_at_rest(std::vector<State> states) {
  const std::size_t count = states.size();
  for (std::size_t k = 0; k < count; ++k) {
    State state = states[k];
    std::fill(state.v.begin(), state.v.end(), 0.0);
    states.push_back(std::move(state));
  }
  return states;
}

/// The peers' name of a function: they leave structural zeros alone where ours clears them, unless it is `_nonzeros`.
std::string without_suffix(const std::string& function) {
  return function.substr(0, function.find("_nonzeros"));
}

/// Pinocchio holds the spatial acceleration of a weld, we hold the classical one. They are the same for a foot at rest.
bool is_alike_at_rest_alone(const python::Robot& robot, const std::string& function) {
  const bool welds = std::any_of(robot.constraints.begin(), robot.constraints.end(),
                                 [](const ConstraintInfo& c) { return c.num_rows == 6; });
  return welds && function.rfind("constrained_dynamics", 0) == 0;
}

/// A quaternion and its negative are the same rotation: `q` gets the signs of `like`.
void align_quaternions(const model::Tree& tree, const std::vector<double>& like, std::vector<double>& q) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.type != model::JointType::floating && body.joint.type != model::JointType::spherical)
      continue;
    const auto first = static_cast<std::size_t>(body.joint.idx_q + body.joint.nq - 4);
    double dot = 0.0;
    for (std::size_t i = first; i < first + 4; ++i) dot += like[i] * q[i];
    for (std::size_t i = first; dot < 0.0 && i < first + 4; ++i) q[i] = -q[i];
  }
}

/// Outputs at all states.
std::vector<std::vector<double>> outputs(EmittedCalls calls) {
  std::vector<std::vector<double>> list;
  for (std::size_t k = 0; k < calls.num_states(); ++k) {
    calls(k);
    list.push_back(calls.results());
  }
  return list;
}

}  // namespace

TimedRobot::TimedRobot(const std::vector<std::string>& libraries, const std::string& urdf, bool floating_base,
                       bool is_evicted)
    : name_{std::filesystem::path{urdf}.stem().string()},
      is_evicted_{is_evicted},
      libraries_(libraries.begin(), libraries.end()),
      tree_{read_tree(urdf, floating_base)},
      states_{random_states(tree_, num_states)},
      all_states_{and_at_rest(states_)},
      indices_(num_states),
      peers_{make_peers(tree_, chosen(libraries_[0].robot(), tree_), all_states_)} {
  std::iota(indices_.begin(), indices_.end(), 0);
  for (const NamedPeer& named : peers_) {
    for (const std::string& reason : named.reasons)
      reasons_.push_back(fmt::format("no {}: {}", named.name, reason));
  }
}

std::vector<Side> TimedRobot::sides(const python::Function& function) {
  std::vector<Side> all;
  for (const RobotLibrary& library : libraries_) all.push_back(ours(library, function.name));
  for (NamedPeer& named : peers_) {
    const std::string name = without_suffix(function.name);
    if (!named.peer || !named.peer->computation(name)) continue;
    if (agrees(named, function)) all.push_back(of_peer(named, name));
  }
  return all;
}

Side TimedRobot::ours(const RobotLibrary& library, const std::string& name) {
  const python::Function& function = *library.find(name);
  const auto calls = std::make_shared<EmittedCalls>(function, states_, deepest_link(tree_));
  Side side;
  side.name = "Featherline";
  side.owned = calls;
  const void *address = library.address(name), *prepare = library.address("prepare::" + name);
  if (address == nullptr) throw std::runtime_error{library.file() + " does not export " + name};
  for (const std::size_t& k : indices_) {
    side.calls.push_back({call_emitted, const_cast<void*>(address), &calls->arguments(k)});
    if (prepare == nullptr) continue;
    side.prepare.push_back({call_emitted, const_cast<void*>(prepare), &calls->arguments(k)});
    side.write_inputs.push_back({[](void* emitted, const void* state) {
                                   static_cast<EmittedCalls*>(emitted)->write_inputs(
                                       *static_cast<const std::size_t*>(state));
                                 },
                                 calls.get(), &k});
  }
  if (!is_evicted_) return side;
  find_memory(side, [&](const Mapping& m) { return m.name == library.file(); });
  for (const std::vector<double>* array : calls->arrays()) side.memory.push_back(memory_of(*array));
  return side;
}

bool TimedRobot::is_ours(const Mapping& mapping) const {
  return std::any_of(libraries_.begin(), libraries_.end(),
                     [&](const RobotLibrary& library) { return library.file() == mapping.name; });
}

Side TimedRobot::of_peer(NamedPeer& named, const std::string& function) {
  Side side;
  side.name = named.name;
  const auto computation =
      std::make_shared<std::function<void(std::size_t)>>(named.peer->computation(function));
  side.owned = computation;
  for (const std::size_t& k : indices_) {
    side.calls.push_back(named.peer->direct(function, k));
    if (side.calls.back().function != nullptr) continue;
    side.calls.back() = {
        [](void* call, const void* state) {
          (*static_cast<std::function<void(std::size_t)>*>(call))(*static_cast<const std::size_t*>(state));
        },
        computation.get(), &k};
  }
  if (!is_evicted_) return side;
  find_memory(side, [&](const Mapping& m) { return !is_ours(m); });
  const Memory timing = timing_code();
  side.memory = without(side.memory, timing.begin, timing.end - timing.begin);
  return side;
}

bool TimedRobot::agrees(NamedPeer& named, const python::Function& function) {
  const bool at_rest = is_alike_at_rest_alone(libraries_[0].robot(), function.name);
  std::vector<State> states = states_;
  if (at_rest) states.assign(all_states_.begin() + num_states, all_states_.end());
  const std::vector<std::vector<double>> ours = outputs({function, states, deepest_link(tree_)});
  const std::string name = without_suffix(function.name);
  const std::function<void(std::size_t)> compute = named.peer->computation(name);
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::size_t index = k + (at_rest ? num_states : 0);
    compute(index);
    std::vector<double> theirs = named.peer->results(name, index);
    if (name == "integrate") align_quaternions(tree_, ours[k], theirs);
    const Eigen::Map<const Eigen::VectorXd> expected(ours[k].data(),
                                                     static_cast<Eigen::Index>(ours[k].size()));
    const double error =
        theirs.size() == ours[k].size() ? reference::array_error(theirs, expected).relative : 1.0;
    if (error <= agreement) continue;
    reasons_.push_back(fmt::format("no {} of {}: it differs by {:.1e}", function.name, named.name, error));
    return false;
  }
  return true;
}

}  // namespace featherline::bench
