#pragma once

#include "featherline/joint_info.hpp"

#include <string>
#include <string_view>
#include <vector>

/// All facts of a joint type, in one row for each type. The reader, the model, the algorithms and the tests read this
/// table. What follows from rows is in the folders below: symbolic/ for algorithms, page/ for pictures. judge/ has each
/// type once more, in formulas of its own.
namespace featherline::model {

using featherline::JointType;

/// What an entry of q measures.
enum class Coordinate {
  angle,       ///< [rad]
  length,      ///< [m]
  quaternion,  ///< one of the four entries [x y z w] of a unit quaternion
};

/// A direction in the child's frame.
enum class Direction {
  x,
  y,
  z,
  axis,   ///< <axis> of the URDF, which is z in a canonical tree; the normal of a planar joint
  axis2,  ///< of the extension element
};

/// The motion of the child at unit speed of one entry of v. It is a column of the motion subspace.
struct Motion {
  enum class Kind {
    turn,
    slide,
    screw,  ///< a turn that also slides, by the joint's pitch per radian
  };
  Kind kind;
  Direction along;

  bool turns() const { return kind != Kind::slide; }
  bool slides() const { return kind != Kind::turn; }
};

/// The part of the child's inertia that has no effect on the torques of the joint. Regrouping moves it to the parent
/// (model/canonical.hpp).
enum class Unidentifiable { nothing, mass, rotational_inertia, mass_and_moments_across };

/// What the position limits of a URDF mean for the type.
enum class PositionLimits { required, optional, without_effect };

struct JointRow {
  JointType type;
  bool native;  ///< URDF has it; the others need the extension element (formats/urdf/README.md)
  std::vector<Coordinate> coordinates;  ///< by entry of q
  /// By entry of v. If the type has several axes, the first motion carries the later ones.
  std::vector<Motion> motions;
  Unidentifiable unidentifiable;
  PositionLimits position_limits;

  const char* name() const { return joint_type_name(type); }
  int nq() const { return static_cast<int>(coordinates.size()); }
  int nv() const { return static_cast<int>(motions.size()); }

  int num_turns() const;   ///< motions that turn; screws count
  int num_slides() const;  ///< motions that only slide
  /// Whether the child's origin moves.
  bool travels() const;
  /// Whether every motion is about or along `axis` or `axis2`. Then v = dq/dt. The velocities of other joints are
  /// in the axes of the child.
  bool moves_on_axes() const;
  /// Whether a drive, with damping, friction and a rotor, can act on each entry of v: axes, and balls that turn.
  bool can_be_driven() const { return moves_on_axes() || !travels(); }
  bool is_free() const { return type == JointType::floating; }
  /// Whether damping and armature can act on each entry of v. Those of a free joint are the same along all axes.
  bool can_be_damped() const { return can_be_driven() || is_free(); }
  /// Whether a step in the tangent space adds to q: the child's axes stay as they are, or v = dq/dt.
  bool steps_add() const { return moves_on_axes() || num_turns() == 0; }
  /// Whether `axis` is the normal of the plane that the child moves in, as in a planar joint.
  bool axis_is_normal() const { return needs(Direction::axis) && !moves_on_axes(); }
  bool has_one_axis() const { return nv() == 1; }
  /// Whether a canonical tree replaces the joint by several joints with one axis each.
  bool is_split() const { return moves_on_axes() && nv() > 1; }

  bool needs(Direction direction) const;
  bool needs_pitch() const;
  bool needs_extension_numbers() const { return needs_pitch() || needs(Direction::axis2); }

  /// The first of four entries of q, -1 where there is no quaternion.
  int quaternion() const;
  /// The entry of q that is the angle of the child about its z axis in a canonical tree, -1 where there is none.
  int angle() const;
};

/// All rows, `fixed` first.
const std::vector<JointRow>& joint_table();

const JointRow& row_of(JointType type);

/// Null where no type has that name.
const JointRow* find_joint_type(std::string_view name);

/// The type of a joint with this motion about or along its axis and no other.
JointType type_with_one_axis(Motion::Kind kind);

inline const char* name(JointType type) { return joint_type_name(type); }

/// "fixed, revolute, ... or planar": what URDF has itself, or what only the extension element can name.
std::string joint_type_names(bool native);

}  // namespace featherline::model
