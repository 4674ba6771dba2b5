#include "formats/mjcf/settings.hpp"

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

}  // namespace featherline::mjcf
