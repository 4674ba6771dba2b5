#include "formats/mjcf/bodies.hpp"

#include <algorithm>

namespace featherline::mjcf {

namespace {

bool is_joint(const Part& part) {
  return part.element->tag() == "joint" || part.element->tag() == "freejoint";
}

/// MuJoCo moves the frame of a body without children into its centre of mass, if the file wishes so.
void refuse_alignment(const Item& joint, const Settings& settings, const std::vector<Part>& parts) {
  const std::string align = joint.word("align", {"true", "false", "auto"}, "auto");
  const bool is_leaf =
      std::ranges::none_of(parts, [](const Part& part) { return part.element->tag() == "body"; });
  if (is_leaf && (align == "true" || (align == "auto" && settings.alignfree)))
    joint.element().fault(" moves its body's frame into the centre of mass, which is not read",
                          "write align=\"false\", or alignfree=\"false\" in <compiler>");
}

}  // namespace

void Bodies::collect_names(const Part& body) {
  for (const Part& part : parts_of(body)) {
    const std::string_view tag = part.element->tag();
    if (is_joint(part)) joint_names_.take(part.name());
    if (tag != "body") continue;
    link_names_.take(part.name());
    collect_names(part);
  }
}

void Bodies::read(Source& main) {
  const Element& root = main.document.root();
  scopes.push_back({&main});
  Link world{.name = "world", .line = root.line()};
  robot_.links.push_back(world);
  links["world"] = {"world", {}, {}};
  link_names_.take("world");
  for (const Element& section : root.children) {
    if (section.tag() == "worldbody") collect_names({&section, {&main}});
  }
  if (root.reader->diagnostics().has_errors()) return;  // the second walk would report them again
  num_parts_ = 0;
  for (const Element& section : root.children) {
    if (section.tag() != "worldbody") continue;
    const auto parts = parts_of({&section, {&main}});
    for (const Part& part : parts) {
      if (is_joint(part))
        part.element->fault(" is in the world, which does not move", "put it into a <body>");
    }
    read_contents(parts, "world", {}, false);
  }
}

void Bodies::read_contents(const std::vector<Part>& parts, const std::string& link, const Pose& X_WB,
                           bool moves) {
  for (const Part& part : parts) {
    const std::string_view tag = part.element->tag();
    if (tag == "body") read_body(part, link, X_WB, moves);
    const bool is_site = tag == "site";
    if ((!is_site && tag != "frame") || part.name().empty()) continue;
    const Pose pose = is_site ? part.frame * read_pose(part.item("site"), part.settings()) : part.frame;
    robot_.frames.push_back({part.name(), link, pose.origin(part.element->line()), part.element->line()});
    if (is_site) sites[part.name()] = {link, pose, X_WB * pose};
  }
}

void Bodies::read_matter(const std::vector<Part>& parts, const Part& body, const Pose& own, bool moves,
                         Link& link) {
  const Settings& settings = body.settings();
  std::optional<Matter> matter;
  std::vector<Matter> geoms;
  int line = body.element->line();
  for (const Part& part : parts) {
    if (part.element->tag() != "inertial") continue;
    matter = read_inertial(Item(*part.element, {}), part.settings());
    line = part.element->line();
  }
  if (settings.inertiafromgeom == "true" || (!matter && settings.inertiafromgeom == "auto")) {
    for (const Part& part : parts) {
      if (part.element->tag() != "geom") continue;
      const Item geom = part.item("geom");
      const double group = geom.number("group", 0.0);
      if (group < settings.first_group || group > settings.last_group) continue;
      if (const auto found =
              matter_of_geom(geom, part.frame, part.settings(), part.scope.source->meshes, moves))
        geoms.push_back(*found);
    }
    if (!geoms.empty()) matter = sum(geoms);
  }
  const bool is_bounded = settings.boundmass > 0.0 || settings.boundinertia > 0.0;
  if (!matter && !is_bounded) return;
  if (!matter) matter = Matter{}.seen_from(own);  // MuJoCo puts what it adds there
  const Matter kept = corrected(*matter, settings);
  link.inertial =
      Inertial{kept.mass, Pose{{1.0, 0.0, 0.0, 0.0}, kept.com}.origin(line), kept.inertia, line, line, line};
}

void Bodies::read_body(const Part& part, const std::string& parent, const Pose& X_WP, bool moves) {
  const Element& element = *part.element;
  const Item item(element, {});
  const Pose own = read_pose(item, part.settings()), X_PB = part.frame * own;
  const std::vector<Part> parts = parts_of(part);
  Link link;
  link.name = part.name().empty() ? link_names_.unique("body_" + std::to_string(links.size())) : part.name();
  link.line = element.line();
  link.file = element.file();
  moves = moves || std::ranges::any_of(parts, is_joint);
  read_matter(parts, part, own, moves, link);
  link.gravcomp = item.number("gravcomp", 0.0);
  if (item.flag("mocap", false))
    element.note(describe(element.xml[0]) + " is moved by a simulator's user and stands still here");
  add_joints(parts, parent, X_PB, link);
  robot_.links.push_back(link);
  const Pose X_WB = X_WP * X_PB;
  links.emplace(link.name, Place{link.name, {}, X_WB});
  read_contents(parts, link.name, X_WB, moves);
}

Bodies::Anchor Bodies::anchor_of(const Joint& joint, const Item& item, const Part& part) {
  Anchor anchor;
  if (joint.type == JointType::floating) return anchor;
  anchor.pos = part.frame.q * item.vector("pos") + part.frame.p;
  if (joint.type == JointType::spherical) return anchor;
  const double reference = item.number("ref", 0.0);
  if (joint.type == JointType::prismatic) {
    anchor.reference = reference;
    anchor.at_zero.p = -reference * joint.axis;
  } else {
    anchor.reference = part.settings().angle(reference);
    anchor.at_zero.q = Eigen::AngleAxisd(-anchor.reference, joint.axis);
  }
  return anchor;
}

/// Joints of one body act one after the other, each about its own point. Between them are links without mass.
void Bodies::add_joints(const std::vector<Part>& parts, const std::string& parent, const Pose& X_PB,
                        const Link& link) {
  std::vector<Part> moving;
  for (const Part& part : parts) {
    if (is_joint(part)) moving.push_back(part);
  }
  std::string at = parent;
  Pose X = X_PB;
  for (const Part& part : moving) {
    const Element& element = *part.element;
    const bool is_freejoint = element.tag() == "freejoint";
    const Item item = is_freejoint ? Item(element, {}) : part.item("joint");
    Joint joint = read_moving_joint(item, part.frame, part.settings());
    joint.name = part.name().empty() ? joint_names_.unique(link.name + "_joint") : part.name();
    joint.parent = at;
    const bool is_free = joint.type == JointType::floating;
    if (is_free && (parent != "world" || moving.size() > 1))
      element.fault(parent != "world" ? " is free, and its body is not in the world"
                                      : " is free, and its body has other joints",
                    "a free joint is alone in a body of <worldbody>");
    if (is_free) refuse_alignment(item, part.settings(), parts);
    if (is_free && joint.dynamics)
      joint.dynamics->rest_pose = {X.p.x(), X.p.y(), X.p.z(), X.q.x(), X.q.y(), X.q.z(), X.q.w()};
    const Anchor anchor = anchor_of(joint, item, part);
    const Pose there{Eigen::Quaterniond::Identity(), anchor.pos};
    joint.origin = is_free ? Origin{} : (X * there * anchor.at_zero).origin(element.line());
    X = there.inverse();
    const bool is_last = &part == &moving.back() && anchor.pos.isZero(0.0);
    joint.child = is_last ? link.name : link_names_.unique(joint.name + "_link");
    at = joint.child;
    if (!is_last) robot_.links.push_back({.name = at, .line = element.line(), .file = element.file()});
    joints.emplace(joint.name, robot_.joints.size());
    references[joint.name] = anchor.reference;
    joint.file = element.file();
    robot_.joints.push_back(std::move(joint));
  }
  if (at != link.name)
    robot_.joints.push_back(fixed_joint(joint_names_.unique(link.name + "_fixed"), at, X, link));
}

}  // namespace featherline::mjcf
