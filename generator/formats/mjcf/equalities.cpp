#include "formats/mjcf/bodies.hpp"

#include "support/text.hpp"

#include <algorithm>

namespace featherline::mjcf {
namespace {

class Equalities {
 public:
  Equalities(const Bodies& bodies, Description& robot) : bodies_(bodies), robot_(robot) {}

  void read(const Scope& scope) {
    scope_ = scope;
    for (const Element* element : elements_in(scope.source->document.root(), "equality")) read(*element);
  }

 private:
  void read(const Element& element) {
    const Item item = scope_.source->classes.item(element, "equality");
    if (!item.flag("active", true)) return element.remark(" is not active and left out");
    if (element.tag() == "joint") return read_coupling(item);
    const bool by_sites = item.has("site1");
    const Place* first = find(item, by_sites ? "site1" : "body1", by_sites ? bodies_.sites : bodies_.links);
    const Place* second = by_sites || item.has("body2") ? find(item, by_sites ? "site2" : "body2",
                                                               by_sites ? bodies_.sites : bodies_.links)
                                                        : &bodies_.links.at("world");
    if (first == nullptr || second == nullptr) return;
    element.tag() == "connect" ? connect(item, *first, *second, by_sites)
                               : weld(item, *first, *second, by_sites);
  }

  const Place* find(const Item& item, const char* attribute, const std::map<std::string, Place>& places) {
    const Element& element = item.element();
    const auto name = element.reader->name(*element.xml, attribute);
    if (!name) return nullptr;
    const auto found = places.find(*name == "world" ? *name : scope_.name(*name));
    if (found != places.end()) return &found->second;
    missing(element, attribute, *name);
    return nullptr;
  }

  void missing(const Element& element, const char* attribute, const std::string& name) const {
    const std::string what =
        std::string(attribute) + " of " + describe(*element.xml) + " is " + in_quotes(name);
    if (scope_.depth > 0) return element.note("left out: " + what + ", which is not attached");
    element.error(what + ", which does not exist", "correct the name");
  }

  void add(const Element& element, model::ConstraintType type, const std::string& link1, const Pose& X1,
           const std::string& link2, const Pose& X2) {
    Constraint constraint;
    const char* name = element.attribute("name");
    constraint.name = names_.unique(name != nullptr ? scope_.name(name) : link1 + "_" + link2);
    constraint.type = type;
    constraint.line = element.line();
    constraint.file = element.file();
    constraint.ends = {{link1, X1.origin(element.line()), element.line()},
                       {link2, X2.origin(element.line()), element.line()}};
    robot_.constraints.push_back(std::move(constraint));
  }

  /// Two points that meet: those of two sites, or the anchor and where it is in the second body at the start.
  void connect(const Item& item, const Place& first, const Place& second, bool by_sites) {
    Pose X1 = first.in_link, X2 = second.in_link;
    if (!by_sites) {
      item.element().reader->has(*item.element().xml, "anchor");
      X1.p = item.vector("anchor");
      X2.p = (second.in_world.inverse() * first.in_world * X1).p;
    }
    add(item.element(), model::ConstraintType::loop_point, first.link, X1, second.link, X2);
  }

  void weld(const Item& item, const Place& first, const Place& second, bool by_sites) {
    Pose X1 = first.in_link, X2 = second.in_link;
    if (!by_sites) {
      X2.p = item.vector("anchor");
      const auto relative = item.numbers("relpose", 7, 7);
      const bool is_given =
          relative && std::any_of(relative->begin() + 3, relative->end(), [](double x) { return x != 0.0; });
      X1 = first.in_world.inverse() * second.in_world * X2;
      if (is_given) {  // its position is that of the anchor, not of the second body's origin
        X1.p = {(*relative)[0], (*relative)[1], (*relative)[2]};
        X1.q = unit_quaternion({relative->begin() + 3, relative->end()}, item.element());
      }
    }
    const bool turns = item.number("torquescale", 1.0) != 0.0;
    add(item.element(), turns ? model::ConstraintType::loop_weld : model::ConstraintType::loop_point,
        first.link, X1, second.link, X2);
  }

  /// q1 - ref1 = a0 + a1 (q2 - ref2), or a0 where there is no second joint.
  void read_coupling(const Item& item) {
    const Element& element = item.element();
    const auto find_joint = [&](const char* attribute) -> Joint* {
      const auto name = element.reader->name(*element.xml, attribute);
      if (!name) return nullptr;
      const auto found = bodies_.joints.find(scope_.name(*name));
      if (found == bodies_.joints.end()) return missing(element, attribute, *name), nullptr;
      return &robot_.joints[found->second];
    };
    std::vector<double> a = item.numbers("polycoef", 1, 5).value_or(std::vector<double>{0.0, 1.0});
    a.resize(5, 0.0);
    const bool is_alone = element.attribute("joint2") == nullptr;
    Joint *first = find_joint("joint1"), *second = is_alone ? nullptr : find_joint("joint2");
    if (first == nullptr || (second == nullptr && !is_alone)) return;
    if (!is_alone && std::any_of(a.begin() + 2, a.end(), [](double x) { return x != 0.0; }))
      return element.fault(" couples joints by more than a straight line, which is not read",
                           "write active=\"false\", or lock the joint with --lock");
    if (is_alone && !model::row_of(first->type).has_one_axis())
      return element.fault(" locks a joint with several coordinates", "remove it");
    if (first->mimic || first->held)
      return element.error("joint " + in_quotes(first->name) + " is coupled twice",
                           "keep one <joint> of <equality>");
    const double value = bodies_.references.at(first->name) + a[0];
    if (is_alone) {
      first->held = value;
      return element.remark(" locks joint " + in_quotes(first->name) + " at " + to_text(value) +
                            "; --mimic independent frees it");
    }
    first->mimic =
        Mimic{second->name, a[1], value - a[1] * bodies_.references.at(second->name), element.line()};
  }

  const Bodies& bodies_;
  Description& robot_;
  Scope scope_;
  Names names_;
};

}  // namespace

void read_equalities(const Bodies& bodies, Description& robot) {
  Equalities equalities(bodies, robot);
  for (const Scope& scope : bodies.scopes) equalities.read(scope);
}

}  // namespace featherline::mjcf
