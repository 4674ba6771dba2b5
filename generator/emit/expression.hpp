#pragma once

#include "emit/value_names.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace featherline::emit {

/// What a piece of emitted code refers to besides its own values: decides which parameters it takes.
struct Usage {
  std::set<int> inputs;               ///< parameter indices
  std::set<int> written;              ///< outputs and locals, as ir::Store::buffer
  bool sines = false;                 ///< sn
  bool cosines = false;               ///< cs
  bool workspace = false;             ///< ws
  bool zeros = false;                 ///< zeros: whether those between statements are stored
  std::set<ir::Op> functions;         ///< sqrt, atan, pivot_inverse, sine, cosine, stumpff_k
  bool limb_numbers = false;          ///< number, the constants of one limb
  std::set<int> lanes;                ///< widths of the lanes that it names a type for
  std::set<ir::NodeId> lane_numbers;  ///< numbers that differ between lanes
  std::set<ir::NodeId> values;        ///< mentioned by name

  void merge(const Usage& other);
};

/// Whether equal limbs are in the lanes of a vector, or each on a thread of its own (featherline/cuda/limbs.hpp).
enum class LimbsOn { lanes, threads };

/// Turns values of one kernel into C++ expressions of scalar type S or of lanes of it, tree by tree as scheduled:
/// parentheses are left out only where C++ groups the same way.
class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(const ir::Kernel& kernel, LimbsOn limbs = LimbsOn::lanes);

  /// The operation that defines `id`, even if it has a name. Everything it mentions is added to `usage`.
  std::string definition(ir::NodeId id, Usage& usage) const;
  /// What a user of `id` writes: its name, a literal, q[2], or its definition if it is inlined.
  std::string value(ir::NodeId id, Usage& usage) const;
  /// "const S &s_elbow = sn[1], &c_elbow = cs[1]": definitions of those sines and cosines of angle k that `usage`
  /// mentions by name; empty for none.
  std::string angle_names(std::size_t k, const Usage& usage) const;
  /// The argument of angle k, one text for each lane, spelled out down to the inputs: nothing is defined yet where it
  /// is evaluated. Limbs on threads have one text.
  std::vector<std::string> angle(std::size_t k, Usage& usage) const;

  const std::string& name(ir::NodeId id) const { return names_.names[id]; }
  /// "const L4 p2_y{S(0.049), S(-0.049), ...}": definitions of the numbers that differ between lanes, of those that
  /// `usage` mentions.
  std::vector<std::string> lane_numbers(const Usage& usage) const;
  /// The type that a value is declared with outside loops.
  std::string type(ir::NodeId id) const;

  /// In a loop over limbs: the constants that differ between limbs, one list for each limb, in the order in which
  /// `number[k]` counts them.
  std::vector<std::vector<std::string>> limb_numbers() const;
  /// Whether a value of lanes is used outside the loop that computes it. It is then an array with an entry a limb.
  bool is_array(ir::NodeId id) const { return arrays_.count(id) > 0; }

 private:
  /// Text with its binding strength: 1 additive, 2 multiplicative, 3 unary minus, 4 indivisible.
  struct Text {
    std::string text;
    int strength;
  };
  /// How far a print goes: to names, past the name of the value itself, or down to the inputs of one lane.
  struct Depth {
    bool past_name = false;
    int lane = -1;  ///< 0 or more: down to the inputs
    Depth below() const { return {false, lane}; }
  };
  Text print(ir::NodeId id, Depth depth, Usage& usage) const;
  Text print_constant(ir::NodeId id, Depth depth, Usage& usage) const;
  Text print_gather(ir::NodeId id, Depth depth, Usage& usage) const;
  Text print_operation(ir::NodeId id, Depth depth, Usage& usage) const;
  Text print_binary(ir::NodeId id, Depth depth, Usage& usage) const;
  std::string print_input(ir::NodeId buffer, int entry, Usage& usage) const;
  std::string print_trigonometric(ir::NodeId id, Usage& usage) const;
  std::string array_entry(ir::NodeId id, int lane = -1) const;
  /// "q[7 + 3 * limb]".
  std::string limb_entry(const std::string& array, const std::vector<int>& entries) const;

  const ir::Kernel& kernel_;
  bool on_threads_;
  std::vector<ir::NodeId> angles_;
  std::vector<int> first_entry_;  ///< by angle: its place in sn and cs
  ValueNames names_;
  std::vector<bool> columns_;               ///< ir::column_nodes()
  bool limb_loops_;                         ///< lanes are printed as the scalar of one limb
  std::map<ir::NodeId, int> limb_numbers_;  ///< constants that differ between limbs
  std::set<ir::NodeId> arrays_;
};

/// "7 + 3 * limb": an index in a loop over limbs.
std::string limb_index(int first, int stride);

}  // namespace featherline::emit
