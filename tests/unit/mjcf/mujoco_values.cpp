#include "unit/mjcf/mujoco_values.hpp"

#include "coming_from_mujoco/convert.hpp"
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "model/constraints.hpp"
#include "reference/expected.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <fstream>
#include <tuple>

namespace featherline::test {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
using nlohmann::json;

VectorXd vector(const json& values) {
  const auto entries = values.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(entries.data(), static_cast<Index>(entries.size()));
}

MatrixXd matrix(const json& values, Index rows, Index columns) {
  const VectorXd entries = vector(values);
  REQUIRE(entries.size() == rows * columns);
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(entries.data(), rows, columns);
}

Quaterniond quaternion(const VectorXd& wxyz) { return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]}; }

/// MuJoCo finds principal axes of meshes to about 1e-9.
constexpr double exact = 1e-10, of_meshes = 1e-9;

/// Relative to the largest entry of what MuJoCo has.
template <class A, class B>
void check_equal(const char* what, const A& found, const B& expected, double least = 1e-9,
                 double bound = exact) {
  const MatrixXd x = found, y = expected;
  REQUIRE(x.size() == y.size());
  INFO(what, "\nfound\n", x, "\nexpected\n", y);
  CHECK(reference::array_error(x.reshaped(), y.reshaped(), least).relative < bound);
}

