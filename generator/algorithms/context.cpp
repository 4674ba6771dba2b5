#include "algorithms/context.hpp"

#include "support/diagnostic.hpp"

#include <cctype>

namespace featherline::algorithms {

Scalar Context::in_lanes(const std::vector<double>& values) const {
  return values.size() == 1 ? Scalar(values.front()) : ir::lane_numbers(kernel_->graph, values);
}

Vector3 Context::in_lanes(const std::vector<model::Vector3>& values) const {
  const auto entry = [&](int k) {
    return in_lanes(each(values, [&](const model::Vector3& v) { return v[k]; }));
  };
  return {entry(0), entry(1), entry(2)};
}

Matrix3 Context::in_lanes(const std::vector<model::Matrix3>& values) const {
  const auto row = [&](int r) {
    return in_lanes(each(values, [&](const model::Matrix3& M) { return model::Vector3(M.row(r)); }));
  };
  return {{row(0), row(1), row(2)}};
}

Placement Context::in_lanes(const std::vector<model::Placement>& values) const {
  return {in_lanes(each(values, &model::Placement::R)), in_lanes(each(values, &model::Placement::p))};
}

Scalar Context::number(int i, double model::Joint::*which) const {
  std::vector<int> places;
  std::vector<double> numbers;
  for (const int member : members(i)) {
    const model::Joint& joint = full_tree().bodies[index(member)].joint;
    const model::JointEntry entry =
        has_input(parameters) ? chosen().entry_of(which, joint) : model::JointEntry{};
    places.push_back(entry.place);
    numbers.push_back(entry.place < 0 ? joint.*which : entry.more);
  }
  const auto is_zero = [](double x) { return x == 0.0; };
  if (std::ranges::count(places, -1) == std::ssize(places)) return in_lanes(numbers);
  const Scalar inputs = entry(parameters, places);
  return std::ranges::all_of(numbers, is_zero) ? inputs : inputs + in_lanes(numbers);
}

Coordinates Context::rest_pose(int i) const {
  Coordinates pose;
  for (std::size_t k = 0; k < model::Joint{}.rest_pose.size(); ++k)
    pose.push_back(in_lanes(by_lane(i, [k](const model::Body& body) { return body.joint.rest_pose[k]; })));
  return pose;
}

Placement Context::placement(int i) const {
  if (has_input(given_placement)) {
    const Coordinates& x = input(given_placement);
    return {{{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}}}, {x[9], x[10], x[11]}};
  }
  Placement X = in_lanes(by_lane(i, [](const model::Body& body) { return body.joint.placement; }));
  if (const auto moved = chosen_placement(i)) X = {X.R * moved->R, X.p + X.R * moved->p};
  hint(X.p, of_body("p", i));
  return X;
}

Placement Context::user_frame(int i) const {
  return in_lanes(by_lane(i, [](const model::Body& body) { return body.user_frame.value(); }));
}

const std::vector<model::Inertia>& Context::regrouped(Grouping grouping) const {
  kernel_->inertia_tables.insert(static_cast<int>(grouping));
  std::vector<model::Inertia>& list = inertias_[grouping];
  if (list.empty()) list = each(regroup_inertias(full_tree(), grouping).bodies, &model::Body::inertia);
  return list;
}

