#pragma once

#include "ir/kernel.hpp"
#include "model/regroup.hpp"
#include "model/tree.hpp"

#include <featherline/algebra/spatial.hpp>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace featherline::algorithms {

using algebra::Coriolis;
using algebra::Force;
using algebra::Inertia;
using algebra::Matrix3;
using algebra::Motion;
using algebra::Symmetric3;
using algebra::Vector3;
using ir::Scalar;
using model::Grouping;

/// Values by degree of freedom, or the entries of any other array.
template <class T>
using Coordinates = std::vector<T>;

template <class T>
Vector3<T> to_vector(const model::Vector3& v) {
  return {T(v.x()), T(v.y()), T(v.z())};
}
template <class T>
Matrix3<T> to_matrix(const model::Matrix3& M) {
  Matrix3<T> A;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) A(r, c) = T(M(r, c));
  }
  return A;
}
template <class T>
Symmetric3<T> to_symmetric(const model::Matrix3& M) {
  return {T(M(0, 0)), T(M(0, 1)), T(M(0, 2)), T(M(1, 1)), T(M(1, 2)), T(M(2, 2))};
}

/// A column of the motion subspace, in the child frame B: the motion at unit rate of one coordinate.
template <class T>
struct JointAxis {
  Motion<T> S;
  int idx_v;
  T multiplier;  ///< of a coupled mimic joint, otherwise 1
};

/// Everything that an algorithm reads and writes: the robot, the inputs, the outputs. Algorithms are templates over
/// the scalar T. On symbols (ir::Scalar) they make straight-line code, on numbers they compute results.
///
/// The numbers of the robot are of type T, so that they can become inputs. Names and sections are for readers of the
/// emitted code. They do nothing if T is a number type. Names number bodies from 1.
template <class T>
class Context {
 public:
  /// `kernel` records the symbols. It is null for numbers.
  explicit Context(const model::CanonicalTree& tree, ir::Kernel* kernel = nullptr)
      : tree_(tree), kernel_(kernel) {}

  const model::CanonicalTree& tree() const { return tree_; }
  int num_bodies() const { return static_cast<int>(tree_.bodies.size()); }
  int nv() const { return tree_.nv; }
  const model::Joint& joint(int i) const { return body(i).joint; }
  /// The parent of body i, -1 for the world.
  int parent(int i) const { return body(i).parent; }

  /// Gravity in world axes.
  Vector3<T> gravity() const { return to_vector<T>(tree_.gravity); }
  /// Inertia of body i in its frame, regrouped (model/regroup.hpp).
  Inertia<T> inertia(int i, Grouping grouping) const;
  /// R_PB and p_PB of joint i at zero.
  Matrix3<T> placement_R(int i) const { return to_matrix<T>(joint(i).placement.R); }
  Vector3<T> placement_p(int i) const { return to_vector<T>(joint(i).placement.p); }
  /// tr(J)/2 1 - J of body i, regrouped for second moments.
  Symmetric3<T> second_moments(int i) const;
  std::vector<JointAxis<T>> axes(int i) const;
  /// Whether gravity is the only quantity that is fixed in the world. External forces in world axes would be others.
  /// See FloatingBase.
  bool only_gravity_is_fixed_in_world() const { return true; }

  const Coordinates<T>& input(const std::string& name) const { return inputs_.at(name); }
  void set_input(const std::string& name, Coordinates<T> values) { inputs_[name] = std::move(values); }
  Coordinates<T> zeros() const { return Coordinates<T>(static_cast<std::size_t>(nv()), T(0.0)); }

  /// Writes a whole output array.
  void output(const std::string& name, Coordinates<T> values);
  const std::vector<std::pair<std::string, Coordinates<T>>>& outputs() const { return outputs_; }
  /// Writes a whole local array, for calls to read.
  void local(const std::string& name, const Coordinates<T>& values);
  /// Declares a local array, for calls to write and read. It holds zeros first.
  void local(const std::string& name, int size);
  /// Sets an output or a local array to zero. The calls that follow then need not write its zeros.
  void clear(const std::string& name);
  /// Adds a call of a runtime routine, which writes outputs.
  void call(ir::Call call) {
    if (kernel_ != nullptr) kernel_->steps.emplace_back(std::move(call));
  }
  /// The names of the outputs, for a call to write.
  std::vector<std::string> output_names() const;

  /// Opens a section of the emitted code: body i in the sweep `what` ("motion", "force").
  void begin_section(int i, const std::string& what);
  /// In the same sweep: what a pair of joints makes.
  void begin_pair_section(int i, int j, const std::string& what);
  void begin_section(const std::string& title) {
    if (kernel_ != nullptr) kernel_->graph.begin_section(title);
  }

  /// Emitted code computes values in the order in which they are kept.
  void keep(const T& x);
  /// Keeps x and names it: "w3", with components "w3_x", "J3_xy"; halves of spatial vectors "S3w_x", "F3n_y".
  const T& label(const T& x, const std::string& name);
  const Vector3<T>& label(const Vector3<T>& x, const std::string& name);
  const Symmetric3<T>& label(const Symmetric3<T>& x, const std::string& name);
  const Matrix3<T>& label(const Matrix3<T>& x, const std::string& name);
  const Motion<T>& label(const Motion<T>& m, const std::string& name);
  const Force<T>& label(const Force<T>& f, const std::string& name);
  const Coriolis<T>& label(const Coriolis<T>& B, const std::string& name);

 private:
  const model::Inertia& regrouped(int i, Grouping grouping) const;
  void declare(const std::string& name, int size);
  void store(int buffer, const Coordinates<T>& values);
  const model::Body& body(int i) const { return tree_.bodies[static_cast<std::size_t>(i)]; }

  const model::CanonicalTree& tree_;
  ir::Kernel* kernel_;
  std::map<std::string, Coordinates<T>> inputs_;
  std::vector<std::pair<std::string, Coordinates<T>>> outputs_;
  mutable std::map<Grouping, std::vector<model::Inertia>> inertias_;
};

extern template class Context<Scalar>;
extern template class Context<double>;

/// "w3" of quantity w and body 2.
std::string of_body(const std::string& quantity, int i);
/// The same of the k-th of a joint's n axes: "S3", or "S3a", "S3b" where there are several.
std::string of_axis(const std::string& quantity, int i, std::size_t k, std::size_t n);

/// What a trace is for. If it is only counted, a - b and b - a are one node, as they are after the passes. Which of
/// the two it is may depend on the compiler. The number of nodes does not, except for negations.
enum class TraceFor { code, counting };

/// Runs an algorithm on symbols. It may read all `inputs` and must write all `outputs`.
ir::Kernel trace(const model::CanonicalTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context<Scalar>&)>& algorithm,
                 TraceFor use = TraceFor::code);

}  // namespace featherline::algorithms
