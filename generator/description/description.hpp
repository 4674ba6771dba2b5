#pragma once

#include "joints/constraint_table.hpp"
#include "joints/joint_table.hpp"

#include <Eigen/Core>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The robot as its file describes it: plain values in document order, with their line numbers. Some values that are
/// easily computed from them are here, too. No frame is moved and nothing is merged here; model/ does that. Readers of
/// all formats fill it (formats/).
namespace featherline::description {

using model::JointType;

/// Pose of a child frame in its parent: a translation `xyz` [m], and a rotation, as the file gives it.
struct Origin {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();  ///< fixed-axis roll, pitch, yaw [rad]
  std::optional<std::array<double, 4>> quat_xyzw =
      {};  ///< of unit length; if it is there, rpy does not count
  int line = 0;
};

/// Takes components in the child frame to components in its parent.
Eigen::Matrix3d rotation(const Origin& origin);

struct Inertial {
  double mass = 0.0;  ///< [kg]
  Origin origin;      ///< centre of mass and inertia axes in the link frame
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();  ///< [kg m^2] about the centre of mass, in `origin`'s axes
  int line = 0;
  int mass_line = 0, inertia_line = 0;  ///< 0 if the value could not be read
};

struct Link {
  static constexpr const char* element = "link";
  std::string name;
  int line = 0;
  std::optional<Inertial> inertial = {};
  std::string file = {};  ///< where it stands, if that is not the main file
  /// The part of its weight that a force at the centre of mass lifts; more than 1 lifts more than the weight.
  double gravcomp = 0.0;
};

struct Limits {
  std::optional<double> lower, upper;  ///< [rad] or [m]
  double velocity = 0.0;               ///< [rad/s] or [m/s]
  double effort = 0.0;                 ///< [N m] or [N]
  int line = 0;
  std::optional<double> acceleration = {}, deceleration = {};  ///< [rad/s^2] or [m/s^2]
  std::optional<double> jerk = {};                             ///< [rad/s^3] or [m/s^3]
};

struct Mimic {
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;
  int line = 0;
};

struct Dynamics {
  double damping = 0.0;    ///< [N m s/rad] or [N s/m]
  double friction = 0.0;   ///< [N m] or [N]
  double armature = 0.0;   ///< inertia of the rotor at the joint [kg m^2] or [kg]
  double stiffness = 0.0;  ///< of a spring [N m/rad] or [N/m]
  double rest = 0.0;       ///< where the spring is at rest [rad] or [m]
  std::array<double, 7> rest_pose = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};  ///< the same of a free joint
  std::string left_out = {};  ///< a force that belongs here and is not read
  int line = 0;
};

/// A cable whose length is a sum of joints' coordinates, each times a coefficient.
/// What `dynamics` has acts on the length.
struct Tendon {
  static constexpr const char* element = "tendon";
  std::string name;
  int line = 0;
  std::vector<std::pair<std::string, double>> joints;  ///< with one coordinate; by name
  Dynamics dynamics;
  std::string file = {};  ///< where it stands, if that is not the main file
};

struct Joint {
  static constexpr const char* element = "joint";
  std::string name;
  int line = 0;
  JointType type = JointType::fixed;
  std::string parent, child;                         ///< link names
  Origin origin;                                     ///< joint frame in the parent link frame
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   ///< unit vector in the joint frame
  Eigen::Vector3d axis2 = Eigen::Vector3d::UnitY();  ///< second axis, of types that have one
  double pitch = 0.0;                                ///< for a screw [m/rad]
  std::optional<Limits> limits;
  std::optional<Mimic> mimic;
  std::optional<double> held = {};  ///< where the robot holds it; like a mimic, it may be made independent
  std::optional<Dynamics> dynamics;
  int parent_line = 0, child_line = 0, axis_line = 0, extension_line = 0;  ///< 0: no such element

  /// What the joint was before the user locked it, and where it stays: entries of q. Its type is then fixed
  /// (model/build_tree.hpp). No file has this.
  struct Locked {
    JointType type;
    std::vector<double> position;
  };
  std::optional<Locked> locked;
  std::string file = {};  ///< where it stands, if that is not the main file
};

