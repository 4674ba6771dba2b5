#pragma once

#include "joints/geometry.hpp"
#include "model/constraints.hpp"

#include <string>
#include <vector>

namespace featherline::model {

struct Tree;
struct UserTree;

/// A frame as the user asks for it: "hand", "tool=hand@0,0,0.1", "foot:point", "foot:normal@local:0,0,1",
/// "foot:sphere=0.02".
struct FrameRequest {
  std::string name;  ///< empty: the link's
  std::string link;
  std::vector<double>
      placement;     ///< x, y, z [m], or with roll, pitch, yaw [rad], in the link's frame; or nothing
  std::string kind;  ///< "point": position only; of contacts a word of the table of constraints; or nothing
  std::vector<double> axis;    ///< of contacts that have one; nothing: z of the world
  bool axis_is_local = false;  ///< it is in the frame's axes, not in the world's
  double radius = 0.0;         ///< of a sphere [m]
};

/// The frames that the text of --frames lists. Throws UsageError for what is malformed.
std::vector<FrameRequest> parse_frames(const std::string& text);
/// The same of --contacts, where the word of a contact may stand in the place of :point, and an axis or a
/// radius behind it.
std::vector<FrameRequest> parse_contacts(const std::string& text);
/// The text again.
std::string text_of(const std::vector<FrameRequest>& frames);

/// Where rows of velocities, accelerations and Jacobians are measured, and in which axes.
enum class FrameAxes {
  local_world_aligned,  ///< at the frame's origin, in the axes of the world
  local,                ///< at the frame's origin, in the frame's axes
  world                 ///< at the world's origin, in its axes; position-only frames at their own origin
};

struct FrameAxesName {
  std::string name;  ///< as --frame-axes takes it
  FrameAxes axes;
};
/// In the order of the enum.
const std::vector<FrameAxesName>& frame_axes_names();
const std::string& name_of(FrameAxes axes);
/// "at the frame's origin, in the axes of the world".
std::string describe(FrameAxes axes);

/// What frame_kinematics may be asked for, as --frame-parts takes it.
struct FramePart {
  std::string name;
  std::vector<std::string> outputs;
  bool needs_velocities;  ///< the outputs depend on v
};
const std::vector<FramePart>& frame_parts();

struct ChosenFrame : FrameInLink {
  std::string name;
  bool point = false;  ///< position only: no rows of turning, no rotation
  int first_row = 0;   ///< of velocities and Jacobians

  int num_rows() const { return point ? 3 : 6; }
};

struct ChosenFrames {
  std::vector<ChosenFrame> chosen;
  FrameAxes axes = FrameAxes::local_world_aligned;
  std::vector<std::string> parts;  ///< of frame_kinematics, by name; none: all outputs
  bool are_leaves = false;         ///< nobody named any: all links at the ends of the tree

  int num_rows() const { return chosen.empty() ? 0 : chosen.back().first_row + chosen.back().num_rows(); }
};

/// The frames that `requests` ask for. Throws UsageError for a link that does not exist, and for a name that is used
/// twice or is not an identifier. Rotations in links are snapped as those of joints are (BuildOptions::snap_tolerance).
ChosenFrames choose_frames(const UserTree& tree, const std::vector<FrameRequest>& requests, FrameAxes axes,
                           double snap_tolerance = 0.0);

/// The contacts that `requests` ask for. Throws UsageError for the same, and for a link that does not move.
std::vector<Constraint> choose_contacts(const UserTree& tree, const std::vector<FrameRequest>& requests,
                                        double snap_tolerance = 0.0);

}  // namespace featherline::model
