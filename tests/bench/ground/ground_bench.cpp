// A robot lands on a plane and stands for a second, held by springs and dampers at its joints: the time of a whole
// step, by contact_step_warm, contact_step and mj_step (which is warm, too), with the same spheres at the feet.
// MuJoCo's contacts are soft, with friction by pyramids (its default) or by cones; ours are hard, with cones. So the
// motions differ a little; the columns say how far.
//   bench_ground [RUNS]
#include <ground_humanoid.hpp>
#include <ground_quadruped.hpp>

#include "pipeline.hpp"
#ifdef FEATHERLINE_BENCH_MUJOCO
#include "peers/mujoco_model.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace {

using featherline::model::UserTree;
using Numbers = std::vector<double>;
constexpr double dt = 1e-3, friction = 0.8, radius = 0.02;
constexpr int steps = 1000, base_q = 7, base_v = 6;

/// The functions of one robot.
struct Emitted {
  std::string name, contacts;
  int nq, nv, points;
  const double* neutral;
  void (*positions)(const double*, double*);
  void (*contact_step)(const double*, const double*, const double*, double, const double*, double*, double*,
                       double*, double*);
  void (*contact_step_warm)(const double*, const double*, const double*, double, const double*, const double*,
                            double*, double*, double*, double*);
  void (*step)(const double*, const double*, const double*, double, double*, double*);
};

// clang-format off
#define EMITTED(robot)                                                              \
  Emitted {                                                                         \
    #robot, FEATHERLINE_SPHERES_OF_##robot, ground_##robot::nq, ground_##robot::nv, \
        ground_##robot::num_constraints, ground_##robot::neutral,                   \
        ground_##robot::frame_kinematics<double>, ground_##robot::contact_step<double>, \
        ground_##robot::contact_step_warm<double>, ground_##robot::step<double> \
  }
// clang-format on

/// What a run took, and where it ended.
struct Course {
  double ns = 0.0;       ///< a step
  double height = 0.0;   ///< of the base at the end
  double deepest = 0.0;  ///< how far a sphere is below the ground at the end
};

/// Springs and dampers at all joints.
struct Holding {
  Numbers start;
  double kp, kd;

  Holding(const Emitted& robot, double stiffness, double damping)
      : start(robot.neutral, robot.neutral + robot.nq), kp(stiffness), kd(damping) {
    if (robot.name == "quadruped") {
      for (int leg = 0; leg < 4; ++leg) {
        start[static_cast<std::size_t>(base_q + 3 * leg + 1)] = 0.8;
        start[static_cast<std::size_t>(base_q + 3 * leg + 2)] = -1.6;
      }
    }
    Numbers p(static_cast<std::size_t>(3 * robot.points));
    robot.positions(start.data(), p.data());
    double lowest = p[2];
    for (std::size_t k = 2; k < p.size(); k += 3) lowest = std::min(lowest, p[k]);
    start[2] = radius + 0.01 - lowest;
  }

  void torques(const double* q, const double* v, double* tau) const {
    for (std::size_t k = base_v; k + 1 < start.size(); ++k)
      tau[k] = kp * (start[k + 1] - q[k + 1]) - kd * v[k];
  }
};

/// Of this program alone, as other work on the machine does not count.
double ns_since(std::clock_t start) {
  return 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / steps;
}

double deepest_sphere(const Emitted& robot, const double* q) {
  Numbers p(static_cast<std::size_t>(3 * robot.points));
  robot.positions(q, p.data());
  double deepest = 0.0;
  for (std::size_t k = 2; k < p.size(); k += 3) deepest = std::max(deepest, radius - p[k]);
  return deepest;
}

enum class With { warm, cold, no_ground, gaps_alone };

