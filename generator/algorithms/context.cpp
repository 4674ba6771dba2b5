#include "algorithms/context.hpp"

#include "model/geometry.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::algorithms {

template <class T>
T Context<T>::number_in_lanes(const std::vector<double>& values) const {
  if (values.size() == 1) return T(values.front());
  if constexpr (std::is_same_v<T, Scalar>) return ir::lane_numbers(kernel_->graph, values);
  throw InternalError("numbers have no lanes");
}

template <class T>
T Context<T>::sum_of_lanes(const T& x, int lanes) {
  if constexpr (std::is_same_v<T, Scalar>) return ir::lane_sum(x, lanes);
  throw InternalError("numbers have no lanes");
}

template <class T>
Matrix3<T> Context<T>::placement_R(int i) const {
  return matrix_in_lanes(i, [&](int member) -> const model::Matrix3& {
    return full_tree_.bodies[index(member)].joint.placement.R;
  });
}

template <class T>
Vector3<T> Context<T>::placement_p(int i) const {
  return vector_in_lanes(i, [&](int member) -> const model::Vector3& {
    return full_tree_.bodies[index(member)].joint.placement.p;
  });
}

template <class T>
Matrix3<T> Context<T>::user_frame_R(int i) const {
  return matrix_in_lanes(i, [&](int member) -> const model::Matrix3& {
    return full_tree_.bodies[index(member)].user_frame.value().R;
  });
}

template <class T>
Vector3<T> Context<T>::user_frame_p(int i) const {
  return vector_in_lanes(i, [&](int member) -> const model::Vector3& {
    return full_tree_.bodies[index(member)].user_frame.value().p;
  });
}

template <class T>
const std::vector<model::Inertia>& Context<T>::regrouped(Grouping grouping) const {
  std::vector<model::Inertia>& list = inertias_[grouping];
  if (list.empty()) {
    for (const model::Body& body : regroup_inertias(full_tree_, grouping).bodies)
      list.push_back(body.inertia);
  }
  return list;
}

template <class T>
Inertia<T> Context<T>::inertia(int i, Grouping grouping) const {
  const std::vector<model::Inertia>& list = regrouped(grouping);
  const auto of = [&](int member) -> const model::Inertia& { return list[index(member)]; };
  return with_payloads(
      i, {in_lanes(i, [&](int member) { return of(member).mass; }),
          vector_in_lanes(i, [&](int member) -> const model::Vector3& { return of(member).h; }),
          symmetric_in_lanes(i, [&](int member) -> const model::Matrix3& { return of(member).J; })});
}

template <class T>
Symmetric3<T> Context<T>::second_moments(int i) const {
  const std::vector<model::Inertia>& list = regrouped(Grouping::second_moment_zz);
  return symmetric_in_lanes(i, [&](int member) -> model::Matrix3 {
    const model::Matrix3& J = list[index(member)].J;
    const model::Matrix3 S = J.trace() / 2.0 * model::Matrix3::Identity() - J;
    return model::shortened(S, J.cwiseAbs().maxCoeff());
  });
}

template <class T>
std::vector<JointAxis<T>> Context<T>::axes(int i) const {
  const model::Joint& joint = this->joint(i);
  const model::JointRow& row = joint.row();
  if (row.is_split()) throw InternalError("a canonical tree has no joints with several axes");
  std::vector<JointAxis<T>> axes;
  for (const model::Motion& motion : row.motions) {
    const Vector3<T> zero{T(0.0), T(0.0), T(0.0)}, along = to_vector<T>(joint.direction(motion.along));
    const T advance = motion.turns() ? number(i, &model::Joint::pitch) : T(1.0);
    axes.push_back({{motion.turns() ? along : zero, motion.slides() ? along * advance : zero},
                    joint.idx_v + static_cast<int>(axes.size()),
                    number(i, &model::Joint::multiplier)});
  }
  return axes;
}

template <class T>
void Context<T>::output(const std::string& name, Coordinates<T> values, Sides sides) {
  if constexpr (std::is_same_v<T, Scalar>) {
    const int output = output_index(name);
    if (kernel_->outputs[index(output)].size != full_size(values, sides))
      throw InternalError("an algorithm writes " + name + ", which has another size");
    store(output, values, sides);
  }
  outputs_.emplace_back(name, std::move(values));
}

