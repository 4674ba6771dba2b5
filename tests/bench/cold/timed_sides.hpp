#pragma once

#include "cold/touched_pages.hpp"
#include "peers/peer.hpp"
#include "robot_library.hpp"
#include "subject.hpp"

#include <memory>
#include <string>
#include <vector>

namespace featherline::bench {

/// A function of one library at several states, and its times.
struct Side {
  std::string name;
  std::vector<DirectCall> calls;    ///< by state
  std::vector<DirectCall> prepare;  ///< what brings the call into the caches; none if there is no such thing
  std::vector<DirectCall> write_inputs;        ///< with the values that they have; one for each of prepare
  std::vector<Memory> memory;                  ///< all that the calls touch, but for the stack
  std::size_t code_pages = 0, data_pages = 0;  ///< among these; of ours without the arguments
  std::vector<double> warm;                    ///< ns of single calls
  struct Cold {
    std::vector<double> plain;     ///< of single calls
    std::vector<double> prepared;  ///< of those that were prepared some time before
    std::vector<double> called;    ///< of those before which the function was called at another state
    std::vector<double> at_once;   ///< of preparing and calling, without waiting
  };
  Cold without_lines, without_all;  ///< after Forgotten::lines, Forgotten::everything
  double in_a_loop = 0.0;           ///< ns of a call in a loop over all states, the best of many loops

  // What the calls point to.
  std::shared_ptr<void> owned;
};

/// A robot in libraries of its own, which different compilers made, with the peers that know it.
class TimedRobot {
 public:
  /// With `is_evicted`, sides know the memory that they touch.
  TimedRobot(const std::vector<std::string>& libraries, const std::string& urdf, bool floating_base,
             bool is_evicted);

  const std::string& name() const { return name_; }
  const python::List<python::Function>& functions() const { return libraries_[0].robot().functions; }
  /// Ours first, one for each library; then the peers whose results are the same at all states.
  std::vector<Side> sides(const python::Function& function);
  const std::vector<NamedPeer>& peers() const { return peers_; }
  /// Why a peer is missing somewhere.
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  Side ours(const RobotLibrary& library, const std::string& function);
  Side of_peer(NamedPeer& named, const std::string& function);
  bool agrees(NamedPeer& named, const python::Function& function);
  bool is_ours(const Mapping& mapping) const;

  std::string name_;  ///< of the file
  bool is_evicted_;
  std::vector<RobotLibrary> libraries_;
  model::UserTree tree_;
  std::vector<State> states_, all_states_;  ///< the same, and once more at rest
  std::vector<std::size_t> indices_;
  std::vector<NamedPeer> peers_;
  std::vector<std::string> reasons_;
};

}  // namespace featherline::bench
