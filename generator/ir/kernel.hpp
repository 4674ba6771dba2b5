#pragma once

#include "ir/graph.hpp"
#include "ir/robot_tables.hpp"
#include "ir/routines.hpp"
#include "ir/scalar.hpp"

#include <featherline/kinematics.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace featherline::ir {

/// An array that a kernel reads or writes, e.g. {"q", 7}.
struct Buffer {
  std::string name;
  int size = 0;
  /// Of an input: each entry stands for three numbers (featherline::kinematics::Column), which emitted code computes at
  /// once. The kernel is the computation of one of the three.
  bool columns = false;
};

/// An array of a kernel.
struct ArrayId {
  bool is_input = false;
  int index = 0;  ///< of an input in Kernel::inputs, otherwise as Store::buffer
  bool operator==(const ArrayId&) const = default;
};

/// Entry of an input.
struct Place {
  int buffer = 0;
  int entry = 0;
  bool operator==(const Place&) const = default;
};

/// buffer[entry] = value; `value` may be a constant node. With a stride, lane l of the value goes to
/// buffer[entry + l stride].
struct Store {
  int buffer = 0;  ///< index in Kernel::outputs, and behind these in Kernel::locals
  int entry = 0;
  NodeId value = no_node;
  int stride = 0;  ///< not zero if and only if the value has lanes
};

/// One line of emitted code: the definition of a named value, or the store of an entry.
struct Statement {
  NodeId value = no_node;
  int store = -1;  ///< index in Kernel::stores, or -1 for a definition
};

/// A value that one straight line computes and another one reads. It is kept in the workspace. Lanes take consecutive
/// slots.
struct Transfer {
  NodeId value = no_node;
  int slot = 0;
};

// The steps of a kernel.

/// Sets entries of a buffer to zero.
struct Clear {
  int buffer = 0;                 ///< as Store::buffer
  std::vector<int> entries = {};  ///< none: the whole buffer, so that its zeros need not be stored one by one
  /// No step reads these zeros, and each call of the kernel stores the same other entries. So an output has to be
  /// cleared before the first call only. Emitted code then has two functions: FUNCTION_nonzeros is all other steps, and
  /// the dense function clears and calls it. Where zeros are many (ZerosBetween), and where a routine clears
  /// its own output (RoutineRow::clears), both call one function.
  bool once = false;
  /// The steps that follow add to these zeros. Both functions clear then.
  bool for_sums = false;
};

/// Computes sines and cosines of all angles in one call. The angles depend only on inputs. Sine and cosine of
/// angles[k] have no statements. They are printed as entries of the arrays sn and cs. An angle with lanes takes an
/// entry for each lane.
struct SinCos {
  std::vector<NodeId> angles;
};

/// Statements of limb lanes that are printed as a loop over the limbs.
struct LimbLoop {
  std::size_t first = 0, count = 0;  ///< in StraightLine::statements
  int lanes = 0;
};

/// Zeros that are stored between statements.
struct ZerosBetween {
  std::size_t before = 0;  ///< in StraightLine::statements
  Clear zeros;             ///< with entries; Clear::once
};

/// Statements without branches: the whole graph, or a part of it that becomes an internal function. A value is loaded
/// where it is first read, and saved where it is defined. At the ends of the part, loads and saves would keep values
/// alive across the part, and they would be spilled (first derivatives of hyq would take 1.03 times as long in
/// scalars, 1.5 times in AVX-512 lanes). No slot is both loaded and saved in one part.
struct StraightLine {
  std::vector<Transfer> loads;  ///< read from the workspace
  std::vector<Statement> statements;
  std::vector<Transfer> saves;  ///< written to the workspace
  /// Where code has to be short, limbs are computed one after the other. Then all statements of lanes, and all sums
  /// over lanes, are in loops.
  std::vector<LimbLoop> loops = {};
  /// A processor has room for few stores that are not done yet: in front of everything else, many zeros would be waited
  /// for.
  std::vector<ZerosBetween> zeros = {};
};

struct LinkWalk;
struct Kernel;

