#include "formats/sdf/sdf.hpp"

#include "description/number.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace featherline::sdf {

const Element* child(const Element& parent, const char* tag) {
  const XMLElement* xml = parent.reader->only_child(*parent.xml, tag);
  for (const Element& element : parent.children) {
    if (element.xml == xml) return &element;
  }
  return nullptr;
}

std::string text_of(const Element* element) {
  const char* text = element == nullptr ? nullptr : element->xml->GetText();
  if (text == nullptr) return {};
  const auto words = split_words(text);
  if (words.empty()) return {};
  return {words.front().data(), words.back().data() + words.back().size()};
}

std::optional<double> number(const Element& parent, const char* tag) {
  const Element* element = child(parent, tag);
  if (element == nullptr) return std::nullopt;
  const std::string text = text_of(element);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool is_limit = parent.tag() == "limit";
  if (is_limit && (text == "inf" || text == "+inf")) return infinity;
  if (is_limit && text == "-inf") return -infinity;
  const double largest = is_limit ? std::numeric_limits<double>::max() : ElementReader::plausible;
  const auto read = numbers_in(text.c_str(), *element, describe(*element->xml), 1, 1, largest);
  return read ? std::optional(read->front()) : std::nullopt;
}

bool flag(const Element& parent, const char* tag) {
  const Element* element = child(parent, tag);
  const std::string text = text_of(element);
  if (element != nullptr && text != "true" && text != "1" && text != "false" && text != "0")
    element->error(describe(*element->xml) + " is " + in_quotes(text), "write true or false");
  return text == "true" || text == "1";
}

std::optional<Vector3d> vector(const Element* element) {
  if (element == nullptr) return std::nullopt;
  const auto read = numbers_in(text_of(element).c_str(), *element, describe(*element->xml), 3, 3);
  return read ? std::optional(Vector3d((*read)[0], (*read)[1], (*read)[2])) : std::nullopt;
}

Pose read_pose(const Element* pose) {
  Pose result;
  if (pose == nullptr) return result;
  const auto attribute = [&](const char* name, const char* otherwise) {
    const char* text = pose->attribute(name);
    return std::string(text == nullptr ? otherwise : text);
  };
  const std::string format = attribute("rotation_format", "euler_rpy"),
                    degrees = attribute("degrees", "false");
  const bool is_quaternion = format == "quat_xyzw", in_degrees = degrees == "true" || degrees == "1";
  if (!is_quaternion && format != "euler_rpy")
    pose->error("rotation_format of " + describe(*pose->xml) + " is " + in_quotes(format),
                "write euler_rpy or quat_xyzw");
  if (is_quaternion && in_degrees)
    pose->error(describe(*pose->xml) + " is a quaternion in degrees", "remove degrees=\"true\"");
  if (!in_degrees && degrees != "false" && degrees != "0")
    pose->error("degrees of " + describe(*pose->xml) + " is " + in_quotes(degrees), "write true or false");
  const std::string text = text_of(pose);
  if (text.empty()) return result;
  const std::size_t count = is_quaternion ? 7 : 6;
  const auto read = numbers_in(text.c_str(), *pose, describe(*pose->xml), count, count);
  if (!read) return result;
  const std::vector<double>& x = *read;
  result.p = {x[0], x[1], x[2]};
  if (is_quaternion) {
    result.q = unit_quaternion({x[6], x[3], x[4], x[5]}, *pose);
    return result;
  }
  using Eigen::AngleAxisd;
  const double unit = in_degrees ? std::numbers::pi / 180.0 : 1.0;
  result.q = AngleAxisd(unit * x[5], Vector3d::UnitZ()) * AngleAxisd(unit * x[4], Vector3d::UnitY()) *
             AngleAxisd(unit * x[3], Vector3d::UnitX());
  return result;
}

}  // namespace featherline::sdf
