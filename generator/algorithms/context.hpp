#pragma once

#include "algorithms/symbols.hpp"
#include "ir/kernel.hpp"
#include "model/canonical.hpp"
#include "model/limbs.hpp"
#include "model/tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace featherline::algorithms {

using model::Grouping;

/// A column of the motion subspace, in the child frame B: the motion at unit rate of one coordinate.
struct JointAxis {
  Motion S;
  int idx_v;
  Scalar multiplier;  ///< of a coupled mimic joint, otherwise 1
};

class Pose;
class AllJoints;

/// The sides of an array that an algorithm writes, each a multiple of nv.
struct Sides {
  int rank = 1;    ///< 1: a vector, 2: a matrix, 3: a tensor
  int blocks = 1;  ///< a side has blocks x nv entries
};
inline constexpr Sides matrix{2}, tensor{3}, hessian{2, 2};

/// What an algorithm writes to an array of the full tree: one entry, or an entry for each lane of the value.
struct StoredEntry {
  std::vector<int> places;
  Scalar value;
};

/// `count` places from `first` on, `stride` apart.
std::vector<int> spaced_places(int first, int count, int stride = 1);
/// Where an entry of a column-major matrix with `height` rows is, by lane. Its row or its column may be that of all
/// lanes.
std::vector<int> matrix_places(const std::vector<int>& rows, const std::vector<int>& columns, int height);
/// Adds the entries of a matrix with n rows as a block of one with `height` rows, from a row and a column on.
void place_block(const std::vector<StoredEntry>& block, int n, int row, int column, int height,
                 std::vector<StoredEntry>& entries);

/// A robot as algorithms walk it: body by body, or with equal limbs folded.
struct WalkedTree {
  WalkedTree(const model::CanonicalTree& tree)  // NOLINT: either tree is one
      : walked(tree), full(tree), folding(model::unfolded(tree)) {}
  WalkedTree(const model::FoldedTree& tree)  // NOLINT
      : walked(tree.walked), full(tree.full), folding(tree.folding) {}

  const model::CanonicalTree &walked, &full;
  model::Folding folding;
};

/// An external force on a link: force and moment in world axes, at a point of the body, in the body's frame.
struct LinkForce {
  Vector3 f, m, p;
};

/// Names of the inputs that the user chose (model/chosen_inputs.hpp).
inline constexpr const char *external_forces = "fext", *parameters = "p";
/// What the kernel calls the latter where positions are called p. Context::input() knows them as `parameters` alone.
inline constexpr const char* parameters_beside_positions = "params";
/// An input of kernels of one joint: its placement, R row by row and then p.
inline constexpr const char* given_placement = "X";
/// The input of functions with constraints.
inline constexpr const char* active_constraints = "active";
/// The input of functions that take a step in time.
inline constexpr const char* time_step = "dt";
/// The weights of q_next and v_next.
inline constexpr const char* step_weights = "w_next";
/// Those of steps with contacts: what is told of each, and impulses to begin with.
inline constexpr const char *contacts = "contact", *contact_start = "start";
/// Those of weights of poses: of p and of R.
inline constexpr const char* pose_weights[] = {"wp", "wR"};
inline constexpr const char* wanted_pose[] = {"p_wanted", "R_wanted"};

/// Everything that an algorithm reads and writes: the robot, the inputs, the outputs. Algorithms run on symbols, and so
/// make straight-line code in a kernel.
///
/// The numbers of the robot are symbols, too, so that they can become inputs. Names and sections are for readers of
/// the emitted code. Names number bodies from 1.
///
/// Limb lanes: in a context of a folded tree, equal limbs are one limb, and a value of this limb holds one number for
/// each of them. An algorithm walks the folded bodies and is unaware of lanes; only sum_limbs_for_parent() adds them
/// where a limb's values go to the body that carries it. Arrays by coordinate are by coordinate of the folded tree;
/// input() and output() translate. Entries for two different limbs are zero.
class Context {
 public:
  /// `kernel` records the symbols.
  Context(const WalkedTree& tree, ir::Kernel& kernel);

  /// Another context of the same kernel, for all limbs one by one.
  Context unfolded() const { return {full_tree(), *kernel_}; }
  /// A context of the same robot that writes another kernel. It has no inputs yet.
  Context in_kernel(ir::Kernel& other) const;
  /// Entries of an input of the kernel, one in each lane.
  Scalar entries_of_input(int input, const std::vector<int>& entries) const {
    return kernel_->gather(input, entries);
  }
  /// The same by name; zero for entry -1.
  Scalar entry(const char* input, const std::vector<int>& entries) const;
  /// The function by another algorithm, for a call that replaces the results.
  ir::Kernel by_other(const std::function<void(Context&)>& algorithm) const;