/// Calls a routine of the runtime. The routine reads a table of the robot: `axes`, `walk` or `panels`. Or it calls
/// `body`, which becomes an internal function: several calls with other arguments share its code.
struct Call {
  Routine routine = {};                     ///< unless there is a body
  bool unrolled = false;                    ///< by the compiler, where there are both loops and unrolled code
  std::vector<ArrayId> arguments = {};      ///< in the order of the routine
  std::vector<int> first = {};              ///< of a body: by argument, the entry that is its first
  std::shared_ptr<const Kernel> body = {};  ///< its inputs and then its outputs are the arguments
  std::shared_ptr<const AxisTable> axes = {};
  std::shared_ptr<const LinkWalk> walk = {};
  std::shared_ptr<const PanelTable> panels = {};
  int num_points =
      0;  ///< of a step with contacts, whose routine reads no table; with `axes`: rows of constraints
  /// Of rows of constraints: the last one before the link of each row, or all those without motors.
  std::vector<int> coordinates = {};
  int num_joints = 0;  ///< whose limits and friction are among the contacts
  /// A local array: the call happens unless featherline::all_bent() holds for it. It replaces results that are there
  /// already. It runs rarely; its flops are not counted.
  std::optional<ArrayId> condition = {};
  RoutineCost cost = {};  ///< as the row of the routine says, set by the algorithm
};

using Step = std::variant<Clear, SinCos, StraightLine, Call>;

/// A function from inputs to outputs. Algorithms make kernels, passes rewrite them, interpreters run them, the
/// emitter prints them.
///
/// An algorithm makes the graph and its stores, and `steps` with only the calls, which run after all stores, and the
/// clears that calls need. passes::schedule() puts the other steps before these: clears, sines and cosines, straight
/// lines.
struct Kernel {
  std::string name;
  std::string formulation;  ///< which of several equivalent algorithms this is, for the report
  std::vector<Buffer> inputs;
  std::vector<Buffer> outputs;
  std::vector<Buffer> locals;  ///< arrays that only this kernel uses, for calls to read
  Graph graph;
  std::vector<Store> stores;  ///< every entry that no call writes first, exactly once
  std::vector<Step> steps;
  /// Lanes that have the other sign in a named value. The names begin with mir_ (passes::mirror_limbs).
  std::map<std::string, std::vector<int>> mirrored;
  /// Which of the robot's tables of inertias the algorithm read (model::Grouping).
  std::set<int> inertia_tables;

  // Set by passes::schedule().
  std::vector<bool>
      inlined;  ///< by node: printed inside its only user; constants and inputs have no statement either
  int workspace_size = 0;  ///< scalars; 0 when there is a single straight line
  /// Whether a live node has a statement.
  bool has_statement(NodeId id) const { return is_operation(graph[id].op) && !inlined[id]; }

  /// The buffer that Store::buffer refers to.
  const Buffer& output_or_local(int buffer) const;
  int num_outputs_and_locals() const { return static_cast<int>(outputs.size() + locals.size()); }
  const Buffer& array(ArrayId id) const {
    return id.is_input ? inputs.at(static_cast<std::size_t>(id.index)) : output_or_local(id.index);
  }
  /// Throws InternalError if no array has the name.
  ArrayId find_array(const std::string& name) const;

  /// The steps of one kind, in order.
  template <class Kind>
  std::vector<const Kind*> steps_of() const {
    std::vector<const Kind*> found;
    for (const Step& step : steps) {
      if (const Kind* of_kind = std::get_if<Kind>(&step)) found.push_back(of_kind);
    }
    return found;
  }
  std::vector<const Call*> calls() const { return steps_of<Call>(); }
  std::vector<const StraightLine*> straight_lines() const { return steps_of<StraightLine>(); }
  /// Those between statements, too.
  std::vector<const Clear*> clears() const;
  /// The angles of the SinCos step. There are none before schedule().
  std::vector<NodeId> angles() const;
  /// How many entries sn and cs have.
  int num_angles() const;
  /// The first angle, if the angles are consecutive entries of one input. sincos can then read the input.
  std::optional<Place> angles_in_place() const;
  /// Whether there is a form for callers that clear the outputs once (Clear::once, or for_sums).
  bool has_nonzeros_form() const;
  /// Whether routines of the runtime write or change the outputs.
  bool ends_in_calls() const;
  /// The bodies of its calls, each once.
  std::vector<const Kernel*> bodies() const;
  /// The first walk to a link, or nullptr.
  const LinkWalk* walk() const;
  int num_statements() const;
  bool has_limb_loops() const;

