#pragma once

#include "algorithms/stores.hpp"
#include "algorithms/symbols.hpp"
#include "ir/kernel.hpp"
#include "model/canonical.hpp"
#include "model/limbs.hpp"
#include "model/tree.hpp"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
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

/// An external force on a link: force and moment in world axes, at a point of the body, in the body's frame.
struct LinkForce {
  Vector3 f, m, p;
};

/// Names of the inputs that the user chose (model/chosen_inputs.hpp).
inline constexpr const char *external_forces = "fext", *parameters = "p";
/// The input of functions with constraints.
inline constexpr const char* active_constraints = "active";

/// Everything that an algorithm reads and writes: the robot, the inputs, the outputs. Algorithms run on symbols, and so
/// make straight-line code in a kernel.
///
/// The numbers of the robot are symbols, too, so that they can become inputs. Names and sections are for readers of
/// the emitted code. Names number bodies from 1.
///
/// Limb lanes: in a context of a folded tree, equal limbs are one limb, and a value of this limb holds one number for
/// each of them. An algorithm walks the folded bodies and is unaware of lanes; only sum_limbs_for_parent() adds
/// them where a limb's values go to the body that carries it. Arrays by coordinate are by coordinate of the folded tree; input()
/// and output() translate. Entries for two different limbs are zero.
class Context {
 public:
  /// `kernel` records the symbols.
  Context(const model::CanonicalTree& tree, ir::Kernel& kernel)
      : tree_(tree), full_tree_(tree), folding_(model::unfolded(tree)), kernel_(&kernel) {}
  Context(const model::FoldedTree& tree, ir::Kernel& kernel)
      : tree_(tree.walked), full_tree_(tree.full), folding_(tree.folding), kernel_(&kernel) {}

  /// Another context of the same kernel, for all limbs one by one.
  Context unfolded() const;
  /// A context of the same robot that writes another kernel. It has no inputs yet.
  Context in_kernel(ir::Kernel& other) const;
  /// Entries of an input of the kernel, one in each lane.
  Scalar entries_of_input(int input, const std::vector<int>& entries) const;

  /// The same by name; zero for entry -1.
  Scalar entry(const char* input, const std::vector<int>& entries) const;
  /// The function by another algorithm, on all limbs one by one, for a call that replaces the results.
  std::shared_ptr<const ir::Kernel> by_other(const std::string& name,
                                             const std::function<void(Context&)>& algorithm) const;

