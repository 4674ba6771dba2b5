#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// Decides what is too large to unroll. g++ needs 0.25 to 1 ms for each flop, and up to 1.4 GB of memory at 230,000
/// flops. So functions above a limit use loops, even where unrolled code would be faster:
///
///   second derivatives of                      flops     unrolled   in loops
///   inverse dynamics of talos_reduced        117,000        48 us      91 us
///   forward dynamics of baxter               134,000        24 us      60 us
namespace featherline {

/// A function with more flops than this, by the estimate before tracing, uses loops.
inline constexpr double max_unrolled_flops = 200'000;
/// The limit for packed forms and batches, which exist only unrolled. It is what a compiler can still handle.
inline constexpr double max_packed_flops = 1'000'000;

/// Whether the dense function, or its packed form, is too large to be unrolled by this formulation.
bool is_too_large(const catalog::FunctionSpec& function, const catalog::Formulation& formulation,
                  const model::Tree& tree, bool packed);

/// Whether a formulation is a candidate. If one is demanded, it is the only candidate. Else all unrolled formulations
/// within the limit are candidates, and loops. If the goal is few flops, loops are candidates only where no unrolled
/// formulation is, and limb lanes are not candidates, because they count as one flop. Packed forms (`packed`) never use
/// loops.
bool is_candidate(const catalog::Formulation& formulation, const catalog::FunctionSpec& algorithm,
                  const model::Tree& tree, const Options& options, bool packed);

/// Removes functions that exist only unrolled and are too large for that: packed forms, and with the binding "batch"
/// also dense functions, because their batches compute the packed form. A function that a group asks for is removed
/// with a warning. A function that the user named is an error.
std::vector<std::string> drop_unrolled_only(const std::vector<std::string>& functions, const Options& options,
                                            const model::Tree& tree, const std::string& file,
                                            Diagnostics& findings);

/// Removes functions with an array of more than 8 million entries (64 MB). Code for such arrays is too long, and such a
/// robot is often a mistake. Outputs count. The mass matrix counts, too, if the function inverts it. A function that a
/// group asks for is removed with a warning. One that the user named is an error, and so is a removal of all.
std::vector<std::string> drop_oversized(const std::vector<std::string>& functions, const Options& options,
                                        const model::Tree& tree, const std::string& file,
                                        Diagnostics& findings);

}  // namespace featherline