  Scalar input(int buffer, int entry) { return {graph, graph.input(buffer, entry)}; }
  /// One entry of the buffer in each lane.
  Scalar gather(int buffer, const std::vector<int>& entries) {
    return {graph, graph.gather(buffer, entries)};
  }
  /// Records a store of x (which may be negative or a number).
  void store(int buffer, int entry, const Scalar& x);
  /// Stores each lane of x in an entry of its own. x may be the same in all lanes.
  void scatter(int buffer, const std::vector<int>& entries, const Scalar& x);
  /// The entries that a store writes, one for each lane.
  std::vector<int> entries(const Store& store) const;
  /// Emitted code computes x before values that are kept later (Graph::keep).
  void keep(const Scalar& x);
  /// Names the node of x. If x is minus its node, the name becomes `neg_...`.
  void name_value(const Scalar& x, const std::string& label);
  /// The same by Graph::set_hint.
  void hint(const Scalar& x, const std::string& name);
};

/// The table of functions that take a link: featherline/kinematics.hpp walks it from the world to the link.
struct LinkWalk {
  std::vector<kinematics::BodyInfo<double>> bodies;  ///< run by run
  std::vector<kinematics::RunInfo> runs;
  std::vector<kinematics::LinkInfo<double>> links;
  std::vector<Kernel> steps;   ///< by body: one step outwards, see algorithms/kinematics/kinematics.hpp
  std::vector<int> tree_body;  ///< by body: its number in the tree
  std::vector<int> place;      ///< by body: the number of bodies before it on its path
  int nv = 0;
  int max_path = 1;  ///< bodies on the longest path; at least 1, so that no array is empty
  int max_runs = 1;  ///< of a path; at least 1

  int parent(int body) const;
  bool plain_angles() const;
  unsigned motions() const;  ///< bit k: there is a joint of kinematics::Motion k
  bool coupled() const;
};

/// The operations of a kernel. The report shows them, and formulations are chosen by them.
struct Cost {
  int flops =
      0;  ///< + - * / and negations, one each for any number of lanes, three for columns; calls included
  int sincos = 0;  ///< angles whose sine and cosine are needed, lane by lane
  int sqrt = 0, atan = 0;
};
/// Counts the nodes the stores need; dead nodes do not count.
Cost count_cost(const Kernel& kernel);

/// For each node, whether it depends on an input of columns and is a column itself.
std::vector<bool> column_nodes(const Kernel& kernel);

/// For each node, whether a store needs it.
std::vector<bool> live_nodes(const Kernel& kernel);

/// How many live nodes and stores use each node.
std::vector<int> count_uses(const Kernel& kernel);

/// The values that a statement reads where they have statements themselves.
std::vector<NodeId> values_read(const Kernel& kernel, const Statement& statement);

/// Values of lanes that are used outside the loop over limbs that defines them.
std::set<NodeId> values_between_loops(const Kernel& kernel);

/// How many statements from k on store lanes in consecutive rows of the same columns. Emitted code stores them in one
/// scatter().
std::size_t scatter_length(const Kernel& kernel, const std::vector<Statement>& statements, std::size_t k);

/// The kernel as text, stable between runs. Before it is scheduled one live node a line, `n12 = mul n3 n7   # w2_z`,
/// then the stores and calls; afterwards its steps.
std::string dump(const Kernel& kernel);

/// Of a graph that may grow, by node and lane: whether the value is zero whatever the inputs are. Passes fold such scalars
/// to the constant. In lanes they stay: a product with {1, 0, 0, 0} is zero in three of them.
class ZeroLanes {
 public:
  /// A scalar is the same in every lane.
  bool operator()(const Graph& graph, NodeId id, int lane);
  bool holds(const Scalar& x, int lane) {
    return x.is_constant() ? x.is_zero() : (*this)(*x.graph(), x.id(), lane);
  }

 private:
  bool is_known(NodeId id, int lane) const {
    return zeros_[id][zeros_[id].size() == 1 ? 0 : static_cast<std::size_t>(lane)];
  }
  bool computes_zero(const Graph& graph, NodeId id, int lane) const;

  std::vector<std::vector<bool>> zeros_;
};

/// By output and entry: whether the kernel stores something other than zero there. Empty for an output that something
/// else than stores fills.
std::vector<std::vector<bool>> stored_nonzeros(const Kernel& kernel);

/// Entries that follow each other: `length` of them, `count` times, `stride` apart.
struct ZeroRows {
  int first = 0, length = 1, count = 1, stride = 0;

  /// Stores of four numbers that set so many of the rows to zero.
  int stores_of_four(int rows) const { return rows * ((length + 3) / 4); }
};
/// All of these entries.
std::vector<ZeroRows> rows_of(std::vector<int> entries);
/// Stores of four numbers that set these entries to zero.
int stores_of_four(const std::vector<int>& entries);

}  // namespace featherline::ir