  /// What the algorithm walks, for another kernel to walk it.
  const WalkedTree& walked_tree() const { return tree_; }
  /// The tree that the algorithm walks. Numbers of its bodies are those of the first limb of a group: take them from
  /// the functions below.
  const model::CanonicalTree& tree() const { return tree_.walked; }
  /// The tree with all limbs.
  const model::CanonicalTree& full_tree() const { return tree_.full; }
  const model::Folding& folding() const { return tree_.folding; }
  /// How many limbs body i stands for.
  int lanes(int i) const { return static_cast<int>(members(i).size()); }
  int num_bodies() const { return static_cast<int>(tree().bodies.size()); }
  int nv() const { return tree().nv; }
  const model::Joint& joint(int i) const { return body(i).joint; }
  /// The parent of body i, -1 for the world.
  int parent(int i) const { return body(i).parent; }
  /// The bodies from the root to body i, both included. A loop over them needs no deep stack, as recursion would.
  std::vector<int> path_to(int i) const {
    std::vector<int> path;
    for (; i >= 0; i = parent(i)) path.push_back(i);
    return {path.rbegin(), path.rend()};
  }

  /// Gravity in world axes.
  Vector3 gravity() const;
  /// What bodies feel of it, where forces lift the same part of all of them.
  Vector3 felt_gravity() const;
  /// Whether forces lift some bodies (model::Body::lifted). Their torques are minus the weight of another robot,
  /// lifted(): this one, made of nothing but what is lifted.
  bool has_lifted() const { return !is_lifted_ && model::has_lifted(full_tree()); }
  Context lifted() const;
  /// Gains of Baumgarte's stabilisation.
  Scalar kp() const { return gain(0, full_tree().constraints.kp); }
  Scalar kd() const { return gain(1, full_tree().constraints.kd); }
  bool has_anchors() const { return !chosen().anchors.empty() && has_input(parameters); }
  /// Where a contact is held in the world, by lane.
  Vector3 anchor(const std::vector<int>& places) const;
  /// The ground's unit normal at a contact of a step, by lane.
  Vector3 ground_normal(const std::vector<int>& places) const;
  /// Inertia of body i in its frame: what regrouping leaves of the robot's own (model/canonical.hpp), and the payloads.
  Inertia inertia(int i, Grouping grouping) const;
  /// X_PB of joint i at zero.
  Placement placement(int i) const;
  /// X_BU: the user's frame of body i in its frame (model::Body::user_frame). The body has one.
  Placement user_frame(int i) const;
  /// A number of joint i, such as &model::Joint::pitch.
  Scalar number(int i, double model::Joint::*which) const;
  /// Joint::rest_pose of joint i.
  Coordinates rest_pose(int i) const;
  /// Numbers, vectors, matrices and placements, one for each lane.
  Scalar in_lanes(const std::vector<double>& values) const;
  Vector3 in_lanes(const std::vector<model::Vector3>& values) const;
  Matrix3 in_lanes(const std::vector<model::Matrix3>& values) const;
  Placement in_lanes(const std::vector<model::Placement>& values) const;
  /// Whether the inertia of body i, or of some body, is an input.
  bool has_payload(int i) const {
    return has_payloads() && !by_limb(i, chosen().links_with_payloads()).empty();
  }
  bool has_payloads() const { return has_input(parameters) && !chosen().payloads.empty(); }
  /// Mass of all bodies, payloads included. What is welded to the world is none of them.
  Scalar total_mass() const;
  /// tr(J)/2 1 - J of body i without payloads, regrouped for second moments.
  Symmetric3 second_moments(int i) const;
  std::vector<JointAxis> axes(int i) const;
  /// x of body i, expressed at its parent, as the parent gets it: summed over the limbs that the parent carries.
  template <class X>
  X sum_limbs_for_parent(int i, const X& x) const {
    const bool sums = lanes(i) > 1 && (parent(i) < 0 || lanes(parent(i)) == 1);
    return sums ? map_entries(x, [&](const Scalar& entry) { return ir::lane_sum(entry, lanes(i)); }) : x;
  }
  /// Adds what the parent of body i gets of it, make(), to the parent's in `sums`.
  template <class X, class Make>
  void add_to_parent(int i, std::vector<X>& sums, const Make& make) const {
    if (parent(i) < 0) return;
    X& sum = sums[index(parent(i))];
    sum = sum + sum_limbs_for_parent(i, make());
  }
  /// The external forces on body i, if the function has them as an input.
  std::vector<LinkForce> link_forces(int i) const;
  bool has_forces() const { return has_input(external_forces); }
  /// Whether gravity is the only quantity that is fixed in the world, and all matter feels it. External forces are
  /// others, and armature of a free joint feels none. See FloatingBase.
  bool only_gravity_is_fixed_in_world() const;

