#pragma once

#include <string>
#include <vector>

#include "measurements.hpp"

namespace featherline::bench {

/// How well predicted times agree with measured ones.
struct Accuracy {
  double rank_correlation = 0;              ///< Spearman's
  double rms = 0, lowest = 0, highest = 0;  ///< of log(predicted / measured)
  int choices = 0;                          ///< functions of a robot with several formulations
  int good_choices = 0;  ///< the predicted best takes at most 1.1 times as long as the measured best

  /// A function whose predicted best is no good choice.
  struct Miss {
    double ratio = 0, best_ns = 0;
    const Measurement *chosen = nullptr, *best = nullptr;
  };
  std::vector<Miss> misses;  ///< the worst first

  double share_of_good_choices() const { return choices > 0 ? double(good_choices) / choices : 1.0; }
};

/// Compares the rows with the prediction, which is multiplied by `machine_factor` first.
template <class Parameters>
Accuracy compare(const std::vector<Measurement>& rows, const Parameters& parameters,
                 double machine_factor = 1.0);

/// Lines of text for a person.
std::string print_accuracy(const Accuracy& accuracy);

}  // namespace featherline::bench