Course run_ours(const Emitted& robot, const Holding& hold, With with) {
  const auto points = static_cast<std::size_t>(robot.points);
  Numbers q = hold.start, v(static_cast<std::size_t>(robot.nv), 0.0), q_next = q, v_next = v, tau = v;
  Numbers p(3 * points), contact(6 * points, 0.0), impulse(3 * points, 0.0), start_with = impulse,
                                                                             status(4 + points);
  for (std::size_t k = 0; k < points; ++k) {
    contact[6 * k + 3] = 1.0;
    contact[6 * k + 4] = friction;
  }
  const std::clock_t start = std::clock();
  for (int step = 0; step < steps; ++step) {
    hold.torques(q.data(), v.data(), tau.data());
    robot.positions(q.data(), p.data());
    for (std::size_t k = 0; k < points; ++k) contact[6 * k] = p[3 * k + 2] - radius;
    if (with == With::gaps_alone) continue;
    if (with == With::warm) {
      robot.contact_step_warm(q.data(), v.data(), tau.data(), dt, contact.data(), start_with.data(),
                              q_next.data(), v_next.data(), impulse.data(), status.data());
      start_with.swap(impulse);
    } else if (with == With::cold) {
      robot.contact_step(q.data(), v.data(), tau.data(), dt, contact.data(), q_next.data(), v_next.data(),
                         impulse.data(), status.data());
    } else {
      robot.step(q.data(), v.data(), tau.data(), dt, q_next.data(), v_next.data());
    }
    q.swap(q_next);
    v.swap(v_next);
  }
  const double ns = ns_since(start);
  return {ns, q[2], deepest_sphere(robot, q.data())};
}

#ifdef FEATHERLINE_BENCH_MUJOCO
Course run_mujoco(const Emitted& robot, const Holding& hold, const mjModel* m) {
  const featherline::bench::MujocoData data(mj_makeData(m));
  mjData* d = data.get();
  std::copy(hold.start.begin(), hold.start.end(), d->qpos);
  std::rotate(d->qpos + 3, d->qpos + 6, d->qpos + 7);
  const std::clock_t start = std::clock();
  for (int step = 0; step < steps; ++step) {
    hold.torques(d->qpos, d->qvel, d->qfrc_applied);
    mj_step(m, d);
  }
  const double ns = ns_since(start);
  std::rotate(d->qpos + 3, d->qpos + 4, d->qpos + 7);
  return {ns, d->qpos[2], deepest_sphere(robot, d->qpos)};
}
#endif

template <class Run>
void print_best(const Emitted& robot, const std::string& what, int runs, double& ours, const Run& run) {
  Course best = run();
  for (int k = 1; k < runs; ++k) best.ns = std::min(best.ns, run().ns);
  if (ours == 0.0) ours = best.ns;
  fmt::print("| {} ({}) | {} | {} | {:.2f} | {:.1f} | {:.4f} | {:.1e} |\n", robot.name, robot.nv,
             robot.points, what, best.ns / 1e3, best.ns / ours, best.height, best.deepest);
}

void measure(const Emitted& robot, double stiffness, double damping, int runs) {
  const Holding hold(robot, stiffness, damping);
  double ours = 0.0;
  for (const auto& [what, with] : {std::pair{"`contact_step_warm`", With::warm},
                                   {"`contact_step`", With::cold},
                                   {"`step`, without the ground", With::no_ground},
                                   {"torques and gaps alone", With::gaps_alone}}) {
    print_best(robot, what, runs, ours, [&, by = with] { return run_ours(robot, hold, by); });
  }
#ifdef FEATHERLINE_BENCH_MUJOCO
  featherline::Options options;
  options.build.floating_base = true;
  options.contacts = featherline::model::parse_contacts(robot.contacts);
  featherline::Diagnostics findings;
  const UserTree tree =
      featherline::read_robot(std::string(FEATHERLINE_ROBOTS) + "/" + robot.name + ".urdf", options, findings)
          .tree;
  const featherline::bench::MujocoModel m = featherline::bench::build_mujoco_on_plane(tree, dt, friction);
  for (const int cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
    m->opt.cone = cone;
    print_best(robot, cone == mjCONE_PYRAMIDAL ? "`mj_step`, pyramids" : "`mj_step`, cones", runs, ours,
               [&] { return run_mujoco(robot, hold, m.get()); });
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
  fmt::print(
      "A step of {} ms on a plane, in the mean of {} steps from a fall of 1 cm to standing; the best of {} "
      "runs.\n",
      1e3 * dt, steps, runs);
#ifdef FEATHERLINE_BENCH_MUJOCO
  fmt::print("Beside MuJoCo {}: its contacts are soft, ours are hard.\n", mj_versionString());
#else
  fmt::print("MuJoCo is not installed.\n");
#endif
  fmt::print(
      "\n| robot (nv) | spheres | step | us | times ours | height at the end [m] | deepest sphere [m] |\n");
  fmt::print("| --- | --: | --- | --: | --: | --: | --: |\n");
  measure(EMITTED(quadruped), 100.0, 0.8, runs);
  measure(EMITTED(humanoid), 300.0, 1.0, runs);
}