  /// The arrays behind inputs.
  const std::vector<ir::Buffer>& input_arrays() const { return kernel_->inputs; }
  const Coordinates& input(const std::string& name) const { return inputs_.at(name); }
  bool has_input(const std::string& name) const { return inputs_.count(name) > 0; }
  /// Of a robot with clusters: the context of its tree of all joints at q, which knows cosine and sine of some of them,
  /// by place in q. `projection` lives longer (algorithms/clusters/all_joints.hpp).
  Context of_all_joints(std::shared_ptr<const model::CanonicalTree> tree, Coordinates q,
                        std::map<int, std::pair<Scalar, Scalar>> turns, const AllJoints* projection) const;
  bool has_clusters() const { return full_tree().clusters != nullptr; }
  void set_input(const std::string& name, Coordinates values) { inputs_[name] = std::move(values); }
  /// Cosine and sine of the coordinate at this place in q, where they are known; else null.
  const std::pair<Scalar, Scalar>* known_turn(int place) const {
    const auto found = turns_.find(place);
    return found == turns_.end() ? nullptr : &found->second;
  }
  /// Of a context of all joints: what projects Jacobians to the robot's own coordinates; else null.
  const AllJoints* projection() const { return projection_; }
  /// The accelerations of joints while v stays as it is.
  Coordinates coasting() const { return projection_ != nullptr ? input("a") : zeros(); }
  /// The same robot at another position.
  Context at(const Coordinates& q) const;
  /// The step in time; zero where the function takes none.
  Scalar dt() const { return has_input(time_step) ? input(time_step).front() : Scalar(0.0); }
  /// The step of functions in which damping and springs act on the new state; zero in others.
  Scalar implicit_step() const {
    return full_tree().integrator == model::Integrator::semi_implicit ? dt() : Scalar(0.0);
  }
  Coordinates zeros() const { return Coordinates(index(nv()), Scalar(0.0)); }

  /// Writes a whole output array, whose entries are by coordinate of the tree that the algorithm walks.
  void output(const std::string& name, const Coordinates& values, Sides sides = {});
  /// Writes the output "acceleration", if there is one.
  void output_acceleration(const Coordinates& a) {
    if (has_output("acceleration")) output("acceleration", a);
  }
  /// Writes an output that is not by coordinate.
  void output_vector(const std::string& name, const Coordinates& values);
  /// Writes an output whose entries are positions.
  void output_positions(const std::string& name, const Coordinates& values);
  /// Writes an output of `rows` rows, one column for each coordinate of the tree that the algorithm walks.
  void output_columns(const std::string& name, int rows, const Coordinates& values);
  /// Writes some entries of an output of the full tree. The others are zero, but for those that calls write:
  /// the entries `of_calls`.
  void output(const std::string& name, const std::vector<StoredEntry>& entries,
              const std::set<int>& of_calls = {});
  /// x in one lane, zero in the others.
  Scalar only_lane(int lane, int lanes, const Scalar& x) const;
  /// Writes a whole local array, for calls to read.
  void local(const std::string& name, const Coordinates& values, Sides sides = {});
  /// Writes all entries of a local array.
  void local(const std::string& name, int size, const std::vector<StoredEntry>& entries);
  /// Declares a local array, for calls to write and read. It holds zeros first.
  void local(const std::string& name, int size);
  /// Declares one of which the first call that has it writes every entry that is read. Returns its number.
  int scratch(const std::string& name, int size);
  /// Clears all outputs before the calls that follow. `once` and `for_sums` are as in ir::Clear.
  void clear_outputs(bool once, bool for_sums = false);
  /// Clears some entries of an output before the first call of the function only.
  void clear_once(const std::string& output, std::vector<int> entries);
  /// Adds a call, and sets what it costs.
  void call(ir::Call call);
  /// The arrays of the kernel with these names, for a call to read and write.
  ir::ArrayId array(const std::string& name) const { return kernel_->find_array(name); }
  /// The array itself, with its size in the full tree.
  const ir::Buffer& buffer(const std::string& name) const { return kernel_->array(array(name)); }
  std::vector<ir::ArrayId> arrays(const std::vector<std::string>& names) const;
  std::vector<std::string> output_names() const { return each(kernel_->outputs, &ir::Buffer::name); }
  bool has_output(const std::string& name) const {
    const std::vector<std::string> names = output_names();
    return std::ranges::find(names, name) != names.end();
  }

