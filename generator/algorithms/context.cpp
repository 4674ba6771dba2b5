#include "algorithms/context.hpp"

#include "joints/geometry.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <cctype>

namespace featherline::algorithms {

Scalar Context::number_in_lanes(const std::vector<double>& values) const {
  if (values.size() == 1) return Scalar(values.front());
  return ir::lane_numbers(kernel_->graph, values);
}

std::pair<Matrix3, Vector3> Context::placement_in_lanes(const std::vector<model::Placement>& X) const {
  const auto entry = [&](const auto& of) {
    std::vector<double> lanes;
    for (const model::Placement& of_lane : X) lanes.push_back(of(of_lane));
    return number_in_lanes(lanes);
  };
  Matrix3 R;
  Vector3 p;
  for (int k = 0; k < 9; ++k)
    R(k / 3, k % 3) = entry([&](const model::Placement& of_lane) { return of_lane.R(k / 3, k % 3); });
  for (int k = 0; k < 3; ++k) p[k] = entry([&](const model::Placement& of_lane) { return of_lane.p[k]; });
  return {R, p};
}

Scalar Context::sum_of_lanes(const Scalar& x, int lanes) { return ir::lane_sum(x, lanes); }

Matrix3 Context::placement_R(int i) const {
  return matrix_in_lanes(i, [&](int member) -> const model::Matrix3& {
    return full_tree_.bodies[index(member)].joint.placement.R;
  });
}

Vector3 Context::placement_p(int i) const {
  const auto of = [&](int member) -> const model::Vector3& {
    return full_tree_.bodies[index(member)].joint.placement.p;
  };
  return hint(vector_in_lanes(i, of), of_body("p", i));
}

Matrix3 Context::user_frame_R(int i) const {
  return matrix_in_lanes(i, [&](int member) -> const model::Matrix3& {
    return full_tree_.bodies[index(member)].user_frame.value().R;
  });
}

Vector3 Context::user_frame_p(int i) const {
  return vector_in_lanes(i, [&](int member) -> const model::Vector3& {
    return full_tree_.bodies[index(member)].user_frame.value().p;
  });
}

const std::vector<model::Inertia>& Context::regrouped(Grouping grouping) const {
  kernel_->inertia_tables.insert(static_cast<int>(grouping));
  std::vector<model::Inertia>& list = inertias_[grouping];
  if (list.empty()) {
    for (const model::Body& body : regroup_inertias(full_tree_, grouping).bodies)
      list.push_back(body.inertia);
  }
  return list;
}

Inertia Context::inertia(int i, Grouping grouping) const {
  const std::vector<model::Inertia>& list = regrouped(grouping);
  const auto of = [&](int member) -> const model::Inertia& { return list[index(member)]; };
  return with_payloads(
      i, {in_lanes(i, [&](int member) { return of(member).mass; }),
          hint(vector_in_lanes(i, [&](int member) -> const model::Vector3& { return of(member).h; }),
               of_body("h_alone", i)),
          hint(symmetric_in_lanes(i, [&](int member) -> const model::Matrix3& { return of(member).J; }),
               of_body("J_alone", i))});
}

Symmetric3 Context::second_moments(int i) const {
  const std::vector<model::Inertia>& list = regrouped(Grouping::second_moment_zz);
  const auto of = [&](int member) -> model::Matrix3 {
    const model::Matrix3& J = list[index(member)].J;
    const model::Matrix3 S = J.trace() / 2.0 * model::Matrix3::Identity() - J;
    return model::round_entries(S, J.cwiseAbs().maxCoeff());
  };
  return hint(symmetric_in_lanes(i, of), of_body("Sigma", i));
}

std::vector<JointAxis> Context::axes(int i) const {
  const model::Joint& joint = this->joint(i);
  const model::JointRow& row = joint.row();
  if (row.is_split()) throw InternalError("a canonical tree has no joints with several axes");
  std::vector<JointAxis> axes;
  for (const model::Motion& motion : row.motions) {
    const Vector3 zero{Scalar(0.0), Scalar(0.0), Scalar(0.0)},
        along = to_vector(joint.direction(motion.along));
    const Scalar advance = motion.turns() ? number(i, &model::Joint::pitch) : Scalar(1.0);
    axes.push_back({{motion.turns() ? along : zero, motion.slides() ? along * advance : zero},
                    joint.idx_v + static_cast<int>(axes.size()),
                    number(i, &model::Joint::multiplier)});
  }
  return axes;
}

void Context::output(const std::string& name, Coordinates values, Sides sides) {
  const int output = output_index(name);
  if (kernel_->outputs[index(output)].size != full_size(values, sides))
    throw InternalError("an algorithm writes " + name + ", which has another size");
  store(output, values, sides);
}

int Context::input_index(const char* name) const {
  const auto found = std::find_if(kernel_->inputs.begin(), kernel_->inputs.end(),
                                  [&](const ir::Buffer& buffer) { return buffer.name == name; });
  if (found == kernel_->inputs.end()) throw InternalError(std::string("there is no input ") + name);
  return static_cast<int>(found - kernel_->inputs.begin());
}

int Context::output_index(const std::string& name) const {
  const auto found = std::find_if(kernel_->outputs.begin(), kernel_->outputs.end(),
                                  [&](const ir::Buffer& buffer) { return buffer.name == name; });
  if (found == kernel_->outputs.end())
    throw InternalError("an algorithm writes " + name + ", which is not an output");
  return static_cast<int>(found - kernel_->outputs.begin());
}

void Context::output(const std::string& name, const std::vector<StoredEntry>& entries,
                     const std::set<int>& of_calls) {
  store_entries(*kernel_, output_index(name), entries, of_calls);
}

void Context::local(const std::string& name, int size, const std::vector<StoredEntry>& entries) {
  declare(name, size);
  store_entries(*kernel_, kernel_->num_outputs_and_locals() - 1, entries);
}

Scalar Context::entries_of_input(int input, const std::vector<int>& entries) const {
  return kernel_->gather(input, entries);
}

Scalar Context::only_lane(int lane, int lanes, const Scalar& x) const {
  std::vector<double> mask(index(lanes), 0.0);
  mask[index(lane)] = 1.0;
  return number_in_lanes(mask) * x;
}

void Context::declare(const std::string& name, int size) {
  const auto is_called_so = [&](const ir::Buffer& buffer) { return buffer.name == name; };
  for (const std::vector<ir::Buffer>* others : {&kernel_->inputs, &kernel_->outputs, &kernel_->locals}) {
    if (std::any_of(others->begin(), others->end(), is_called_so))
      throw InternalError("two arrays of a kernel are called " + name);
  }
  kernel_->locals.push_back({name, size});
}

void Context::local(const std::string& name, const Coordinates& values, Sides sides) {
  declare(name, full_size(values, sides));
  store(kernel_->num_outputs_and_locals() - 1, values, sides);
}

int Context::full_size(const Coordinates& values, Sides sides) const {
  return folding_.has_lanes() ? size_of(sides, full_tree_.nv) : static_cast<int>(values.size());
}

void Context::local(const std::string& name, int size) {
  declare(name, size);
  kernel_->steps.emplace_back(ir::Clear{kernel_->num_outputs_and_locals() - 1});
}

void Context::scratch(const std::string& name, int size) { declare(name, size); }

void Context::store(int buffer, const Coordinates& values, Sides sides) {
  if (folding_.has_lanes()) return store_folded(*kernel_, buffer, folding_, full_tree_.nv, values, sides);
  for (std::size_t k = 0; k < values.size(); ++k) kernel_->store(buffer, static_cast<int>(k), values[k]);
}

void Context::clear_outputs(bool once, bool for_sums) {
  for (int k = 0; k < static_cast<int>(kernel_->outputs.size()); ++k)
    kernel_->steps.emplace_back(ir::Clear{k, {}, once, for_sums});
}

void Context::call(ir::Call call) {
  if (!call.body) call.cost = cost_of(call);
  kernel_->steps.emplace_back(std::move(call));
}

std::vector<ir::ArrayId> Context::arrays(const std::vector<std::string>& names) const {
  std::vector<ir::ArrayId> ids;
  for (const std::string& name : names) ids.push_back(array(name));
  return ids;
}

std::vector<std::string> Context::output_names() const {
  std::vector<std::string> names;
  for (const ir::Buffer& output : kernel_->outputs) names.push_back(output.name);
  return names;
}

void Context::begin_section(int i, const std::string& what) {
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

std::string quoted_title(std::string word, const std::vector<std::string>& names) {
  if (names.size() > 1) word += 's';
  const char* separator = " ";
  for (const std::string& name : names) word += std::exchange(separator, ", ") + ('"' + name + '"');
  return word;
}

std::string Context::joint_title(int i) const {
  std::vector<std::string> names;
  for (const int member : folded(i).members) names.push_back(full_tree_.bodies[index(member)].joint.name);
  return quoted_title("joint", names);
}

void Context::begin_pair_section(int i, int j, const std::string& what) {
  const std::string bodies = of_body("", i) + ", " + of_body("", j);
  const std::string joints = i == j ? "joint \"" + joint(i).name + "\" with itself"
                                    : "joints \"" + joint(i).name + "\" and \"" + joint(j).name + "\"";
  kernel_->graph.begin_section("pair (" + bodies + "): " + joints, what);
}

namespace {

/// The runs of letters and digits in a name.
std::vector<std::string> words(const std::string& name) {
  std::vector<std::string> list(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      list.back() += c;
    else if (!list.back().empty())
      list.emplace_back();
  }
  return list;
}

}  // namespace

std::string Context::joint_name(int i) const {
  const std::vector<int>& members = folded(i).members;
  const auto name_of = [&](int member) { return full_tree_.bodies[index(member)].joint.name; };
  if (members.size() == 1) return name_of(members.front());
  std::vector<std::string> common = words(name_of(members.front()));
  for (const int member : members) {
    const std::vector<std::string> others = words(name_of(member));
    std::erase_if(common, [&](const std::string& word) {
      return std::find(others.begin(), others.end(), word) == others.end();
    });
  }
  std::string name;
  for (const std::string& word : common) name += word + "_";
  return name.empty() ? "joint" + of_body("", i) + "_limbs" : name + "limbs";
}

std::string Context::of_body(const std::string& quantity, int i) const {
  return quantity + std::to_string(folded(i).members.front() + 1);
}

std::string Context::of_axis(const std::string& quantity, int i, std::size_t k, std::size_t n) const {
  return of_body(quantity, i) + (n > 1 ? std::string(1, static_cast<char>('a' + k)) : "");
}

namespace {

/// The entries of an input by coordinate of the folded tree; positions are those of q. What the user chose as an input
/// is not by coordinate.
Coordinates read_input(ir::Kernel& kernel, int buffer, const model::Folding& folding) {
  const ir::Buffer& input = kernel.inputs[index(buffer)];
  Coordinates values;
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

void read_inputs(Context& context, ir::Kernel& kernel) {
  for (std::size_t k = 0; k < kernel.inputs.size(); ++k)
    context.set_input(kernel.inputs[k].name, read_input(kernel, static_cast<int>(k), context.folding()));
}

}  // namespace

Context Context::in_kernel(ir::Kernel& other) const {
  Context context = *this;
  context.kernel_ = &other;
  context.inputs_.clear();
  return context;
}

Context Context::unfolded() const {
  Context context(full_tree_, *kernel_);
  read_inputs(context, *kernel_);
  return context;
}

std::shared_ptr<const ir::Kernel> Context::by_other(const std::string& name,
                                                    const std::function<void(Context&)>& algorithm) const {
  ir::Kernel kernel = trace(full_tree_, kernel_->inputs, kernel_->outputs, algorithm);
  kernel.name = name;
  return std::make_shared<const ir::Kernel>(std::move(kernel));
}

namespace {

template <class Tree>
ir::Kernel trace_on(const Tree& tree, std::vector<ir::Buffer> inputs, std::vector<ir::Buffer> outputs,
                    const std::function<void(Context&)>& algorithm, TraceFor use) {
  ir::Kernel kernel;
  kernel.inputs = std::move(inputs);
  kernel.outputs = std::move(outputs);
  kernel.graph.merges_reversed_differences = use == TraceFor::counting;
  Context context(tree, kernel);
  read_inputs(context, kernel);
  algorithm(context);
  return kernel;
}

}  // namespace

ir::Kernel trace(const model::CanonicalTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context&)>& algorithm,
                 TraceFor use) {
  return trace_on(tree, std::move(inputs), std::move(outputs), algorithm, use);
}

ir::Kernel trace(const model::FoldedTree& tree, std::vector<ir::Buffer> inputs,
                 std::vector<ir::Buffer> outputs, const std::function<void(Context&)>& algorithm,
                 TraceFor use) {
  return trace_on(tree, std::move(inputs), std::move(outputs), algorithm, use);
}

}  // namespace featherline::algorithms