/// One end of a constraint: a frame in a link.
struct ConstraintEnd {
  std::string link;
  Origin origin;
  int line = 0;
};

/// <featherline_constraint>: a loop between two links, a wheel, or a link that does not slide.
struct Constraint {
  static constexpr const char* element = "featherline_constraint";
  std::string name;
  int line = 0;
  std::optional<model::ConstraintType> type;        ///< nothing for a coupling, and after an error
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit, in the frames of the ends
  double radius = 0.0;                              ///< of a wheel [m]
  std::vector<ConstraintEnd> ends;
  std::string file = {};  ///< where it stands, if that is not the main file

  /// Of a coupling: the sum of coefficient * position over these joints is `offset`.
  struct Term {
    std::string joint;
    double coefficient = 1.0;
    int line = 0;
  };
  std::vector<Term> terms = {};
  double offset = 0.0;

  bool eliminate = false;                     ///< it leaves fewer coordinates, and no constraint
  std::vector<std::string> independent = {};  ///< joints whose coordinates stay; empty: the usual ones
  int branch = 0;                             ///< 1 or -1: which way a loop is assembled; 0: as at zero
};

/// <featherline_rotor>: what turns inside a link behind a gear while its joint moves. It is symmetric about its axis.
struct Rotor {
  static constexpr const char* element = "featherline_rotor";
  std::string name;  ///< of its joint
  int line = 0;
  std::string carrier = {};                  ///< link in which it turns; empty: the parent link of the joint
  double gear_ratio = 1.0;                   ///< turns of the rotor in its carrier by turns of the joint
  double inertia = 0.0;                      ///< about its axis [kg m^2]
  std::optional<Eigen::Vector3d> axis = {};  ///< unit, in the carrier; nothing: that of the joint at zero
  double mass = 0.0;                         ///< that the inertia of the carrier leaves out [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();  ///< of this mass, in the carrier [m]
  double transverse_inertia = 0.0;                ///< of this mass, about axes across [kg m^2]
  std::string file = {};                          ///< where it stands, if that is not the main file
};

/// A place in a link that the file names: <site> of MJCF, for example. It becomes a link without matter on a fixed
/// joint (add_links_of_frames()), so that whatever takes the name of a link takes its name.
struct Frame {
  std::string name;
  std::string link;
  Origin origin;
  int line = 0;
};

/// A position of the robot that the file names.
struct NamedPosition {
  std::string name;
  std::vector<double> q;  ///< of all joints of the description, in its order; quaternions are [x y z w]
  int line = 0;
};

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits. Source: FIPS 180-4, sections 4 to 6.
std::string sha256(std::string_view bytes);

struct Description {
  std::string file;    ///< as the user gave it; for diagnostics only, never emitted
  std::string sha256;  ///< of the bytes of the file, lower-case hex
  std::string name;
  int line = 0;
  std::vector<Link> links;              ///< document order
  std::vector<Joint> joints;            ///< document order
  std::vector<Constraint> constraints;  ///< document order
  std::vector<Rotor> rotors;            ///< document order
  std::vector<Frame> frames;            ///< document order
  std::vector<Tendon> tendons;          ///< document order
  std::vector<NamedPosition> positions;
  std::vector<std::string> other_files;    ///< that were read besides `file`: what it includes, meshes
  std::optional<Eigen::Vector3d> gravity;  ///< [m/s^2], if the file gives it
  bool siblings_as_written = false;        ///< joints on one link stand in q in document order, not by name
  bool armature_by_default = false;        ///< what --joint-dynamics is if the user does not say
};

/// Principal moments, smallest first. A moment that is only rounding, compared with the largest entry, counts as zero.
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia);

/// Moment of inertia about its centre of a solid ball of the densest material [kg m^2]. A ball is the most compact
/// body. So no body of that mass has a largest moment below this.
double moment_of_densest_ball(double mass);

/// Makes a link of each frame. One whose name a link or a joint has gets "_frame" behind its own.
void add_links_of_frames(Description& robot);

/// Links and joints as written, with their lines. --dump-after prints this.
std::string dump(const Description& robot);

}  // namespace featherline::description