  /// The tree that the algorithm walks. Numbers of its bodies are those of the first limb of a group: take them from
  /// the functions below.
  const model::CanonicalTree& tree() const { return tree_; }
  /// The tree with all limbs.
  const model::CanonicalTree& full_tree() const { return full_tree_; }
  const model::Folding& folding() const { return folding_; }
  /// How many limbs body i stands for.
  int lanes(int i) const { return folded(i).lanes(); }
  int num_bodies() const { return static_cast<int>(tree_.bodies.size()); }
  int nv() const { return tree_.nv; }
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
  /// Gains of Baumgarte's stabilisation.
  Scalar kp() const { return gain(0, full_tree_.constraints.kp); }
  Scalar kd() const { return gain(1, full_tree_.constraints.kd); }
  bool has_anchors() const { return !full_tree_.chosen.anchors.empty() && inputs_.count(parameters) > 0; }
  /// Where a contact is held in the world, by lane.
  Vector3 anchor(const std::vector<int>& contacts) const;
  /// Inertia of body i in its frame: what regrouping leaves of the robot's own (model/canonical.hpp), and the payloads.
  Inertia inertia(int i, Grouping grouping) const;
  /// R_PB and p_PB of joint i at zero.
  Matrix3 placement_R(int i) const;
  Vector3 placement_p(int i) const;
  /// R_BU and p_BU: the user's frame of body i in its frame (model::Body::user_frame). The body has one.
  Matrix3 user_frame_R(int i) const;
  Vector3 user_frame_p(int i) const;
  /// A number of joint i, such as &model::Joint::pitch.
  Scalar number(int i, double model::Joint::*which) const {
    return in_lanes(i, [&](int member) { return full_tree_.bodies[index(member)].joint.*which; });
  }
  /// One number for each lane.
  Scalar number_in_lanes(const std::vector<double>& values) const;
  /// R and p of one placement for each lane.
  std::pair<Matrix3, Vector3> placement_in_lanes(const std::vector<model::Placement>& X) const;
  bool has_payload(int i) const {
    return inputs_.count(parameters) > 0 && !by_limb(i, full_tree_.chosen.payloads).empty();
  }
  /// Whether the inertia of some body is an input.
  bool has_payloads() const { return inputs_.count(parameters) > 0 && !full_tree_.chosen.payloads.empty(); }
  /// Mass of all bodies, payloads included. What is welded to the world is none of them.
  Scalar total_mass() const;
  /// tr(J)/2 1 - J of body i without payloads, regrouped for second moments.
  Symmetric3 second_moments(int i) const;
  std::vector<JointAxis> axes(int i) const;
  /// x of body i, expressed at its parent, as the parent gets it: summed over the limbs that the parent carries.
  template <class X>
  X sum_limbs_for_parent(int i, const X& x) const {
    const bool sums = lanes(i) > 1 && (parent(i) < 0 || lanes(parent(i)) == 1);
    return sums ? map_entries(x, [&](const Scalar& entry) { return sum_of_lanes(entry, lanes(i)); }) : x;
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
  bool has_forces() const { return inputs_.count(external_forces) > 0; }
  /// Whether gravity is the only quantity that is fixed in the world. External forces are others. See FloatingBase.
  bool only_gravity_is_fixed_in_world() const { return !has_forces(); }

  const Coordinates& input(const std::string& name) const { return inputs_.at(name); }
  bool has_input(const std::string& name) const { return inputs_.count(name) > 0; }
  void set_input(const std::string& name, Coordinates values) { inputs_[name] = std::move(values); }
  Coordinates zeros() const { return Coordinates(index(nv()), Scalar(0.0)); }

  /// Writes a whole output array, whose entries are by coordinate of the tree that the algorithm walks.
  void output(const std::string& name, Coordinates values, Sides sides = {});
  /// Writes an output that is not by coordinate.
  void output_vector(const std::string& name, const Coordinates& values) {
    output_placed(name, values, [](int k) { return std::vector<int>{k}; });
  }
  /// Writes an output of `rows` rows, one column for each coordinate of the tree that the algorithm walks.
  void output_columns(const std::string& name, int rows, const Coordinates& values) {
    output_placed(name, values, [&](int k) {
      return matrix_places({k % rows}, folding_.velocities[index(k / rows)], rows);
    });
  }
  /// Writes some entries of an output of the full tree. The others are zero.
  void output(const std::string& name, const std::vector<StoredEntry>& entries) { output(name, entries, {}); }
  /// The same of an output that calls write, too: the entries `of_calls`.
  void output(const std::string& name, const std::vector<StoredEntry>& entries,
              const std::set<int>& of_calls);
  /// x in one lane, zero in the others.
  Scalar only_lane(int lane, int lanes, const Scalar& x) const;
  /// Writes a whole local array, for calls to read.
  void local(const std::string& name, const Coordinates& values, Sides sides = {});
  /// Writes all entries of a local array.
  void local(const std::string& name, int size, const std::vector<StoredEntry>& entries);
  /// Declares a local array, for calls to write and read. It holds zeros first.
  void local(const std::string& name, int size);
  /// Declares one of which the first call that has it writes every entry that is read.
  void scratch(const std::string& name, int size);
  /// Clears all outputs before the calls that follow. `once` and `for_sums` are as in ir::Clear.
  void clear_outputs(bool once, bool for_sums = false);
  /// Adds a call, and sets what it costs.
  void call(ir::Call call);
  /// The arrays of the kernel with these names, for a call to read and write.
  ir::ArrayId array(const std::string& name) const { return kernel_->find_array(name); }
  std::vector<ir::ArrayId> arrays(const std::vector<std::string>& names) const;
  std::vector<std::string> output_names() const;

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
  /// Entry k of `values` goes to places(k) of the full tree's output.
  template <class Places>
  void output_placed(const std::string& name, const Coordinates& values, const Places& places) {
    std::vector<StoredEntry> entries;
    for (const Scalar& x : values) entries.push_back({places(static_cast<int>(entries.size())), x});
    output(name, entries);
  }
  const std::vector<model::Inertia>& regrouped(Grouping grouping) const;
  const model::Body& body(int i) const { return tree_.bodies[index(i)]; }
  const model::FoldedBody& folded(int i) const { return folding_.bodies[index(i)]; }
  /// "joint "lf_hip"", or the joints of all limbs.
  std::string joint_title(int i) const;
  void declare(const std::string& name, int size);

  /// get(member) of all members of body i, one a lane.
  template <class Get>
  Scalar in_lanes(int i, const Get& get) const {
    const std::vector<int>& members = folded(i).members;
    if (members.size() == 1) return Scalar(get(members.front()));
    std::vector<double> values;
    for (const int member : members) values.push_back(get(member));
    return number_in_lanes(values);
  }
  /// The same of vectors and matrices: get(member)(row, column).
  template <class Get>
  Vector3 vector_in_lanes(int i, const Get& get) const {
    const auto entry = [&](int k) { return in_lanes(i, [&](int member) { return get(member)[k]; }); };
    return {entry(0), entry(1), entry(2)};
  }
  template <class Get>
  Matrix3 matrix_in_lanes(int i, const Get& get) const {
    Matrix3 M;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) M(r, c) = in_lanes(i, [&](int member) { return get(member)(r, c); });
    }
    return M;
  }
  template <class Get>
  Symmetric3 symmetric_in_lanes(int i, const Get& get) const {
    const auto entry = [&](int r, int c) {
      return in_lanes(i, [&](int member) { return get(member)(r, c); });
    };
    return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  }
  /// Of the chosen `links`, one on each limb that body i stands for: their positions in the list, -1 where a limb has
  /// none.
  struct ChosenPlaces {
    std::vector<int> links, chosen;
  };
  std::vector<ChosenPlaces> by_limb(int i, const std::vector<int>& links) const;
  /// Their poses in the frames of their bodies.
  Pose link_pose(const ChosenPlaces& places) const;
  /// Three entries each, from `first` on.
  Vector3 chosen_vector(const char* input, std::vector<int> first) const;
  Inertia payload(const ChosenPlaces& places) const;
  Inertia with_payloads(int i, Inertia inertia) const;
  Scalar gain(int k, double fixed) const;
  int input_index(const char* name) const;
  static Scalar sum_of_lanes(const Scalar& x, int lanes);
  int output_index(const std::string& name) const;
  /// The size of an array in the full tree.
  int full_size(const Coordinates& values, Sides sides) const;
  void store(int buffer, const Coordinates& values, Sides sides);

  const model::CanonicalTree &tree_, &full_tree_;
  model::Folding folding_;
  ir::Kernel* kernel_;
  std::map<std::string, Coordinates> inputs_;
  mutable std::map<Grouping, std::vector<model::Inertia>> inertias_;
};

/// joint "hip", or joints "left_hip", "right_hip".
std::string quoted_title(std::string word, const std::vector<std::string>& names);

/// What a trace is for. If it is only counted, a - b and b - a are one node, as they are after the passes. Which of
/// the two it is may depend on the compiler. The number of nodes does not, except for negations.
enum class TraceFor { code, counting };

/// Runs an algorithm on symbols. It may read all `inputs` and must write all `outputs`.
ir::Kernel trace(const model::CanonicalTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context&)>& algorithm,
                 TraceFor use = TraceFor::code);
/// The same with equal limbs side by side.
ir::Kernel trace(const model::FoldedTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context&)>& algorithm,
                 TraceFor use = TraceFor::code);

}  // namespace featherline::algorithms
