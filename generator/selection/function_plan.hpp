#pragma once

#include "catalog/functions.hpp"
#include "robot.hpp"

#include <Eigen/Core>

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

// Which functions a robot can have. Each call returns those of the functions asked for that it can. A function that a
// group asks for is left out with a warning; one that the user named is an error.

/// Throws InputError where there are errors.
std::vector<std::string> existing_functions(const Robot& robot, const Options& options,
                                            Diagnostics& findings);

/// Who asks for functions, and where what is wrong with them is said.
struct Asked {
  const Options& options;
  const model::UserTree& tree;
  const std::string& file;
  Diagnostics& findings;
};

/// Without functions that have an array of more than 8 million entries (64 MB). Code for such arrays is too long, and
/// such a robot is often a mistake. Outputs count. The mass matrix counts, too, if the function inverts it. That none
/// is left is an error.
std::vector<std::string> drop_oversized(const std::vector<std::string>& functions, const Asked& asked);

/// Without functions that divide by the mass of the robot if it has none. Payloads that are inputs count for nothing,
/// because they may be zero.
std::vector<std::string> drop_functions_without_mass(const std::vector<std::string>& functions,
                                                     const Asked& asked);

/// Without functions that exist only unrolled and are too large for that: packed forms, and with the binding "batch"
/// also dense functions, because their batches compute the packed form.
std::vector<std::string> drop_unrolled_only(const std::vector<std::string>& functions, const Asked& asked);

/// For each degree of freedom, whether its pivot, an entry of D in M = L^T D L, is at most `least` times the terms that
/// it is computed from. A negative pivot does not vanish. It can come from inertias that --allow accepts.
std::vector<bool> vanishing_pivots(Eigen::MatrixXd M, double least);

/// Bounds of pivots. Measured with two wheels on one axis and a ring of inertia e between them: the error of aba is
/// 8e-17 / e, which passes 1e-10 at e = 8e-7.
inline constexpr double vanishing_pivot = 1e-12, least_verified_pivot = 2e-7;

// Whether what the user chose matters to the functions asked for: choice_checks.cpp.

/// The name of the emission: that of --name, or of the robot. Tells the user where it cannot name a namespace. Throws
/// UsageError for a C header that would hide the system's header for everybody who has its folder in the include path.
std::string choose_name(const Robot& robot, const Options& options, Diagnostics& findings);

/// Notes that the target has nothing that --optimise-for latency could be for.
void tell_goal(const Robot& robot, const Options& options, Diagnostics& findings);

/// Throws UsageError for frames, contacts and inputs that the user chose and no function depends on. `dropped`:
/// functions that depend on external forces, but cannot take them.
void refuse_unused_choices(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                           const Asked& asked);

/// Throws UsageError for a gain KP that nothing has a position for. Warns of constraints of the file that no function
/// knows, and if rows of constraints depend on each other at a random state, with all of them active: forces in such
/// rows are not determined.
void check_constraints(const std::vector<std::string>& functions, const Asked& asked);

// Functions that a robot has and does not have, and how the user is told.

using Names = std::vector<std::string>;

/// The functions asked for. The robot cannot have `dropped`, which are part of a group, and `refused`, which the user
/// named.
struct Division {
  Names kept, dropped, refused;

  bool loses_some() const { return !dropped.empty() || !refused.empty(); }
};

template <class Exists>
Division divide(const Names& functions, const Options& options, const Exists& exists) {
  Division division;
  for (const std::string& name : functions)
    (exists(*catalog::find(name)) ? division.kept
     : options.is_named(name)     ? division.refused
                                  : division.dropped)
        .push_back(name);
  return division;
}

/// Why functions do not exist. Their names stand between `reason` and what becomes of them.
struct Absence {
  Finding finding;
  std::string reason, remedy;
  const model::Joint* joint = nullptr;  ///< if it is the cause
  const char* left_out = " left out";
  const char* refused = " cannot be emitted";
};

/// Tells the user what is left out and refused. Returns what is kept.
Names tell(const Division& division, const Absence& absence, const Asked& asked);

/// Without functions that invert M if M is singular in every configuration. Causes are a joint that moves no inertia, a
/// mimic with multiplier 0, and a point mass on its own axis. Such robots have inverse dynamics but no forward
/// dynamics. Messages name the joints and the links behind them. If no function inverts M, joints without inertia get
/// the warning of model::warn_massless.
Names drop_functions_without_inverse(const Names& functions, const Asked& asked);

}  // namespace featherline
