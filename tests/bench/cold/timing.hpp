#pragma once

#include "cold/eviction.hpp"
#include "cold/timed_sides.hpp"

#include <cstddef>
#include <vector>

namespace featherline::bench {

/// Times single calls of several sides in turn.
class Timing {
 public:
  Timing(Eviction& eviction, int calls);

  void measure_single_calls(std::vector<Side>& sides);
  static void measure_loops(std::vector<Side>& sides);

 private:
  FEATHERLINE_TIMING_CODE double time(const DirectCall& call) const;
  double cold(const Side& side, std::size_t state, Forgotten forgotten);
  double prepared(const Side& side, std::size_t state, Forgotten forgotten);
  double called(const Side& side, std::size_t state, Forgotten forgotten);
  void wait_for_sensors(const Side& side, std::size_t state) const;
  double at_once(const Side& side, std::size_t state, Forgotten forgotten);
  void measure_cold(Side& side, std::size_t state, Forgotten forgotten, bool in_all_ways);
  double warm(const Side& side, std::size_t state);

  Eviction& eviction_;
  int calls_;
  double ns_of_a_tick_, empty_call_ = 0.0;  ///< ns
};

}  // namespace featherline::bench
