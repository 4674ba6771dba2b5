#pragma once

#include "cost/time.hpp"

/// The time of a call that finds nothing in the caches, predicted as cost/time.hpp predicts that of one call after the
/// other. Such a call takes 4 to 33 times as long, because it waits for memory:
///
///   code      one line after the other. Straight lines have no reuse, so each is a miss of its own.
///   data      inputs, outputs, tables and the stack. The processor waits for several lines at once.
///   pages     the tables of pages are in memory, too; a call finds the first lines of all things it reads or writes.
namespace featherline::cost {

/// ns that come to the time of a warm call.
struct ColdParameters {
  double call;
  double code_byte;  ///< a miss for each 64 of them
  double table_byte, data_byte, stack_byte;
};

double predict_cold_ns(const Work& work, const ColdParameters& parameters);

/// Fitted to the measurements in tests/bench/prediction/cold.txt by tests/bench/prediction.
extern const ColdParameters fitted_cold;

}  // namespace featherline::cost
