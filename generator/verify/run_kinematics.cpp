#include "verify/run_kinematics.hpp"

#include "ir/interpreter.hpp"
#include "reference/solver.hpp"
#include "support/diagnostic.hpp"
#include "verify/big_stack.hpp"

#include <featherline/kinematics.hpp>

#include <algorithm>

namespace featherline::verify {
namespace {

namespace walk = featherline::kinematics;

/// Largest stack of a walk for each body of the path that it has room for: featherline::kinematics::Path with six axes
/// for each body, sines and cosines.
constexpr std::size_t bytes_of_step = 512;

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
  std::vector<double> entries = run(0);
  if (!step.inputs.front().columns) return walk::Pose<double>::of(entries.data());
  const std::vector<double> y = run(1), z = run(2);
  walk::Pose<double> pose;
  for (std::size_t k = 0; k < 4; ++k) pose[static_cast<int>(k)] = walk::column(entries[k], y[k], z[k]);
  return pose;
}

/// Stands in for the constants that emitted code declares, with room for paths of N bodies. It is set before a walk.
/// Only one thread at a time may use it.
template <int N>
struct WalkedRobot {
  static constexpr int max_path = N, max_runs = N,
                       num_bodies = std::numeric_limits<int>::max();  // only whether there are any matters
  static constexpr bool plain_angles = false, coupled = true;
  static constexpr unsigned motions = ~0U;
  static constexpr int nv = 0;  // the caller clears the Jacobian
  template <class Real>
  static inline const walk::BodyInfo<Real>* bodies = nullptr;
  static inline const walk::RunInfo* runs = nullptr;
  template <class Real>
  static inline const walk::LinkInfo<Real>* links = nullptr;
  static inline std::vector<walk::BodyInfo<double>> rows;
  static inline const ir::LinkWalk* table = nullptr;

  static void set(const ir::LinkWalk& walked) {
    rows = walked.bodies;  // the last block of angles may reach behind the last body
    if (!rows.empty()) rows.resize(rows.size() + sincos_width<double>, walked.bodies.back());
    bodies<double> = rows.data();
    runs = walked.runs.data();
    links<double> = walked.links.data();
    table = &walked;
  }

  template <class Keep>
  static void follow(int first, int last, const double* q, const double* sn, const double* cs,
                     walk::Pose<double>& pose, const Keep& keep) {
    for (int b = first; b <= last; ++b) {
      const auto body = static_cast<std::size_t>(b);
      pose = interpret(table->steps[body], pose, q, sn, cs);
      keep.axes(table->place[body], pose);
    }
  }
};

/// A selection of links whose walks together stay short. The outermost links come first, because their walks pass all
/// joints. The others follow in turn.
std::vector<int> chosen_links(const model::UserTree& tree) {
  constexpr int longest_walks = 20'000;
  constexpr std::size_t most_links = 300;
  std::vector<int> depth(tree.bodies.size(), 1);
  std::vector<bool> is_outermost(tree.bodies.size(), true);
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(tree.bodies[i].parent);
    depth[i] += depth[parent];
    is_outermost[parent] = false;
  }
  std::vector<int> order;
  for (const bool outermost : {true, false}) {
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
      const int body = tree.links[k].body;
      if ((body >= 0 && is_outermost[static_cast<std::size_t>(body)]) == outermost)
        order.push_back(static_cast<int>(k));
    }
  }
  std::vector<int> chosen;
  int walked = 0;
  for (const int link : order) {
    const int body = tree.links[static_cast<std::size_t>(link)].body;
    const int length = body < 0 ? 1 : depth[static_cast<std::size_t>(body)];
    const bool fits = walked + length <= longest_walks && chosen.size() < most_links;
    if (!fits && !chosen.empty()) continue;
    walked += length;
    chosen.push_back(link);
  }
  return chosen;
}

template <int N>
reference::OutputError worst_error(const std::string& function, const model::UserTree& user,
                                   const ir::LinkWalk& table, const Eigen::VectorXd& q) {
  using Robot = WalkedRobot<N>;
  Robot::set(table);
  reference::Solver<double> solver(user);
  const std::vector<reference::Pose<double>> poses = solver.body_poses(q);
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
    if (function == "forward_kinematics") {
      std::vector<double> R(9), p(3);
      walk::forward_kinematics<Robot>(q.data(), index, R.data(), p.data());
      const reference::Pose<double> carrier =
          link.body < 0 ? reference::Pose<double>{} : poses[static_cast<std::size_t>(link.body)];
      compare(index, "R", R, carrier.R * link.placement.R);
      compare(index, "p", p, carrier.R * link.placement.p + carrier.p);
      continue;
    }
    const std::pair<ReferenceFrame, reference::Frame> frames[] = {
        {ReferenceFrame::local_world_aligned, reference::Frame::local_world_aligned},
        {ReferenceFrame::local, reference::Frame::local},
        {ReferenceFrame::world, reference::Frame::world}};
    for (const auto& [emitted, judged] : frames) {
      std::vector<double> J(static_cast<std::size_t>(6 * user.nv));
      walk::frame_jacobian<Robot>(q.data(), index, J.data(), emitted);
      compare(index, "J", J, solver.frame_jacobian(q, index, judged));
    }
  }
  return worst;
}

}  // namespace

reference::OutputError verify_kinematics(const std::string& function, const model::UserTree& user,
                                         const ir::LinkWalk& table, const Eigen::VectorXd& q) {
  static std::mutex one_robot;  // WalkedRobot belongs to the whole program
  const std::lock_guard<std::mutex> lock(one_robot);
  constexpr int usual = 64, chain = 1024, longest_accepted = 1 << 20;
  if (table.max_path > longest_accepted)
    throw InternalError("a path of more than a million joints cannot be verified");
  reference::OutputError worst;
  const auto room = static_cast<std::size_t>(table.max_path <= chain ? chain : longest_accepted);
  run_with_stack((std::size_t{8} << 20) + room * bytes_of_step, [&] {
    const auto run = table.max_path <= usual   ? worst_error<usual>
                     : table.max_path <= chain ? worst_error<chain>
                                               : worst_error<longest_accepted>;
    worst = run(function, user, table, q);
  });
  return worst;
}

}  // namespace featherline::verify