class Comparison {
 public:
  Comparison(const std::filesystem::path& model, const std::filesystem::path& values)
      : values_(json::parse(std::ifstream(values))) {
    Diagnostics findings;
    robot_ = formats::read_file(model.string(), findings);
    if (!findings.has_errors()) tree_ = tree(model::JointDynamics::off, findings);
    if (!findings.has_errors())
      tree_.constraints.all = model::build_constraints(robot_, tree_, 0.0, findings);
    tree_.constraints.number_rows();
    INFO(format_text(findings));
    REQUIRE_FALSE(findings.has_errors());
    const json names = values_["bodies"]["name"];
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = names[i].is_null() ? "body_" + std::to_string(i) : names[i].get<std::string>();
      links_.push_back(model::find_named(tree_.links, name));
      INFO("body ", name);
      REQUIRE(links_.back() >= 0);
    }
  }

  void run() {
    REQUIRE(tree_.nq == values_["nq"].get<int>());
    REQUIRE(tree_.nv == values_["nv"].get<int>());
    check_bodies();
    check_joints();
    check_keyframes();
    for (const json& state : values_.value("states", json::array())) check_state(state);
  }

 private:
  int num_bodies() const { return values_["nbody"]; }
  int num_joints() const { return values_["njnt"]; }
  std::string type(int j) const { return values_["joints"]["type"][static_cast<std::size_t>(j)]; }
  int entry(const char* what, int j) const { return values_["joints"][what][static_cast<std::size_t>(j)]; }

  bool has_mesh(const std::string& body) const {
    if (!values_.contains("mesh_inertia_bodies")) return false;
    const json moving = values_["mesh_inertia_bodies"].value("moving", json::array());
    return std::find(moving.begin(), moving.end(), body) != moving.end();
  }

  void check_bodies() const {
    const json& bodies = values_["bodies"];
    const VectorXd mass = vector(bodies["mass"]), ipos = vector(bodies["ipos"]),
                   iquat = vector(bodies["iquat"]), moments = vector(bodies["inertia"]),
                   lifted = bodies.contains("gravcomp") ? vector(bodies["gravcomp"])
                                                        : VectorXd(VectorXd::Zero(num_bodies()));
    for (int i = 1; i < num_bodies(); ++i) {
      const auto& link = robot_.links[static_cast<std::size_t>(links_[static_cast<std::size_t>(i)])];
      INFO("body ", link.name);
      const description::Inertial found = link.inertial.value_or(description::Inertial{});
      const Matrix3d R = description::rotation(found.origin),
                     A = quaternion(iquat.segment(4 * i, 4)).toRotationMatrix();
      CHECK(std::abs(found.mass - mass[i]) <= 1e-10 * mass[i]);
      CHECK(link.gravcomp == lifted[i]);
      if (mass[i] == 0.0) continue;
      check_equal("centre of mass", found.origin.xyz, ipos.segment(3 * i, 3), 1e-3);
      check_equal("inertia", Matrix3d(R * found.inertia * R.transpose()),
                  Matrix3d(A * moments.segment(3 * i, 3).asDiagonal() * A.transpose()), 1e-15,
                  has_mesh(link.name) ? of_meshes : exact);
    }
  }

  /// Joints in MuJoCo's order: those of the tree, which are its bodies.
  const description::Joint& joint(int j) const {
    const std::string& name = tree_.bodies[static_cast<std::size_t>(j)].joint.name;
    return robot_.joints[static_cast<std::size_t>(model::find_named(robot_.joints, name))];
  }

  MatrixXd armature_of_tendons() const {
    MatrixXd M = MatrixXd::Zero(tree_.nv, tree_.nv);
    for (const description::Tendon& tendon : robot_.tendons) {
      VectorXd c = VectorXd::Zero(tree_.nv);
      for (const auto& [name, coefficient] : tendon.joints) {
        for (const model::Body& body : tree_.bodies) {
          if (body.joint.name == name) c[body.joint.idx_v] += coefficient;
        }
      }
      M += tendon.dynamics.armature * c * c.transpose();
    }
    return M;
  }

  void check_joints() const {
    const json& dofs = values_["dofs"];
    VectorXd armature = vector(dofs["armature"]);
    const VectorXd damping = vector(dofs["damping"]), friction = vector(dofs["frictionloss"]),
                   rest = vector(values_["qpos_spring"]);
    const json states = values_.value("states", json::array());
    if (!states.empty() && states[0].contains("extra_armature_M")) {  // that of actuators and tendons
      const MatrixXd extra =
          matrix(states[0]["extra_armature_M"], tree_.nv, tree_.nv) - armature_of_tendons();
      check_equal("armature between joints", MatrixXd(extra - MatrixXd(extra.diagonal().asDiagonal())),
                  MatrixXd::Zero(tree_.nv, tree_.nv), 1.0);
      armature += extra.diagonal();
    }
    const json& joints = values_["joints"];
    const VectorXd stiffness =
        joints.contains("stiffness") ? vector(joints["stiffness"]) : VectorXd::Zero(num_joints());
    const VectorXd range = vector(joints["range"]);
    REQUIRE(num_joints() == static_cast<int>(tree_.bodies.size()));
    for (int j = 0; j < num_joints(); ++j) {
      const description::Joint& found = joint(j);
      const json& name = values_["joints"]["name"][static_cast<std::size_t>(j)];
      if (!name.is_null()) CHECK(found.name == name.get<std::string>());
      INFO("joint ", found.name);
      const model::Joint& built = tree_.bodies[static_cast<std::size_t>(j)].joint;
      CHECK(built.idx_q == entry("qposadr", j));
      CHECK(built.idx_v == entry("dofadr", j));
      const description::Dynamics dynamics = found.dynamics.value_or(description::Dynamics{});
      const int dof = built.idx_v;
      check_equal("dynamics",
                  Eigen::Vector4d(dynamics.armature, dynamics.damping, dynamics.friction, dynamics.stiffness),
                  Eigen::Vector4d(armature[dof], damping[dof], friction[dof], stiffness[j]));
      if (built.nq != 1) continue;
      if (dynamics.stiffness != 0.0) CHECK(std::abs(dynamics.rest - rest[built.idx_q]) < 1e-10);
      const bool is_limited = entry("limited", j) != 0;
      REQUIRE((built.limits.lower > -model::Limits::infinity) == is_limited);
      if (is_limited)
        check_equal("range", Eigen::Vector2d(built.limits.lower, built.limits.upper),
                    range.segment(2 * j, 2));
    }
  }

  std::vector<JointInfo> joints() const {
    std::vector<JointInfo> infos;
    for (const model::Body& body : tree_.bodies) {
      JointInfo info{};
      info.type = body.joint.type;
      info.idx_q = body.joint.idx_q;
      info.nq = body.joint.nq;
      info.idx_v = body.joint.idx_v;
      info.nv = body.joint.nv;
      infos.push_back(info);
    }
    return infos;
  }

  VectorXd our_q(const json& qpos) const {
    return vector(coming_from_mujoco::q_from_qpos(joints(), qpos.get<std::vector<double>>()));
  }

  void check_keyframes() const {
    for (const json& key : values_.value("keyframes", json::array())) {
      if (!key.contains("name")) continue;
      const int found = model::find_named(robot_.positions, key["name"].get<std::string>());
      REQUIRE(found >= 0);
      const auto& q = robot_.positions[static_cast<std::size_t>(found)].q;
      check_equal("keyframe", Eigen::Map<const VectorXd>(q.data(), static_cast<Index>(q.size())),
                  our_q(key["qpos"]));
    }
  }

  /// T: from velocities of ours to those of MuJoCo.
  MatrixXd to_mujoco(const VectorXd& qpos) const {
    MatrixXd T = MatrixXd::Identity(tree_.nv, tree_.nv);
    for (int j = 0; j < num_joints(); ++j) {
      if (type(j) == "free")
        T.block<3, 3>(entry("dofadr", j), entry("dofadr", j)) =
            quaternion(qpos.segment(entry("qposadr", j) + 3, 4)).toRotationMatrix();
    }
    return T;
  }

  void check_state(const json& state) {
    reference::Solver<double> solver(tree_);
    const VectorXd q = our_q(state["qpos"]);
    const std::vector<JointInfo> infos = joints();
    const auto ours = [&](const char* what) {
      return coming_from_mujoco::v_from_qvel(infos, q.data(), state[what].get<std::vector<double>>());
    };
    const MatrixXd T = to_mujoco(vector(state["qpos"])), M = matrix(state["M"], tree_.nv, tree_.nv);
    const std::vector<double> v = ours("qvel"), none(v.size(), 0.0);
    const auto a_of = [&](const std::vector<double>& qacc) {
      return vector(coming_from_mujoco::a_from_qacc(infos, q.data(), v.data(), qacc));
    };
    check_there_and_back(state, q, v);
    check_poses(state, solver, q);
    const double bound = values_.contains("mesh_inertia_bodies") ? of_meshes : exact;
    check_equal("M", solver.crba(q), T.transpose() * M * T, 1e-9, bound);
    check_equal("bias", solver.rnea(q, vector(v), a_of(none)), vector(ours("bias")), 1e-9, bound);
    check_equal("rnea", solver.rnea(q, vector(v), a_of(state["qacc"])), vector(ours("rnea")), 1e-9, bound);
    check_equal("gravity", solver.gravity(q), vector(ours("gravity")), 1e-9, bound);
    check_drives(state, q, vector(v), a_of(state["qacc"]), bound);
    if (state.contains("equality")) check_equalities(state, solver, q, T);
  }

  model::UserTree tree(std::optional<model::JointDynamics> dynamics, Diagnostics& findings) const {
    model::BuildOptions options;
    options.snap_tolerance = 0.0;
    options.mimic_independent = true;
    options.joint_dynamics = dynamics;
    return model::build_tree(robot_, options, findings);
  }

  /// Rotors by default, and what springs and dampers add, in inverse dynamics. MuJoCo's friction is a constraint.
  void check_drives(const json& state, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                    double bound) const {
    const auto ours = [&](const json& tau) {
      return vector(coming_from_mujoco::v_from_qvel(joints(), q.data(), tau.get<std::vector<double>>()));
    };
    Diagnostics findings, of_all;
    const model::UserTree rotors = tree({}, findings);
    REQUIRE_FALSE(findings.has_errors());
    const VectorXd tau = ours(state["tau"]);
    check_equal("tau", reference::Solver<double>(rotors).rnea(q, v, a), tau, 1e-9, bound);
    model::UserTree all = tree(model::JointDynamics::model, of_all);
    INFO(format_text(of_all));
    REQUIRE_FALSE(of_all.has_errors());
    for (model::Body& body : all.bodies) body.joint.friction = 0.0;
    for (model::Tendon& tendon : all.tendons) tendon.friction = 0.0;
    model::share_lift(all);
    VectorXd passive = VectorXd::Zero(tau.size());
    for (const char* what : {"spring", "damper", "gravcomp"}) {
      if (state["passive"].contains(what)) passive += ours(state["passive"][what]);
    }
    check_equal("tau of all", reference::Solver<double>(all).rnea(q, v, a), tau - passive, 1e-9, bound);
    check_equal("inverse", reference::Solver<double>(all).aba(q, v, tau - passive), a, 1e-9, 1e-6);
  }

  void check_there_and_back(const json& state, const VectorXd& q, const std::vector<double>& v) const {
    using namespace coming_from_mujoco;
    const std::vector<JointInfo> infos = joints();
    const std::vector<double> qacc = state["qacc"];
    check_equal("qpos", vector(qpos_from_q(infos, {q.begin(), q.end()})), vector(state["qpos"]));
    check_equal("qvel", vector(qvel_from_v(infos, q.data(), v)), vector(state["qvel"]));
    check_equal("qacc",
                vector(qacc_from_a(infos, q.data(), v.data(), a_from_qacc(infos, q.data(), v.data(), qacc))),
                vector(qacc));
  }

  void check_poses(const json& state, reference::Solver<double>& solver, const VectorXd& q) const {
    const VectorXd xpos = vector(state["xpos"]), xquat = vector(state["xquat"]);
    const auto bodies = solver.body_poses(q);
    const auto pose = [&](int link) {
      return reference::pose_of(tree_.links[static_cast<std::size_t>(link)], bodies);
    };
    for (int i = 0; i < num_bodies(); ++i) {
      const auto X = pose(links_[static_cast<std::size_t>(i)]);
      INFO("body ", tree_.links[static_cast<std::size_t>(links_[static_cast<std::size_t>(i)])].name);
      check_equal("place", X.p, xpos.segment(3 * i, 3), 1.0);
      check_equal("rotation", X.R, quaternion(xquat.segment(4 * i, 4)).toRotationMatrix());
    }
    if (!state.contains("site_xpos")) return;
    const VectorXd sites = vector(state["site_xpos"]);
    for (Index s = 0; s < sites.size() / 3; ++s) {
      const json& name = values_["sites"]["name"][static_cast<std::size_t>(s)];
      if (name.is_null()) continue;
      const int found = model::find_named(robot_.frames, name.get<std::string>());
      REQUIRE(found >= 0);
      const description::Frame& frame = robot_.frames[static_cast<std::size_t>(found)];
      const auto X = pose(model::find_named(tree_.links, frame.link));
      check_equal("site", Vector3d(X.p + X.R * frame.origin.xyz), sites.segment(3 * s, 3), 1.0);
    }
  }

  void check_equalities(const json& state, reference::Solver<double>& solver, const VectorXd& q,
                        const MatrixXd& T) {
    const json& rows = state["equality"];
    const VectorXd pos = vector(rows["pos"]);
    const MatrixXd J = matrix(rows["J"], pos.size(), tree_.nv) * T;
    std::size_t loop = 0;
    for (Index row = 0; row < pos.size();) {
      const json& equality =
          values_["equality"][rows["id"][static_cast<std::size_t>(row)].get<std::size_t>()];
      INFO("equality ", equality.dump());
      if (equality["type"] == "joint") {
        check_coupling(q, pos[row], J.row(row), equality["obj1"], equality["obj2"].is_null());
        ++row;
        continue;
      }
      REQUIRE(loop < tree_.constraints.all.size());
      const bool is_weld = equality["type"] == "weld";
      check_loop(tree_.constraints.all[loop++], solver, q, pos.segment(row, is_weld ? 6 : 3),
                 J.middleRows(row, 3));
      row += is_weld ? 6 : 3;
    }
    CHECK(loop == tree_.constraints.all.size());
  }

  void check_coupling(const VectorXd& q, double residual, const VectorXd& J, const std::string& name,
                      bool is_alone) const {
    const int j = model::find_named(robot_.joints, name);
    REQUIRE(j >= 0);
    const auto& [mimic, held] = std::tie(robot_.joints[static_cast<std::size_t>(j)].mimic,
                                         robot_.joints[static_cast<std::size_t>(j)].held);
    REQUIRE(held.has_value() == is_alone);
    REQUIRE(mimic.has_value() != is_alone);
    const auto body_of = [&](const std::string& joint) {
      const auto is_it = [&](const model::Body& body) { return body.joint.name == joint; };
      return std::find_if(tree_.bodies.begin(), tree_.bodies.end(), is_it)->joint;
    };
    const model::Joint first = body_of(name);
    if (is_alone) {
      CHECK(std::abs(q[first.idx_q] - *held - residual) < 1e-10);
      return check_equal("held", VectorXd::Unit(tree_.nv, first.idx_v), J);
    }
    const model::Joint second = body_of(mimic->joint);
    CHECK(std::abs(q[first.idx_q] - mimic->multiplier * q[second.idx_q] - mimic->offset - residual) < 1e-10);
    VectorXd expected = VectorXd::Zero(tree_.nv);
    expected[first.idx_v] = 1.0;
    expected[second.idx_v] = -mimic->multiplier;
    check_equal("coupling", expected, J);
  }

  /// MuJoCo has p1 - p2 in world axes, and for a weld the vector part of a quaternion.
  void check_loop(const model::Constraint& constraint, reference::Solver<double>& solver, const VectorXd& q,
                  const VectorXd& residual, const MatrixXd& J) const {
    const auto bodies = solver.body_poses(q);
    reference::Pose<double> X[2];
    MatrixXd rows[2];
    for (std::size_t k = 0; k < 2; ++k) {
      model::Link link = tree_.links[static_cast<std::size_t>(constraint.anchors[k].link)];
      link.placement = link.placement * constraint.anchors[k].placement;
      X[k] = reference::pose_of(link, bodies);
      rows[k] = solver.frame_jacobian(bodies, link, reference::Frame::local_world_aligned).topRows(3);
    }
    check_equal("residual", Vector3d(X[0].p - X[1].p), residual.head(3), 1.0);
    check_equal("rows of a loop", rows[0] - rows[1], J);
    if (residual.size() == 3) return;
    const Vector3d turn = (Quaterniond(X[1].R).conjugate() * Quaterniond(X[0].R)).vec(),
                   expected = residual.tail(3);
    CHECK(std::min((turn - expected).norm(), (turn + expected).norm()) < 1e-10);
  }

  json values_;
  description::Description robot_;
  model::UserTree tree_;
  std::vector<int> links_;
};

}  // namespace

void compare_with_mujoco(const std::filesystem::path& model, const std::filesystem::path& values) {
  INFO("model ", model.string());
  Comparison(model, values).run();
}

}  // namespace featherline::test