template <class T>
int Context<T>::input_index(const char* name) const {
  if (kernel_ == nullptr) throw InternalError("numbers have no kernel");
  const auto found = std::find_if(kernel_->inputs.begin(), kernel_->inputs.end(),
                                  [&](const ir::Buffer& buffer) { return buffer.name == name; });
  if (found == kernel_->inputs.end()) throw InternalError(std::string("there is no input ") + name);
  return static_cast<int>(found - kernel_->inputs.begin());
}

template <class T>
int Context<T>::output_index(const std::string& name) const {
  const auto found = std::find_if(kernel_->outputs.begin(), kernel_->outputs.end(),
                                  [&](const ir::Buffer& buffer) { return buffer.name == name; });
  if (found == kernel_->outputs.end())
    throw InternalError("an algorithm writes " + name + ", which is not an output");
  return static_cast<int>(found - kernel_->outputs.begin());
}

template <class T>
void Context<T>::output(const std::string& name, const std::vector<StoredEntry>& entries,
                        const std::set<int>& of_calls) {
  store_entries(*kernel_, output_index(name), entries, of_calls);
}

template <class T>
void Context<T>::local(const std::string& name, int size, const std::vector<StoredEntry>& entries) {
  declare(name, size);
  store_entries(*kernel_, kernel_->num_written() - 1, entries);
}

template <class T>
T Context<T>::entries_of_input(int input, const std::vector<int>& entries) const {
  if constexpr (std::is_same_v<T, Scalar>) return kernel_->gather(input, entries);
  throw InternalError("numbers have no kernel");
}

