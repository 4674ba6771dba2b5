#include "simulations/simulation.hpp"

#include "formats/reader.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace featherline::bench {

namespace {

using catalog::State;
using Eigen::VectorXd;

/// With the constraints of the description. Throws InputError.
model::UserTree tree_of(description::Description description, Diagnostics& findings) {
  return build_robot(std::move(description), {}, findings).tree;
}

/// Links of 0.2 kg and 80 mm, whose axes are y and z in turn.
std::string long_arm(int joints) {
  std::string urdf = R"(<robot name="arm50"><link name="link0"/>)";
  for (int k = 1; k <= joints; ++k) {
    urdf += fmt::format(
        R"(<joint name="joint{0}" type="continuous"><parent link="link{1}"/><child link="link{0}"/>)"
        R"(<origin xyz="0 0 {2}"/><axis xyz="{3}"/></joint><link name="link{0}"><inertial>)"
        R"(<origin xyz="0 0 0.04"/><mass value="0.2"/>)"
        R"(<inertia ixx="0.00015" ixy="0" ixz="0" iyy="0.00015" iyz="0" izz="0.00006"/></inertial></link>)",
        k, k - 1, k == 1 ? "0.1" : "0.08", k % 2 == 0 ? "0 1 0" : "0 0 1");
  }
  return urdf + "</robot>";
}

/// What the controller takes the robot for: bodies of half to one and a half times the mass. So the joints disturb each
/// other, and accelerations differ from those wanted.
model::UserTree with_wrong_masses(model::UserTree tree) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const double factor = 1.0 + 0.5 * std::sin(1.0 + 2.0 * static_cast<double>(i));
    model::Inertia& inertia = tree.bodies[i].inertia;
    inertia.mass *= factor;
    inertia.h *= factor;
    inertia.J *= factor;
  }
  return tree;
}

class Simulation {
 public:
  explicit Simulation(const SimulatedRobot& robot)
      : robot_(robot),
        wrong_(with_wrong_masses(robot.tree)),
        solver_(robot.tree),
        controller_(wrong_),
        constrained_(robot.row.size() > 0 ? reference::find_outputs("constrained_dynamics") : nullptr) {}

  std::vector<State> run(double seconds) {
    State x;
    x.q = VectorXd::Zero(robot_.tree.nq);
    x.v = VectorXd::Zero(robot_.tree.nv);
    x.active = VectorXd::Ones(robot_.tree.constraints.count());
    reference::set_defaults(robot_.tree, x);
    std::vector<State> samples;
    for (double t = 0.0; t < seconds; t += step) {
      drive(x, t);
      samples.push_back(x);
      State middle = x;
      middle.q = reference::integrate(robot_.tree, x.q, VectorXd(0.5 * step * x.v));
      middle.v += 0.5 * step * x.a;
      drive(middle, t + 0.5 * step);
      x.q = reference::integrate(robot_.tree, x.q, VectorXd(step * middle.v));
      x.v += step * middle.a;
    }
    return samples;
  }

 private:
  /// Sets the torques of the controller, and the accelerations.
  void drive(State& x, double t) {
    VectorXd wanted(robot_.tree.nv);
    for (int k = 0; k < robot_.tree.nv; ++k) {
      const double size = 0.5, w = 2.0 + 0.37 * k, phase = 0.9 * k;
      wanted[k] = size * w * std::cos(w * t + phase) + 5.0 * (size * std::sin(w * t + phase) - x.v[k]);
    }
    x.tau = controller_.rnea(x.q, x.v, wanted);
    if (constrained_ == nullptr) {
      x.a = solver_.aba(x.q, x.v, x.tau);
    } else {
      const std::vector<double> a = constrained_->compute(robot_.tree, x).front().values;
      x.a = Eigen::Map<const VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
    }
  }

  const SimulatedRobot& robot_;
  model::UserTree wrong_;
  reference::Solver<double> solver_, controller_;
  const reference::OutputFunction* constrained_;
};

}  // namespace

std::vector<SimulatedRobot> simulated_robots(const std::string& robots) {
  Diagnostics findings;
  const auto from_file = [&](const std::string& name) {
    return tree_of(formats::read_file(robots + "/" + name + ".urdf", findings), findings);
  };
  std::vector<SimulatedRobot> list;
  list.push_back(
      {"arm with 50 joints", tree_of(formats::read_string(long_arm(50), "arm50", findings), findings), {}});
  list.push_back({"holonomic mobile manipulator", from_file("holonomic_mobile_manipulator"), {}});
  list.push_back({"non-holonomic mobile manipulator", from_file("nonholonomic_mobile_manipulator"), {}});
  // The wheels forbid the second entry of the base's velocity, along y of the base.
  list.back().row = Eigen::RowVectorXd::Unit(list.back().tree.nv, 1);
  return list;
}

std::vector<State> simulate(const SimulatedRobot& robot, double seconds) {
  return Simulation(robot).run(seconds);
}

double multiple_correlation(const std::vector<Waveform>& waveforms) {
  const double W = static_cast<double>(waveforms.size());
  const double T = static_cast<double>(waveforms.front().size());
  Waveform mean_at(waveforms.front().size(), 0.0);
  double mean = 0.0;
  for (const Waveform& x : waveforms) {
    for (std::size_t t = 0; t < x.size(); ++t) {
      mean_at[t] += x[t] / W;
      mean += x[t] / (W * T);
    }
  }
  double apart = 0.0, total = 0.0;
  for (const Waveform& x : waveforms) {
    for (std::size_t t = 0; t < x.size(); ++t) {
      apart += std::pow(x[t] - mean_at[t], 2);
      total += std::pow(x[t] - mean, 2);
    }
  }
  if (total == 0.0) return 1.0;
  return std::sqrt(std::max(0.0, 1.0 - apart / (T * (W - 1.0)) / (total / (W * T - 1.0))));
}

Waveform low_passed(const Waveform& x, double cutoff, double interval) {
  const double w = std::tan(std::numbers::pi * cutoff * interval);
  const double gain = w * w / (1.0 + std::numbers::sqrt2 * w + w * w);
  const double a1 = 2.0 * (w * w - 1.0) / (1.0 + std::numbers::sqrt2 * w + w * w);
  const double a2 = (1.0 - std::numbers::sqrt2 * w + w * w) / (1.0 + std::numbers::sqrt2 * w + w * w);
  Waveform y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto input = [&](std::size_t back) { return k < back ? x.front() : x[k - back]; };
    const auto output = [&](std::size_t back) { return k < back ? x.front() : y[k - back]; };
    y[k] = gain * (input(0) + 2.0 * input(1) + input(2)) - a1 * output(1) - a2 * output(2);
  }
  return y;
}

Waveform forward_differences(const Waveform& x, double interval) {
  Waveform rate;
  for (std::size_t k = 0; k + 2 < x.size(); ++k)
    rate.push_back((-3.0 * x[k] + 4.0 * x[k + 1] - x[k + 2]) / (2.0 * interval));
  return rate;
}

}  // namespace featherline::bench