  /// Opens a section of the emitted code: body i in the sweep `what` ("motion", "force").
  void begin_section(int i, const std::string& what);
  /// In the same sweep: what a pair of joints makes.
  void begin_pair_section(int i, int j, const std::string& what);
  void begin_section(const std::string& title) { kernel_->graph.begin_section(title); }
  /// "w3" of quantity w and body 2 of the full tree.
  std::string of_body(const std::string& quantity, int i) const;
  /// The same of the k-th of a joint's n axes: "S3", or "S3a", "S3b" where there are several.
  std::string of_axis(const std::string& quantity, int i, std::size_t k, std::size_t n) const;

  /// The joint's name; of a joint of several limbs the words that all their names have.
  std::string joint_name(int i) const;

  /// Emitted code computes values in the order in which they are kept.
  void keep(const Scalar& x) { kernel_->keep(x); }
  Coordinates keep(Coordinates values) {
    for (const Scalar& x : values) keep(x);
    return values;
  }
  /// Adds what an axis gives to an entry and keeps it. Coupled joints share entries, so what they give adds up.
  void add(Scalar& entry, const Scalar& multiplier, const Scalar& x) {
    entry += multiplier * x;
    keep(entry);
  }
  /// Keeps x and names it and its entries (each_entry).
  template <class X>
  const X& label(const X& x, const std::string& name) {
    each_entry(x, name, [&](const Scalar& entry, const std::string& entry_name) {
      kernel_->keep(entry);
      kernel_->name_value(entry, entry_name);
    });
    return x;
  }
  /// Only says what x is called where it has no label (ir::Graph::set_hint).
  template <class X>
  const X& hint(const X& x, const std::string& name) const {
    each_entry(x, name,
               [&](const Scalar& entry, const std::string& entry_name) { kernel_->hint(entry, entry_name); });
    return x;
  }

 private:
  const model::ChosenInputs& chosen() const { return full_tree().chosen; }
  const std::vector<model::Inertia>& regrouped(Grouping grouping) const;
  const model::Body& body(int i) const { return tree().bodies[index(i)]; }
  const std::vector<int>& members(int i) const { return folding().bodies[index(i)].members; }
  /// get(body) of all bodies that body i stands for.
  template <class Get>
  auto by_lane(int i, const Get& get) const {
    return each(members(i), [&](int member) { return std::invoke(get, full_tree().bodies[index(member)]); });
  }
  /// Of the chosen `links`, one on each limb that body i stands for: their positions in the list, -1 where a limb has
  /// none.
  struct ChosenPlaces {
    std::vector<int> links, chosen;
  };
  std::vector<ChosenPlaces> by_limb(int i, const std::vector<int>& links) const;
  /// Their poses in the frames of their bodies.
  Pose link_pose(const ChosenPlaces& places) const;
  /// `count` entries of an input for each of `chosen`, from first_of(chosen) on.
  Coordinates entries_of(const char* input, const std::vector<int>& chosen,
                         const std::function<int(int)>& first_of, int count) const;
  Inertia with_payloads(int i, Inertia inertia) const;
  /// Where the joint stands, seen from where the file has it; nothing where that is no input.
  std::optional<Placement> chosen_placement(int i) const;
  /// Entry `place` of the parameters if it is an input.
  Scalar parameter(bool is_chosen, int place, double fixed) const;
  Scalar gain(int k, double fixed) const {
    return parameter(chosen().stabilisation, chosen().first_of_stabilisation() + k, fixed);
  }
  /// The size of an array in the full tree.
  int full_size(const Coordinates& values, Sides sides) const;
  void store(int buffer, const Coordinates& values, Sides sides);

  std::shared_ptr<const model::CanonicalTree> tree_of_all_joints_;  ///< null but in a context of all joints
  std::map<int, std::pair<Scalar, Scalar>> turns_;
  const AllJoints* projection_ = nullptr;
  WalkedTree tree_;
  ir::Kernel* kernel_;
  std::map<std::string, Coordinates> inputs_;
  mutable std::map<Grouping, std::vector<model::Inertia>> inertias_;
  bool is_lifted_ = false;
};

/// An algorithm for the catalogue: f with a second argument.
template <auto f, auto argument>
void with(Context& context) {
  f(context, argument);
}

/// joint "hip", or joints "left_hip", "right_hip".
std::string quoted_title(std::string word, const std::vector<std::string>& names);

/// What a trace is for. If it is only counted, a - b and b - a are one node, as they are after the passes. Which of
/// the two it is may depend on the compiler. The number of nodes does not, except for negations.
enum class TraceFor { code, counting };

/// Runs an algorithm on symbols. It may read all `inputs` and must write all `outputs`.
ir::Kernel trace(const WalkedTree& tree, std::vector<ir::Buffer> inputs, std::vector<ir::Buffer> outputs,
                 const std::function<void(Context&)>& algorithm, TraceFor use = TraceFor::code);

}  // namespace featherline::algorithms
