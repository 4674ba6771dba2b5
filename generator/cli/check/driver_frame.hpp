#pragma once

/// The parts of the driver that are the same for all robots, as source text.
namespace featherline::cli {

/// Reads states, calls functions one state at a time, writes results. Needs what the driver says of the
/// inputs: `num_inputs`, `input_sizes`, `state_size`, `Inputs` and `make_inputs`.
extern const char* const driver_frame;
/// Places packed numbers by the tables of the C interface.
extern const char* const driver_c_frame;
/// Calls batches.
extern const char* const driver_batch_frame;
/// main(), which runs `call_all`.
extern const char* const driver_main;

}  // namespace featherline::cli
