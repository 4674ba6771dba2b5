#include "verify/verify.hpp"

#include "ir/heap_room.hpp"
#include "ir/interpreter.hpp"
#include "reference/solver.hpp"

#include <featherline/kinematics.hpp>

#include <algorithm>
#include <numeric>

namespace featherline::verify {
namespace {

namespace walk = featherline::kinematics;

/// The columns after the step: the kernel computes one of their three rows.
walk::Pose<double> interpret(const ir::Kernel& step, const walk::Pose<double>& parent, const double* q,
                             const double* sn, const double* cs) {
  const auto run = [&](int row) {
    std::vector<std::vector<double>> inputs;
    for (const ir::Buffer& input : step.inputs) {
      if (input.columns) {
        inputs.push_back({parent[0][row], parent[1][row], parent[2][row], parent[3][row]});
        continue;
      }
      const double* values = input.name == "q" ? q : input.name == "sn" ? sn : cs;
      inputs.emplace_back(values, values + input.size);
    }
    return ir::KernelInterpreter<>(step, inputs).run().front();
  };
  const std::vector<double> x = run(0);
  if (!step.inputs.front().columns) return walk::Pose<double>::of(x.data());
  const std::vector<double> y = run(1), z = run(2);
  walk::Pose<double> pose;
  for (std::size_t k = 0; k < 4; ++k) pose[static_cast<int>(k)] = walk::column(x[k], y[k], z[k]);
  return pose;
}

/// The robot that emitted code declares, with poses of the interpreter.
struct WalkedRobot {
  const ir::LinkWalk& table;
  const walk::RunInfo* runs = table.runs.data();
  const walk::LinkInfo<double>* links = table.links.data();
  const walk::BodyInfo<double>* bodies = table.bodies.data();
  int nv = table.nv, num_bodies = static_cast<int>(table.bodies.size());
  int max_path = table.max_path, max_runs = table.max_runs;
  bool plain_angles = table.plain_angles(), coupled = table.coupled();
  unsigned motions = table.motions();

  template <class Keep>
  void follow(int first, int last, const double* q, const double* sn, const double* cs,
              walk::Pose<double>& pose, const Keep& keep) const {
    for (int b = first; b <= last; ++b) {
      const auto body = static_cast<std::size_t>(b);
      pose = interpret(table.steps[body], pose, q, sn, cs);
      keep.axes(table.place[body], pose);
    }
  }
};

/// A selection of links whose walks together stay short. The outermost links come first, because their walks pass all
/// joints. The others follow in turn.
std::vector<int> chosen_links(const model::UserTree& tree) {
  constexpr int longest_walks = 20'000, most_links = 300;
  std::vector<int> depth(tree.bodies.size() + 1, 0);  // by slot: the world, then the bodies
  std::vector<bool> is_outermost(depth.size(), true);
  is_outermost[0] = false;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const auto parent = static_cast<std::size_t>(tree.bodies[i].parent + 1);
    depth[i + 1] = depth[parent] + 1;
    is_outermost[parent] = false;
  }
  const auto slot = [&](int link) {
    return static_cast<std::size_t>(tree.links[static_cast<std::size_t>(link)].body + 1);
  };
  std::vector<int> order(tree.links.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order, [&](int link) { return is_outermost[slot(link)]; });
  std::vector<int> judged;
  int walked = 0;
  for (const int link : order) {
    const int length = std::max(depth[slot(link)], 1);
    const bool are_enough = std::ssize(judged) >= most_links || walked + length > longest_walks;
    if (!judged.empty() && are_enough) continue;
    walked += length;
    judged.push_back(link);
  }
  return judged;
}

/// The outputs of the kernel for one link.
std::vector<std::vector<double>> run_to(int link, ReferenceFrame frame, const ir::Kernel& kernel,
                                        const std::vector<std::vector<double>>& inputs) {
  ir::KernelInterpreter<> interpreter(kernel, inputs);
  interpreter.walk = [&](const ir::Call& call, const std::vector<std::vector<double>*>& x) {
    const WalkedRobot robot{*call.walk};
    if (call.routine == ir::Routine::forward_kinematics)
      walk::forward_kinematics(x[0]->data(), link, x[1]->data(), x[2]->data(), robot);
    else
      walk::frame_jacobian(x[0]->data(), link, x[1]->data(), frame, robot);
  };
  return interpreter.run();
}

}  // namespace

reference::OutputError verify_kinematics(const ir::Kernel& kernel, const model::UserTree& user,
                                         const reference::State& state) {
  const std::vector<std::vector<double>> inputs = inputs_of(kernel, state);
  const model::Tree valued = model::with_values(user, state.fext, state.p);
  reference::Solver<double> solver(valued);
  const std::vector<reference::Pose<double>> poses = solver.body_poses(state.q);
  reference::OutputError worst;
  const auto compare = [&](int link, const std::string& array, const std::vector<double>& found,
                           const Eigen::MatrixXd& expected) {
    const reference::OutputError error =
        reference::compare({{array, found}}, {{array, {expected.data(), expected.data() + expected.size()}}});
    if (error.relative > worst.relative)
      worst = {error.relative, error.entry + " of link " + user.links[static_cast<std::size_t>(link)].name};
  };
  for (const int index : chosen_links(user)) {
    const model::Link& link = user.links[static_cast<std::size_t>(index)];
    if (kernel.name == "forward_kinematics") {
      const auto outputs = run_to(index, {}, kernel, inputs);
      const reference::Pose<double> pose = pose_of(link, poses);
      compare(index, "R", outputs[0], pose.R);
      compare(index, "p", outputs[1], pose.p);
      continue;
    }
    for (const auto& [emitted, judged] :
         {std::pair{ReferenceFrame::local_world_aligned, reference::Frame::local_world_aligned},
          {ReferenceFrame::local, reference::Frame::local},
          {ReferenceFrame::world, reference::Frame::world}})
      compare(index, "J", run_to(index, emitted, kernel, inputs).front(),
              solver.frame_jacobian(poses, link, judged));
  }
  return worst;
}

}  // namespace featherline::verify
