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
    reader.error(
        element, describe(element) + " has no attribute \"axis2\"",
        std::string("add the second axis of the ") + model::name(joint.type) + " joint, in the joint frame");
  }
}

}  // namespace

void read_joint_extension(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const XMLElement* extension = reader.only_child(element, extension_name);
  if (extension == nullptr) return;
  joint.extension_line = extension->GetLineNum();
  const auto text = reader.name(*extension, "type");
  if (!text) return;
  const model::JointRow* row = model::find_joint_type(*text);
  if (row == nullptr || row->native) {
    const bool native = row != nullptr;
    reader.error(*extension, "joint type " + quoted(*text) + (native ? " needs no extension" : " is unknown"),
                 native ? "write it as the joint's own type and remove <featherline_joint>"
                        : "use " + model::joint_type_names(false));
    return;
  }
  joint.type = row->type;
  if (row->needs_pitch()) read_pitch(*extension, joint, reader);
  if (row->needs(model::Direction::axis2)) read_second_axis(*extension, joint, reader);
}

}  // namespace featherline::urdf
