/// The joint types URDF lacks come from one extension element inside an ordinary joint:
///
///     <joint name="wrist" type="continuous">
///       <featherline_joint type="universal" axis2="0 1 0"/>
///       ...
///     </joint>
///
/// It has no namespace prefix on purpose: parsers that know namespaces refuse an undeclared prefix, while
/// every URDF tool passes over an unknown plain element and goes on with the fallback type of the joint
/// itself.
#include "urdf/joint_types.hpp"
#include "urdf/number.hpp"
#include "urdf/read_parts.hpp"

namespace featherline::urdf {
namespace {

constexpr const char* extension_name = "featherline_joint";

void read_pitch(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const auto pitch = reader.required_number(element, "pitch");
  if (!pitch) return;
  joint.pitch = *pitch;
  if (*pitch == 0.0) {
    reader.warning(element, describe(element) + " has pitch 0: it turns without advancing",
                   "use type=\"revolute\"");
  }
}

void read_second_axis(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const auto axis = reader.vector3(element, "axis2");
  if (axis) {
    joint.axis2 = normalised(*axis, "axis2 of " + describe(element), element, reader);
  } else if (element.FindAttribute("axis2") == nullptr) {
    reader.error(element, describe(element) + " has no attribute \"axis2\"",
                 "add the second axis of the universal joint, in the joint frame");
  }
}

}  // namespace

void read_joint_extension(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const XMLElement* extension = reader.only_child(element, extension_name);
  if (extension == nullptr) return;
  joint.extension_line = extension->GetLineNum();
  const auto text = reader.name(*extension, "type");
  if (!text) return;
  const auto type = extension_joint_type(*text);
  if (!type) {
    const bool native = native_joint_type(*text).has_value();
    reader.error(*extension, "joint type " + quoted(*text) + (native ? " needs no extension" : " is unknown"),
                 native ? "write it as the joint's own type and remove <featherline_joint>"
                        : "use spherical, cylindrical, helical or universal");
    return;
  }
  joint.type = *type;
  if (*type == JointType::helical) read_pitch(*extension, joint, reader);
  if (*type == JointType::universal) read_second_axis(*extension, joint, reader);
}

}  // namespace featherline::urdf
