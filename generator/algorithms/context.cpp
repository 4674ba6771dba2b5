#include "algorithms/context.hpp"

#include "model/geometry.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::algorithms {

template <class T>
const model::Inertia& Context<T>::regrouped(int i, Grouping grouping) const {
  std::vector<model::Inertia>& list = inertias_[grouping];
  if (list.empty()) {
    for (const model::Body& body : regroup_inertias(tree_, grouping).bodies) list.push_back(body.inertia);
  }
  return list[static_cast<std::size_t>(i)];
}

template <class T>
Inertia<T> Context<T>::inertia(int i, Grouping grouping) const {
  const model::Inertia& I = regrouped(i, grouping);
  return {T(I.mass), to_vector<T>(I.h), to_symmetric<T>(I.J)};
}

template <class T>
Symmetric3<T> Context<T>::second_moments(int i) const {
  const model::Matrix3& J = regrouped(i, Grouping::second_moment_zz).J;
  const model::Matrix3 S = J.trace() / 2.0 * model::Matrix3::Identity() - J;
  const double scale = J.cwiseAbs().maxCoeff();
  return to_symmetric<T>(model::shortened(S, scale));
}

template <class T>
std::vector<JointAxis<T>> Context<T>::axes(int i) const {
  const model::Joint& joint = this->joint(i);
  const model::JointRow& row = joint.row();
  if (row.is_split()) throw InternalError("a canonical tree has no joints with several axes");
  std::vector<JointAxis<T>> axes;
  for (const model::Motion& motion : row.motions) {
    const Vector3<T> zero{T(0.0), T(0.0), T(0.0)}, along = to_vector<T>(joint.direction(motion.along));
    const T advance(motion.turns() ? joint.pitch : 1.0);
    axes.push_back({{motion.turns() ? along : zero, motion.slides() ? along * advance : zero},
                    joint.idx_v + static_cast<int>(axes.size()),
                    T(joint.multiplier)});
  }
  return axes;
}

template <class T>
void Context<T>::output(const std::string& name, Coordinates<T> values) {
  if constexpr (std::is_same_v<T, Scalar>) {
    const auto found = std::find_if(kernel_->outputs.begin(), kernel_->outputs.end(),
                                    [&](const ir::Buffer& buffer) { return buffer.name == name; });
    if (found == kernel_->outputs.end() || found->size != static_cast<int>(values.size()))
      throw InternalError("an algorithm writes " + name + ", which is not an output of this size");
    store(static_cast<int>(found - kernel_->outputs.begin()), values);
  }
  outputs_.emplace_back(name, std::move(values));
}

template <class T>
void Context<T>::declare(const std::string& name, int size) {
  const auto is_called_so = [&](const ir::Buffer& buffer) { return buffer.name == name; };
  for (const std::vector<ir::Buffer>* others : {&kernel_->inputs, &kernel_->outputs, &kernel_->locals}) {
    if (std::any_of(others->begin(), others->end(), is_called_so))
      throw InternalError("two arrays of a kernel are called " + name);
  }
  kernel_->locals.push_back({name, size});
}

template <class T>
void Context<T>::local(const std::string& name, const Coordinates<T>& values) {
  if constexpr (std::is_same_v<T, Scalar>) {
    declare(name, static_cast<int>(values.size()));
    store(kernel_->num_written() - 1, values);
  }
}

template <class T>
void Context<T>::local(const std::string& name, int size) {
  if constexpr (std::is_same_v<T, Scalar>) {
    declare(name, size);
    clear(name);
  }
}

template <class T>
void Context<T>::clear(const std::string& name) {
  for (int k = 0; kernel_ != nullptr && k < kernel_->num_written(); ++k) {
    if (kernel_->written(k).name == name) kernel_->steps.emplace_back(ir::Clear{k});
  }
}

template <class T>
void Context<T>::store(int buffer, const Coordinates<T>& values) {
  if constexpr (std::is_same_v<T, Scalar>) {
    for (std::size_t k = 0; k < values.size(); ++k) kernel_->store(buffer, static_cast<int>(k), values[k]);
  }
}