template <class T>
T Context<T>::only_lane(int lane, int lanes, const T& x) const {
  std::vector<double> mask(static_cast<std::size_t>(lanes), 0.0);
  mask[static_cast<std::size_t>(lane)] = 1.0;
  return number_in_lanes(mask) * x;
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
void Context<T>::local(const std::string& name, const Coordinates<T>& values, Sides sides) {
  if constexpr (std::is_same_v<T, Scalar>) {
    declare(name, full_size(values, sides));
    store(kernel_->num_written() - 1, values, sides);
  }
}

template <class T>
int Context<T>::full_size(const Coordinates<T>& values, Sides sides) const {
  return folding_.has_lanes() ? size_of(sides, full_tree_.nv) : static_cast<int>(values.size());
}

template <class T>
void Context<T>::local(const std::string& name, int size) {
  if constexpr (std::is_same_v<T, Scalar>) {
    declare(name, size);
    kernel_->steps.emplace_back(ir::Clear{kernel_->num_written() - 1});
  }
}

template <class T>
void Context<T>::scratch(const std::string& name, int size) {
  if constexpr (std::is_same_v<T, Scalar>) declare(name, size);
}

template <class T>
void Context<T>::store(int buffer, const Coordinates<T>& values, Sides sides) {
  if constexpr (std::is_same_v<T, Scalar>) {
    if (folding_.has_lanes()) return store_folded(*kernel_, buffer, folding_, full_tree_.nv, values, sides);
    for (std::size_t k = 0; k < values.size(); ++k) kernel_->store(buffer, static_cast<int>(k), values[k]);
  }
}

template <class T>
void Context<T>::clear_outputs(bool once, bool for_sums) {
  for (int k = 0; kernel_ != nullptr && k < static_cast<int>(kernel_->outputs.size()); ++k)
    kernel_->steps.emplace_back(ir::Clear{k, {}, once, for_sums});
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
  if (kernel_ == nullptr) return;
  const model::Body& b = body(i);
  const std::string above = b.parent < 0 ? "world" : body(b.parent).name;
  std::string bodies = "body " + of_body("", i) + " \"" + b.name + "\"";
  if (lanes(i) > 1) {
    bodies = "bodies";
    for (const int member : folded(i).members) {
      bodies += (member == folded(i).members.front() ? " " : ", ") + std::to_string(member + 1) + " \"" +
                full_tree_.bodies[index(member)].name + "\"";
    }
  }
  const bool with_limb = lanes(i) > 1 && b.parent >= 0 && lanes(b.parent) > 1;
  kernel_->graph.begin_section(bodies + ": " + joint_title(i) + " (" + model::name(b.joint.type) +
                                   "), parent" + (with_limb ? " of the first: " : " ") + above,
                               what);
}

template <class T>
std::string Context<T>::joint_title(int i) const {
  const std::vector<int>& members = folded(i).members;
  std::string title = members.size() > 1 ? "joints" : "joint";
  for (const int member : members) {
    title +=
        (member == members.front() ? " \"" : ", \"") + full_tree_.bodies[index(member)].joint.name + "\"";
  }
  return title;
}

template <class T>
void Context<T>::begin_pair_section(int i, int j, const std::string& what) {
  if (kernel_ == nullptr) return;
  const std::string bodies = of_body("", i) + ", " + of_body("", j);
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

template <class T>
std::string Context<T>::of_body(const std::string& quantity, int i) const {
  return quantity + std::to_string(folded(i).members.front() + 1);
}

template <class T>
std::string Context<T>::of_axis(const std::string& quantity, int i, std::size_t k, std::size_t n) const {
  return of_body(quantity, i) + (n > 1 ? std::string(1, static_cast<char>('a' + k)) : "");
}

namespace {

/// The entries of an input by coordinate of the folded tree; positions are those of q. What the user chose as an input
/// is not by coordinate.
Coordinates<Scalar> read_input(ir::Kernel& kernel, int buffer, const model::Folding& folding) {
  const ir::Buffer& input = kernel.inputs[static_cast<std::size_t>(buffer)];
  Coordinates<Scalar> values;
  if (!folding.has_lanes() || input.name == external_forces || input.name == parameters ||
      input.name == active_constraints) {
    for (int entry = 0; entry < input.size; ++entry) values.push_back(kernel.input(buffer, entry));
    return values;
  }
  for (const std::vector<int>& entries : input.name == "q" ? folding.positions : folding.velocities)
    values.push_back(entries.size() == 1 ? kernel.input(buffer, entries.front())
                                         : kernel.gather(buffer, entries));
  return values;
}

void read_inputs(Context<Scalar>& context, ir::Kernel& kernel) {
  for (std::size_t k = 0; k < kernel.inputs.size(); ++k)
    context.set_input(kernel.inputs[k].name, read_input(kernel, static_cast<int>(k), context.folding()));
}

}  // namespace

template <class T>
Context<T> Context<T>::in_kernel(ir::Kernel& other) const {
  Context context = *this;
  context.kernel_ = &other;
  context.inputs_.clear();
  context.outputs_.clear();
  return context;
}

template <class T>
Context<T> Context<T>::unfolded() const {
  Context context(full_tree_, kernel_);
  if constexpr (std::is_same_v<T, Scalar>) read_inputs(context, *kernel_);
  return context;
}

template <class T>
std::shared_ptr<const ir::Kernel> Context<T>::by_other(
    const std::string& name, const std::function<void(Context<T>&)>& algorithm) const {
  if constexpr (std::is_same_v<T, Scalar>) {
    ir::Kernel kernel = trace(full_tree_, kernel_->inputs, kernel_->outputs, algorithm);
    kernel.name = name;
    return std::make_shared<const ir::Kernel>(std::move(kernel));
  } else {
    return nullptr;
  }
}

template class Context<Scalar>;
template class Context<double>;

namespace {

Context<Scalar> context_of(const model::CanonicalTree& tree, ir::Kernel& kernel) {
  return Context<Scalar>(tree, &kernel);
}
Context<Scalar> context_of(const model::FoldedTree& tree, ir::Kernel& kernel) { return {tree, kernel}; }

template <class Tree>
ir::Kernel trace_on(const Tree& tree, std::vector<ir::Buffer> inputs, std::vector<ir::Buffer> outputs,
                    const std::function<void(Context<Scalar>&)>& algorithm, TraceFor use) {
  ir::Kernel kernel;
  kernel.inputs = std::move(inputs);
  kernel.outputs = std::move(outputs);
  kernel.graph.merges_reversed_differences = use == TraceFor::counting;
  Context<Scalar> context = context_of(tree, kernel);
  read_inputs(context, kernel);
  algorithm(context);
  return kernel;
}

}  // namespace

ir::Kernel trace(const model::CanonicalTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context<Scalar>&)>& algorithm,
                 TraceFor use) {
  return trace_on(tree, std::move(inputs), std::move(outputs), algorithm, use);
}

ir::Kernel trace(const model::FoldedTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context<Scalar>&)>& algorithm,
                 TraceFor use) {
  return trace_on(tree, std::move(inputs), std::move(outputs), algorithm, use);
}

}  // namespace featherline::algorithms
