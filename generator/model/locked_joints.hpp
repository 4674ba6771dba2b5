#pragma once

#include "description/description.hpp"
#include "joints/geometry.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

/// Joints that the user fixes at a position (--lock). What they carry is merged, as behind a fixed joint.
namespace featherline::model {

/// A joint and its entries of q: "elbow=0.5", "float=0:0:1:0:0:0:1".
struct Lock {
  std::string joint;
  std::vector<double> position;
};

/// The locks that the text of --lock lists. Throws UsageError for what is malformed.
std::vector<Lock> parse_locks(const std::string& text);
/// The text again.
std::string text_of(const std::vector<Lock>& locks);

struct LockRequest {
  std::vector<Lock> locks;
  /// Joints that stay free while all others are locked; empty: only `locks` are locked. A joint without a position in
  /// `locks` stands at 0, at unit rotation, or where the locked joint that it mimics puts it. Joints that mimic a free
  /// joint go on doing so.
  std::vector<std::string> all_but;
};

/// Makes joints of the description fixed, with description::Joint::locked. `coupled`: <mimic> has an effect, so the
/// leader of a joint that moves cannot be locked, and joints that the file holds (description::Joint::held) are locked.
/// Throws UsageError for joints that do not exist or do not move, for wrong positions, and if nothing is left to move.
/// Warns of positions outside the limits.
void lock_joints(description::Description& robot, const LockRequest& request, bool coupled,
                 bool floating_base, Diagnostics& findings);

/// X_J: where a locked joint holds its child, in the joint frame.
Placement held_at(const description::Joint& joint);

}  // namespace featherline::model