namespace {

Symmetric3 upper_triangle(const Matrix3& A) { return {A(0, 0), A(0, 1), A(0, 2), A(1, 1), A(1, 2), A(2, 2)}; }

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

Inertia Context::inertia(int i, Grouping grouping) const {
  if (is_lifted_) {
    const auto part = [&](auto model::Inertia::*which) {
      return in_lanes(by_lane(i, [&](const model::Body& body) { return body.lifted.*which; }));
    };
    return {part(&model::Inertia::mass), part(&model::Inertia::h), {}};
  }
  const std::vector<model::Inertia>& list = regrouped(grouping);
  const auto own = [&](auto model::Inertia::*part) {
    return in_lanes(each(members(i), [&](int member) { return list[index(member)].*part; }));
  };
  return with_payloads(i, {own(&model::Inertia::mass), hint(own(&model::Inertia::h), of_body("h_alone", i)),
                           hint(upper_triangle(own(&model::Inertia::J)), of_body("J_alone", i))});
}

Symmetric3 Context::second_moments(int i) const {
  const std::vector<model::Inertia>& list = regrouped(Grouping::second_moment_zz);
  const auto Sigma = [&](int member) -> model::Matrix3 {
    const model::Matrix3& J = list[index(member)].J;
    const model::Matrix3 S = J.trace() / 2.0 * model::Matrix3::Identity() - J;
    return model::round_entries(S, J.cwiseAbs().maxCoeff());
  };
  return hint(upper_triangle(in_lanes(each(members(i), Sigma))), of_body("Sigma", i));
}

std::vector<JointAxis> Context::axes(int i) const {
  const model::Joint& joint = this->joint(i);
  const model::JointRow& row = joint.row();
  if (row.is_split()) throw InternalError("a canonical tree has no joints with several axes");
  std::vector<JointAxis> axes;
  for (const model::Motion& motion : row.motions) {
    const Vector3 zero, along = to_vector(joint.direction(motion.along));
    const Scalar advance = motion.turns() ? number(i, &model::Joint::pitch) : Scalar(1.0);
    axes.push_back({{motion.turns() ? along : zero, motion.slides() ? along * advance : zero},
                    joint.idx_v + static_cast<int>(axes.size()),
                    number(i, &model::Joint::multiplier)});
  }
  return axes;
}

std::string quoted_title(std::string word, const std::vector<std::string>& names) {
  if (names.size() > 1) word += 's';
  const char* separator = " ";
  for (const std::string& name : names) word += std::exchange(separator, ", ") + ('"' + name + '"');
  return word;
}

void Context::begin_section(int i, const std::string& what) {
  const std::string above = parent(i) < 0 ? "world" : body(parent(i)).name;
  const bool with_limb = lanes(i) > 1 && parent(i) >= 0 && lanes(parent(i)) > 1;
  std::string bodies = lanes(i) > 1 ? "bodies" : "body";
  for (const int member : members(i)) {
    bodies += (bodies.back() == '"' ? ", " : " ") + std::to_string(member + 1) + " \"" +
              full_tree().bodies[index(member)].name + "\"";
  }
  const auto joints = by_lane(i, [](const model::Body& body) { return body.joint.name; });
  kernel_->graph.begin_section(bodies + ": " + quoted_title("joint", joints) + " (" +
                                   model::name(joint(i).type) + "), parent" +
                                   (with_limb ? " of the first: " : " ") + above,
                               what);
}

void Context::begin_pair_section(int i, int j, const std::string& what) {
  const std::string bodies = of_body("", i) + ", " + of_body("", j);
  const std::string joints = i == j ? "joint \"" + joint(i).name + "\" with itself"
                                    : "joints \"" + joint(i).name + "\" and \"" + joint(j).name + "\"";
  kernel_->graph.begin_section("pair (" + bodies + "): " + joints, what);
}

std::string Context::joint_name(int i) const {
  const auto names = by_lane(i, [](const model::Body& body) { return body.joint.name; });
  if (names.size() == 1) return names.front();
  std::vector<std::string> common = words(names.front());
  for (const std::string& name : names) {
    const std::vector<std::string> others = words(name);
    std::erase_if(common, [&](const std::string& word) { return std::ranges::count(others, word) == 0; });
  }
  std::string name;
  for (const std::string& word : common) name += word + "_";
  return name.empty() ? "joint" + of_body("", i) + "_limbs" : name + "limbs";
}

std::string Context::of_body(const std::string& quantity, int i) const {
  return quantity + std::to_string(members(i).front() + 1);
}

std::string Context::of_axis(const std::string& quantity, int i, std::size_t k, std::size_t n) const {
  return of_body(quantity, i) + (n > 1 ? std::string(1, static_cast<char>('a' + k)) : "");
}

ir::Kernel Context::by_other(const std::function<void(Context&)>& algorithm) const {
  return trace(tree_, kernel_->inputs, kernel_->outputs, algorithm);
}

ir::Kernel trace(const WalkedTree& tree, std::vector<ir::Buffer> inputs, std::vector<ir::Buffer> outputs,
                 const std::function<void(Context&)>& algorithm, TraceFor use) {
  ir::Kernel kernel;
  kernel.inputs = std::move(inputs);
  kernel.outputs = std::move(outputs);
  kernel.graph.merges_reversed_differences = use == TraceFor::counting;
  Context context(tree, kernel);
  algorithm(context);
  return kernel;
}

}  // namespace featherline::algorithms
