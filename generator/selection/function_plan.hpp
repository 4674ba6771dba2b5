#pragma once

#include "catalog/functions.hpp"
#include "robot.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The plan of a run: which functions are emitted, in which forms, and which formulations may compute them. It is
/// made once, before anything is traced.
namespace featherline {

/// Formulations that apply to the robot, in the order of the catalogue.
using Formulations = std::vector<const catalog::Formulation*>;

/// How one function becomes code.
struct FunctionPlan {
  const catalog::FunctionSpec* spec = nullptr;
  bool dense = false;   ///< emitted with dense outputs
  bool packed = false;  ///< emitted with packed outputs, as a function of its own
  bool batch = false;   ///< batches of the dense function are emitted; they may compute a packed form
  /// The best for Options::goal() is kept. If a packed form is planned and can be made from it, it is.
  Formulations candidates;
  /// Loops cannot be packed. If they are kept, a planned packed form is made from the best of these candidates.
  Formulations packed_candidates;
  /// Loops that are not among `candidates`. They are tried if the code of all candidates is longer than --max-code.
  Formulations shorter;

  /// Straight lines for devices (--cuda); empty without the option, and where there are none.
  Formulations device_candidates;

  std::int64_t output_entries = 0;  ///< of its dense form; the more, the longer it takes to make

  bool needs_packing() const { return packed || batch; }
};

struct Plan {
  std::string name;  ///< of --name, or of the robot; emit::emitted_name turns it into a namespace
  std::vector<FunctionPlan> functions;  ///< in the order of the catalogue
  /// Whether quarter turns written in decimals may be taken as exact (quarter_turns.hpp).
  bool exact_turns = false;
  /// Whether some formulation works in common frames of several bodies.
  bool common_frames = false;
  /// Whether some formulation computes equal limbs side by side.
  bool lanes = false;
};

/// Whether the formulation computes its function for this robot, and the options allow it. Lanes of functions with
/// constraints are fast only where each limb can move along all rows.
bool applies(const catalog::Formulation& formulation, const catalog::FunctionSpec& spec,
             const model::UserTree& tree, const Options& options);

/// Why the formulation does not compute its function for this robot, as a clause: "it needs equal limbs". Empty if it
/// does.
std::string why_not(const catalog::Formulation& formulation, const catalog::FunctionSpec& spec,
                    const model::UserTree& tree, const Options& options);

/// A function with more flops than this, by the estimate before tracing, uses loops. g++ needs 0.25 to 1 ms for each
/// flop, and up to 1.4 GB of memory at 230,000 flops. So it uses loops even where unrolled code would be faster:
///
///   second derivatives of                      flops     unrolled   in loops
///   inverse dynamics of talos_reduced        117,000        48 us      91 us
///   forward dynamics of baxter               134,000        24 us      60 us
inline constexpr double max_unrolled_flops = 200'000;
/// The limit for what exists only unrolled: packed forms, batches, and functions of robots that no loops fit. It is
/// what a compiler can still handle.
inline constexpr double max_packed_flops = 1'000'000;

/// Whether some formulation in loops can compute the function for this robot.
bool has_loops(const catalog::FunctionSpec& function, const model::Tree& tree);

/// Whether the dense function, or its packed form, is too large to be unrolled by this formulation.
bool is_too_large(const catalog::FunctionSpec& function, const catalog::Formulation& formulation,
                  const model::Tree& tree, bool packed);

/// Whether a formulation is a candidate. If one is demanded, it is the only candidate. Else all unrolled formulations
/// within the limit are candidates, and loops. If the goal is few flops, loops are candidates only where no unrolled
/// formulation is, and limb lanes are not candidates, because they count as one flop. Packed forms (`packed`) never use
/// loops.
bool is_candidate(const catalog::Formulation& formulation, const catalog::FunctionSpec& algorithm,
                  const model::Tree& tree, const Options& options, bool packed);

/// Whether some formulation without loops has no more flops than that.
bool fits_unrolled(const catalog::FunctionSpec& function, const model::Tree& tree, double limit);

/// Whether the user demands a formulation without loops.
bool is_forced_to_unroll(const catalog::FunctionSpec& function, const Options& options);

/// The plan of one function: `dense` and `packed` say which forms of it are emitted.
FunctionPlan plan_function(const catalog::FunctionSpec& spec, bool dense, bool packed,
                           const model::UserTree& tree, const Options& options);

}  // namespace featherline
