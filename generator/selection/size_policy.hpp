#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <map>
#include <string>
#include <vector>

/// Straight line or loops. Straight line is kept as long as it can be: unrolled second derivatives of
/// talos_reduced (117,000 flops) take 48 us against 91 us in loops, forward dynamics' of baxter (134,000) 24 us against
/// 60 us. But g++ needs 0.25 to 1 ms a flop and up to 1.4 GB at 230,000.
namespace featherline {

/// Flops, as estimated before tracing, up to which results are unrolled.
inline constexpr double max_unrolled_flops = 200'000;
/// The same for packed forms and batches, which only unrolled code gives: what a patient compiler still takes.
inline constexpr double max_packed_flops = 1'000'000;

/// Forced formulations, by function.
using ForcedFormulations = std::map<std::string, std::string>;

/// Whether a formulation is among those to choose from: the forced one, or all that are not too long, or else those in
/// loops. `packed`: packed forms are always unrolled.
bool is_candidate(const catalog::Formulation& formulation, const catalog::FunctionSpec& algorithm,
                  const model::Tree& tree, const ForcedFormulations& forced, bool packed);

/// `functions` without what only unrolled code gives, where code would be in loops: packed forms, whose entries come one
/// by one, and with the binding "batch" the functions themselves, whose batches compute the packed form. With a warning where
/// a group brought them in, with an error where the user named them.
std::vector<std::string> drop_unrolled_only(const std::vector<std::string>& functions, const Options& options,
                                            const model::Tree& tree, const std::string& file,
                                            Diagnostics& findings);

/// Errors for functions whose arrays would have more than 8 million entries (64 MB): straight-line code for them is out
/// of reach, and the robot is rather a mistake. Counted are outputs, and the mass matrix where it is inverted.
void refuse_oversized_outputs(const std::vector<std::string>& functions, const model::Tree& tree,
                              const std::string& file, Diagnostics& findings);

}  // namespace featherline
