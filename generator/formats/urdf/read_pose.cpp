#include "formats/urdf/read_pose.hpp"

namespace featherline::urdf {

Origin read_pose(const XMLElement& element, ElementReader& reader) {
  constexpr const char* quaternion = "quat_xyzw";
  Origin origin;
  origin.line = element.GetLineNum();
  origin.xyz = reader.numbers<3>(element, "xyz").value_or(origin.xyz);
  origin.rpy = reader.numbers<3>(element, "rpy").value_or(origin.rpy);
  if (element.FindAttribute(quaternion) != nullptr && element.FindAttribute("rpy") != nullptr)
    reader.error(element, describe(element) + " has rpy and quat_xyzw", "keep one of them");
  if (const auto read = reader.numbers<4>(element, quaternion)) {
    const Eigen::Vector4d q =
        normalised(*read, std::string(quaternion) + " of " + describe(element), element, reader);
    origin.quat_xyzw = {q[0], q[1], q[2], q[3]};
  }
  return origin;
}

Origin read_origin(const XMLElement& parent, ElementReader& reader) {
  const XMLElement* element = reader.only_child(parent, "origin");
  return element == nullptr ? Origin{} : read_pose(*element, reader);
}

}  // namespace featherline::urdf