template <class T>
std::vector<std::string> Context<T>::output_names() const {
  std::vector<std::string> names;
  if (kernel_ != nullptr) {
    for (const ir::Buffer& output : kernel_->outputs) names.push_back(output.name);
  }
  return names;
}

template <class T>
void Context<T>::begin_section(int i, const std::string& what) {
  const model::Body& b = body(i);
  const std::string above = b.parent < 0 ? "world" : body(b.parent).name;
  if (kernel_ == nullptr) return;
  kernel_->graph.begin_section("body " + std::to_string(i + 1) + " \"" + b.name + "\": joint \"" +
                                   b.joint.name + "\" (" + model::name(b.joint.type) + "), parent " + above,
                               what);
}

template <class T>
void Context<T>::begin_pair_section(int i, int j, const std::string& what) {
  if (kernel_ == nullptr) return;
  const std::string bodies = std::to_string(i + 1) + ", " + std::to_string(j + 1);
  const std::string joints = i == j ? "joint \"" + joint(i).name + "\" with itself"
                                    : "joints \"" + joint(i).name + "\" and \"" + joint(j).name + "\"";
  kernel_->graph.begin_section("pair (" + bodies + "): " + joints, what);
}

template <class T>
void Context<T>::keep(const T& x) {
  if constexpr (std::is_same_v<T, Scalar>) kernel_->keep(x);
}

template <class T>
const T& Context<T>::label(const T& x, const std::string& name) {
  if constexpr (std::is_same_v<T, Scalar>) {
    kernel_->keep(x);
    kernel_->name_value(x, name);
  }
  return x;
}

template <class T>
const Vector3<T>& Context<T>::label(const Vector3<T>& x, const std::string& name) {
  label(x.x, name + "_x");
  label(x.y, name + "_y");
  label(x.z, name + "_z");
  return x;
}

template <class T>
const Symmetric3<T>& Context<T>::label(const Symmetric3<T>& A, const std::string& name) {
  label(A.xx, name + "_xx");
  label(A.xy, name + "_xy");
  label(A.xz, name + "_xz");
  label(A.yy, name + "_yy");
  label(A.yz, name + "_yz");
  label(A.zz, name + "_zz");
  return A;
}

template <class T>
const Matrix3<T>& Context<T>::label(const Matrix3<T>& A, const std::string& name) {
  constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c)
      label(A(static_cast<int>(r), static_cast<int>(c)), name + "_" + axes[r] + axes[c]);
  }
  return A;
}

template <class T>
const Motion<T>& Context<T>::label(const Motion<T>& m, const std::string& name) {
  label(m.w, name + "w");
  label(m.u, name + "u");
  return m;
}

template <class T>
const Force<T>& Context<T>::label(const Force<T>& f, const std::string& name) {
  label(f.n, name + "n");
  label(f.f, name + "f");
  return f;
}

template <class T>
const Coriolis<T>& Context<T>::label(const Coriolis<T>& B, const std::string& name) {
  label(B.K, name + "K");
  label(B.n, name + "n");
  label(B.f, name + "f");
  return B;
}

template class Context<Scalar>;
template class Context<double>;

std::string of_body(const std::string& quantity, int i) { return quantity + std::to_string(i + 1); }

std::string of_axis(const std::string& quantity, int i, std::size_t k, std::size_t n) {
  return of_body(quantity, i) + (n > 1 ? std::string(1, static_cast<char>('a' + k)) : "");
}

ir::Kernel trace(const model::CanonicalTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context<Scalar>&)>& algorithm,
                 TraceFor use) {
  ir::Kernel kernel;
  kernel.inputs = std::move(inputs);
  kernel.outputs = std::move(outputs);
  kernel.graph.merges_reversed_differences = use == TraceFor::counting;
  Context<Scalar> context(tree, &kernel);
  for (std::size_t k = 0; k < kernel.inputs.size(); ++k) {
    Coordinates<Scalar> values;
    for (int entry = 0; entry < kernel.inputs[k].size; ++entry)
      values.push_back(kernel.input(static_cast<int>(k), entry));
    context.set_input(kernel.inputs[k].name, std::move(values));
  }
  algorithm(context);
  return kernel;
}

}  // namespace featherline::algorithms
