#include "formats/mjcf/item.hpp"

#include <cctype>
#include <cmath>
#include <numbers>

namespace featherline::mjcf {
namespace {

void read_compiler(const Item& compiler, Settings& settings) {
  if (compiler.has("angle")) {
    const bool degrees = compiler.word("angle", {"degree", "radian"}, "degree") == "degree";
    if (settings.degrees.value_or(degrees) != degrees)
      compiler.element().note(
          "angle is given a second time, and differently: the last counts, for the whole file");
    settings.degrees = degrees;
  }
  settings.autolimits = compiler.flag("autolimits", settings.autolimits);
  settings.inertiafromgeom =
      compiler.word("inertiafromgeom", {"false", "true", "auto"}, settings.inertiafromgeom);
  settings.boundmass = compiler.number("boundmass", settings.boundmass);
  settings.boundinertia = compiler.number("boundinertia", settings.boundinertia);
  settings.totalmass = compiler.number("settotalmass", settings.totalmass);
  settings.balanceinertia = compiler.flag("balanceinertia", settings.balanceinertia);
  settings.strippath = compiler.flag("strippath", settings.strippath);
  settings.alignfree = compiler.flag("alignfree", settings.alignfree);
  settings.meshdir = compiler.text("meshdir", compiler.text("assetdir", settings.meshdir));
  compiler.word("coordinate", {"local"}, "local");
  compiler.word("conflict", {"warning"}, "warning");
  if (const auto groups = compiler.numbers("inertiagrouprange", 2, 2)) {
    settings.first_group = static_cast<int>((*groups)[0]);
    settings.last_group = static_cast<int>((*groups)[1]);
  }
  const std::string sequence = compiler.text("eulerseq", settings.eulerseq);
  if (sequence.size() == 3 && sequence.find_first_not_of("xyzXYZ") == sequence.npos)
    settings.eulerseq = sequence;
  else
    compiler.element().error("eulerseq is " + in_quotes(sequence), "write three of the letters x y z X Y Z");
}

using Eigen::AngleAxisd;
using Eigen::Quaterniond;

Vector3d unit(const Vector3d& v, const char* what, const Element& element) {
  const double length = v.stableNorm();
  if (length > 1e-14) return v / length;
  element.error(std::string(what) + " of " + describe(*element.xml) + " is zero", "write a direction");
  return Vector3d::UnitZ();
}

Quaterniond from_axes(const std::vector<double>& a, const Element& element) {
  Eigen::Matrix3d R;
  const Vector3d x = unit({a[0], a[1], a[2]}, "the x axis", element), given(a[3], a[4], a[5]);
  R << x, unit(given - x * x.dot(given), "the y axis", element), x;
  R.col(2) = R.col(0).cross(R.col(1));
  return Quaterniond(R);
}

struct Notation {
  const char* attribute;
  std::size_t numbers;
};
constexpr Notation notations[] = {{"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"euler", 3}, {"quat", 4}};

Quaterniond rotation(const Notation& notation, const Element& giver, const Settings& settings) {
  const auto read = numbers_of(giver, notation.attribute, notation.numbers, notation.numbers);
  if (!read) return Quaterniond::Identity();
  const std::vector<double>& a = *read;
  const std::string_view name = notation.attribute;
  if (name == "quat") return unit_quaternion(a, giver);
  if (name == "euler") return euler(a, settings);
  if (name == "xyaxes") return from_axes(a, giver);
  const Vector3d axis = unit({a[0], a[1], a[2]}, notation.attribute, giver);
  return name == "zaxis" ? z_to(axis) : Quaterniond(AngleAxisd(settings.angle(a[3]), axis));
}

}  // namespace

double Settings::angle(double value) const {
  return degrees.value_or(true) ? value * (std::numbers::pi / 180.0) : value;
}

Settings read_settings(const Element& root) {
  Settings settings;
  bool is_off = false;
  for (const Element& section : root.children) {
    const Item item(section, {});
    if (section.tag() == "compiler") read_compiler(item, settings);
    if (section.tag() != "option") continue;
    settings.gravity = item.vector("gravity", settings.gravity);
    for (const Element& child : section.children) {
      if (child.tag() == "flag")
        is_off = Item(child, {}).word("gravity", {"enable", "disable"}, is_off ? "disable" : "enable") ==
                 "disable";
    }
  }
  if (is_off) settings.gravity.setZero();
  return settings;
}

Quaterniond euler(const std::vector<double>& angles, const Settings& settings) {
  Quaterniond q = Quaterniond::Identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = settings.eulerseq[i];
    const Vector3d axis = Vector3d::Unit(std::tolower(letter) - 'x');
    const Quaterniond turn(AngleAxisd(settings.angle(angles[i]), axis));
    q = std::islower(letter) != 0 ? q * turn
                                  : turn * q;  // about the turned axes, or about those of the parent
  }
  return q;
}

Quaterniond z_to(const Vector3d& direction) {
  const Vector3d axis = Vector3d::UnitZ().cross(direction);
  const double s = axis.norm();
  if (s < 1e-10) return direction.z() > 0.0 ? Quaterniond::Identity() : Quaterniond(0.0, 1.0, 0.0, 0.0);
  return Quaterniond(AngleAxisd(std::atan2(s, direction.z()), axis / s));
}

Pose read_pose(const Item& item, const Settings& settings) {
  // A quaternion gives way to any other notation, even to that of a default.
  const Notation* best = nullptr;
  const Element* giver = nullptr;
  int own = 0;
  for (const Notation& notation : notations) {
    const Element* found = item.giver(notation.attribute);
    own += found == &item.element() ? 1 : 0;
    const bool is_nearer =
        giver == nullptr || (found == &item.element() && notation.attribute != std::string_view("quat"));
    if (found == nullptr || !is_nearer) continue;
    giver = found;
    best = &notation;
  }
  if (own > 1) item.element().fault(" has several orientations", "keep one of them");
  return {giver == nullptr ? Quaterniond::Identity() : rotation(*best, *giver, settings), item.vector("pos")};
}

}  // namespace featherline::mjcf
