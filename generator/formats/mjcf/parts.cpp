#include "formats/mjcf/bodies.hpp"

#include <algorithm>

// What stands in a body: <frame>, <replicate> and <attach> give way to what is in them.

namespace featherline::mjcf {
namespace {

constexpr std::size_t most_parts = 100000;

/// The element of a model, as it stands in <attach>. What is around it gives it only its class.
std::optional<Part> find_part(const Part& in, std::string_view tag, const std::string& name) {
  for (const Element& child : in.element->children) {
    Part part = in;
    part.element = &child;
    if (child.tag() == tag && part.name() == in.scope.name(name)) return part;
    if (child.tag() != "body" && child.tag() != "frame") continue;
    part.childclass = in.scope.source->classes.childclass_in(child, in.childclass);
    if (const auto found = find_part(part, tag, name)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::string Part::name() const {
  const char* name = element->attribute("name");
  return name == nullptr || *name == '\0' ? "" : scope.name(name);
}

Part Part::inside(const Pose& pose) const {
  return {element, scope, pose, scope.source->classes.childclass_in(*element, childclass)};
}

void Bodies::replicate(const Part& part, std::vector<Part>& parts) {
  constexpr double most = 10000.0;
  const Element& element = *part.element;
  const Settings& settings = part.settings();
  const Item item(element, {});
  const double count = element.reader->has(element.xml[0], "count") ? item.number("count", 0.0) : 0.0;
  if (!(count >= 0.0 && count <= most))
    return element.error("<replicate> has count " + std::to_string(count), "write at most 10000");
  const auto angles = item.numbers("euler", 3, 3).value_or(std::vector<double>(3, 0.0));
  const Pose step{euler(angles, settings), item.vector("offset")};
  const std::size_t width = std::to_string(static_cast<int>(count)).size();
  Part copy = part.inside({});
  Pose pose;
  for (int i = 0; i < static_cast<int>(count) && num_parts_ < most_parts; ++i) {
    pose.q = euler({i * angles[0], i * angles[1], i * angles[2]}, settings);
    const std::string number = std::to_string(i);
    copy.scope.suffix =
        item.text("sep") + std::string(width - number.size(), '0') + number + part.scope.suffix;
    copy.frame = part.frame * pose;
    add_parts(copy, parts);
    pose.p += pose.q * step.p;
  }
}

/// A body or a frame of a model, or all of its world. Names get the prefix, and the model's own defaults hold.
void Bodies::attach(const Part& part, std::vector<Part>& parts) {
  const Element& element = *part.element;
  const char *model = element.attribute("model"), *body = element.attribute("body"),
             *name = body != nullptr ? body : element.attribute("frame");
  const auto refuse = [&](const std::string& why, const char* remedy) {
    element.error("<attach> " + why, remedy);
  };
  if (!element.reader->has(*element.xml, "prefix")) return;
  if (model == nullptr && name == nullptr) return refuse("names nothing", "write model, body or frame");
  Scope scope = part.scope;
  scope.prefix += element.attribute("prefix");
  if (++scope.depth > 32) return refuse("is in what it attaches", "attach another body");
  if (model != nullptr) {
    const auto found = scope.source->models.find(model);
    if (found == scope.source->models.end())
      return refuse("names model " + in_quotes(model) + ", which does not exist", "add it to <asset>");
    scope.source = found->second;
  }
  if (std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(scope);
  bool is_found = false;
  for (const Element& section : scope.source->document.root().children) {
    if (section.tag() != "worldbody") continue;
    const Part world = Part{&section, scope}.inside(part.frame);
    const auto found = name != nullptr ? find_part(world, body != nullptr ? "body" : "frame", name) : world;
    if (found) name != nullptr ? add_part(*found, parts) : add_parts(*found, parts);
    is_found = is_found || found;
  }
  if (!is_found)
    refuse("names " + in_quotes(name != nullptr ? name : "") + ", which does not exist", "correct the name");
}

void Bodies::add_part(const Part& part, std::vector<Part>& parts) {
  if (++num_parts_ == most_parts)
    part.element->error("the robot has more than 100000 bodies, joints, geoms and sites",
                        "replicate or attach less");
  if (num_parts_ >= most_parts) return;
  const std::string_view tag = part.element->tag();
  if (tag == "replicate") return replicate(part, parts);
  if (tag == "attach") return attach(part, parts);
  parts.push_back(part);
  if (tag != "frame") return;
  parts.back().frame = part.frame * read_pose(Item(*part.element, {}), part.settings());
  add_parts(part.inside(parts.back().frame), parts);
}

void Bodies::add_parts(const Part& in, std::vector<Part>& parts) {
  for (const Element& child : in.element->children) {
    Part part = in;
    part.element = &child;
    add_part(part, parts);
  }
}

std::vector<Part> Bodies::parts_of(const Part& body) {
  std::vector<Part> parts;
  add_parts(body.inside({}), parts);
  return parts;
}

}  // namespace featherline::mjcf
