#include "formats/sdf/sdf.hpp"

#include "description/number.hpp"

#include <limits>
#include <numbers>

namespace featherline::sdf {

const Element* child(const Element* parent, const char* tag) {
  if (parent == nullptr) return nullptr;
  const XMLElement* xml = parent->reader->only_child(*parent->xml, tag);
  for (const Element& element : parent->children) {
    if (element.xml == xml) return &element;
  }
  return nullptr;
}

std::string text_of(const Element* element) {
  const char* text = element == nullptr ? nullptr : element->xml->GetText();
  const auto words = split_words(text == nullptr ? "" : text);
  return words.empty() ? "" : std::string(words.front().data(), words.back().data() + words.back().size());
}

std::string attribute(const Element* element, const char* name) {
  const char* text = element == nullptr ? nullptr : element->attribute(name);
  return text == nullptr ? "" : text;
}

std::optional<double> number(const Element* parent, const char* tag) {
  const Element* element = child(parent, tag);
  if (element == nullptr) return std::nullopt;
  const std::string text = text_of(element);
  const bool is_limit = parent->tag() == "limit";
  if (is_limit && (text == "inf" || text == "-inf"))
    return (text == "inf" ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
  const double largest = is_limit ? std::numeric_limits<double>::max() : ElementReader::plausible;
  const auto read = numbers_in(text.c_str(), *element, describe(*element->xml), 1, 1, largest);
  return read ? std::optional(read->front()) : std::nullopt;
}

bool flag(const Element* parent, const char* tag, bool otherwise) {
  const Element* element = child(parent, tag);
  return element == nullptr ? otherwise : flag(text_of(element), *element, otherwise);
}

bool flag(const std::string& text, const Element& at, bool otherwise) {
  if (text.empty()) return otherwise;
  const bool is_true = text == "true" || text == "1";
  if (!is_true && text != "false" && text != "0") at.fault(" says " + in_quotes(text), "write true or false");
  return is_true;
}

std::optional<Vector3d> vector(const Element* element) {
  if (element == nullptr) return std::nullopt;
  const auto read = numbers_in(text_of(element).c_str(), *element, describe(*element->xml), 3, 3);
  return read ? std::optional(Vector3d((*read)[0], (*read)[1], (*read)[2])) : std::nullopt;
}

Pose read_pose(const Element* pose) {
  const std::string text = text_of(pose), format = attribute(pose, "rotation_format");
  const bool is_quaternion = format == "quat_xyzw";
  if (pose == nullptr) return {};
  const bool in_degrees = flag(attribute(pose, "degrees"), *pose);
  if (!is_quaternion && !format.empty() && format != "euler_rpy")
    pose->error("rotation_format of " + describe(*pose->xml) + " is " + in_quotes(format),
                "write euler_rpy or quat_xyzw");
  if (is_quaternion && in_degrees) pose->fault(" is a quaternion in degrees", "remove degrees=\"true\"");
  if (text.empty()) return {};
  const std::size_t count = is_quaternion ? 7 : 6;
  const auto read = numbers_in(text.c_str(), *pose, describe(*pose->xml), count, count);
  if (!read) return {};
  const std::vector<double>& x = *read;
  const Vector3d p(x[0], x[1], x[2]);
  if (is_quaternion) return {unit_quaternion({x[6], x[3], x[4], x[5]}, *pose), p};
  using Eigen::AngleAxisd;
  const double unit = in_degrees ? std::numbers::pi / 180.0 : 1.0;
  return {AngleAxisd(unit * x[5], Vector3d::UnitZ()) * AngleAxisd(unit * x[4], Vector3d::UnitY()) *
              AngleAxisd(unit * x[3], Vector3d::UnitX()),
          p};
}

}  // namespace featherline::sdf
