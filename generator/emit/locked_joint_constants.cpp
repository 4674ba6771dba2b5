#include "emit/constants.hpp"

namespace featherline::emit {

void add_locked_joints(const model::Tree& tree, Json& manifest) {
  for (const model::LockedJoint& joint : tree.locked) {
    manifest["locked_joints"].push_back({{"name", joint.name},
                                         {"type", model::name(joint.type)},
                                         {"child", joint.child},
                                         {"q", joint.position}});
  }
}

}  // namespace featherline::emit
