#include "model/chosen_frames.hpp"

#include "model/build_tree.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace featherline::model {
namespace {

/// How a flag lists frames. Contacts are frames with other kinds.
struct Syntax {
  const char* flag;
  const char* items;
  const char* form;
  std::vector<std::string> kinds;
};
const Syntax& of_frames() {
  static const Syntax syntax{
      "--frames",
      "frames",
      "LINK, or NAME=LINK@x,y,z or NAME=LINK@x,y,z,roll,pitch,yaw, each with :point at the end or not",
      {"point"}};
  return syntax;
}
const Syntax& of_contacts() {
  static const Syntax syntax{
      "--contacts", "contacts",
      "LINK, or NAME=LINK@x,y,z or NAME=LINK@x,y,z,roll,pitch,yaw, each with :point, :weld, :normal or "
      ":friction at the end or not, the last two with an axis behind them, @x,y,z of the world or "
      "@local:x,y,z of the frame, or not; or with :sphere=RADIUS at the end",
      constraint_words(true)};
  return syntax;
}

bool has_axis(const std::string& kind) {
  const ConstraintKind* found = find_constraint_kind(kind, true);
  return found != nullptr && found->has_axis;
}
bool has_radius(const std::string& kind) {
  const ConstraintKind* found = find_constraint_kind(kind, true);
  return found != nullptr && found->has_radius;
}

/// Characters that separate parts, and the one that takes their meaning away: "a\\,b" is a link "a,b".
constexpr std::string_view separators = ",=@:\\";

/// A colon means something only before a kind at the end.
std::string with_escapes(const std::string& text) {
  const std::vector<std::string>& kinds = of_contacts().kinds;
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_colon = text[i] == ':';
    const bool is_kind = std::ranges::find(kinds, text.substr(i + 1)) != kinds.end();
    if (separators.find(text[i]) != std::string::npos && (!is_colon || is_kind)) escaped += '\\';
    escaped += text[i];
  }
  return escaped;
}

/// What stands behind a frame.
struct Suffix {
  std::string kind;                     ///< nothing: none
  std::optional<std::string> argument;  ///< the text behind its @ or =: an axis, or a radius
};

/// "foot:normal@0,0,1" becomes "foot". "a\\:point" stays: it is a link of that name.
Suffix take_suffix(std::string& text, const Syntax& syntax) {
  for (const std::string& kind : syntax.kinds) {
    const auto colon = text.rfind(":" + kind);
    if (colon == std::string::npos || (colon > 0 && text[colon - 1] == '\\')) continue;
    const std::string behind = text.substr(colon + 1 + kind.size());
    const bool has_argument =
        !behind.empty() && ((behind[0] == '@' && has_axis(kind)) || (behind[0] == '=' && has_radius(kind)));
    if (!behind.empty() && !has_argument) continue;
    text = trimmed(text.substr(0, colon));
    return {kind, has_argument ? std::optional(behind.substr(1)) : std::nullopt};
  }
  return {};
}

[[noreturn]] void refuse(const Syntax& syntax, const std::string& text, const std::string& why) {
  throw UsageError(fmt::format("{}: {} {}; write {}", syntax.flag, in_quotes(text), why, syntax.form));
}

/// How many numbers stand behind @; nothing where there is none.
std::size_t numbers_of(const std::string& item) {
  const std::vector<std::string> parts = split_at(item, '@');
  return parts.size() < 2 ? 0 : split_at(parts.back(), ',').size();
}

/// The items between commas. The two behind a placement's first number belong to it, and numbers after them.
std::vector<std::string> split_frames(const std::string& text, const Syntax& syntax) {
  std::vector<std::string> items;
  for (const std::string& part : split_at(text, ',')) {
    std::string number = trimmed(part);
    take_suffix(number, syntax);
    const std::size_t count = items.empty() ? 0 : numbers_of(items.back());
    if (count > 0 && (count < 3 || finite_number(number)))
      items.back() += "," + trimmed(part);
    else
      items.push_back(trimmed(part));
  }
  return items;
}

std::vector<double> numbers_in(const std::string& list, const Syntax& syntax, const std::string& text,
                               const char* what) {
  std::vector<double> numbers;
  for (const std::string& number : split_at(list, ',')) {
    const std::optional<double> value = finite_number(trimmed(number));
    if (!value)
      refuse(syntax, text,
             fmt::format("has {} with {}, which is not a finite number", what, in_quotes(trimmed(number))));
    numbers.push_back(*value);
  }
  return numbers;
}

/// "0,0,1", "world:0,0,1" or "local:0,0,1".
void read_axis(const std::string& axis, const std::string& text, FrameRequest& request) {
  const auto colon = axis.find(':');
  if (colon != std::string::npos) {
    const std::string axes = trimmed(axis.substr(0, colon));
    if (axes != "local" && axes != "world")
      refuse(of_contacts(), text, "has an axis in unknown axes: " + refuse_word(axes, {"local", "world"}));
    request.axis_is_local = axes == "local";
  }
  const std::string numbers = colon == std::string::npos ? axis : axis.substr(colon + 1);
  request.axis = numbers_in(numbers, of_contacts(), text, "an axis");
  if (request.axis.size() != 3)
    refuse(of_contacts(), text, fmt::format("has an axis of {} numbers", request.axis.size()));
  if (request.axis == std::vector<double>(3, 0.0)) refuse(of_contacts(), text, "has a zero axis");
}

void read_radius(const Suffix& suffix, const std::string& text, FrameRequest& request) {
  const std::optional<double> radius = finite_number(trimmed(suffix.argument.value_or("")));
  if (!radius || !(*radius > 0.0))
    refuse(of_contacts(), text, "has no radius above zero [m] behind :" + suffix.kind + "=");
  request.radius = *radius;
}

/// "; did you mean :normal?" where a word that is not a kind stands behind a colon.
std::string guess_of_kind(const std::string& link, const Syntax& syntax) {
  const auto colon = link.rfind(':');
  const std::string nearest =
      colon == std::string::npos ? "" : nearest_name(link.substr(colon + 1), syntax.kinds);
  return nearest.empty() ? "" : "; did you mean :" + nearest + "?";
}

bool is_identifier(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return std::isdigit(static_cast<unsigned char>(name[0])) == 0 && std::ranges::all_of(name, is_part);
}

/// A name, as it stands before a "=".
void check_name(const std::string& name, const Syntax& syntax, const std::string& text) {
  if (name.empty()) refuse(syntax, text, "has no name before =");
  if (is_identifier(name)) return;
  const std::string remedy =
      name.find(':') == std::string::npos
          ? "use letters, digits and underscores, and begin with a letter"
          : fmt::format("what stands behind a colon is {}", fmt::join(syntax.kinds, " or "));
  throw UsageError(fmt::format("{}: in {} the name {} is not an identifier; {}", syntax.flag, in_quotes(text),
                               in_quotes(name), remedy));
}

FrameRequest parse_frame(const std::string& text, const Syntax& syntax) {
  FrameRequest request;
  std::string rest = text;
  if (rest.empty()) refuse(syntax, text, "is empty");
  const Suffix suffix = take_suffix(rest, syntax);
  request.kind = suffix.kind;
  if (has_radius(suffix.kind))
    read_radius(suffix, text, request);
  else if (suffix.argument)
    read_axis(*suffix.argument, text, request);
  const std::vector<std::string> sides = split_at(rest, '=');
  if (sides.size() > 2) refuse(syntax, text, "has two =");
  if (sides.size() == 2) {
    request.name = trimmed(without_escapes(sides[0], separators));
    check_name(request.name, syntax, text);
  }
  const std::vector<std::string> places = split_at(sides.back(), '@');
  const std::string guess = guess_of_kind(places[0], syntax);
  if (places.size() > 2) refuse(syntax, text, "has two @" + guess);
  request.link = trimmed(without_escapes(places[0], separators));
  if (request.link.empty()) refuse(syntax, text, "names no link");
  if (places.size() == 1) return request;
  if (request.name.empty()) refuse(syntax, text, "has a placement, but no name" + guess);
  request.placement = numbers_in(places[1], syntax, text, "a placement");
  if (request.placement.size() != 3 && request.placement.size() != 6)
    refuse(syntax, text, fmt::format("has a placement of {} numbers", request.placement.size()));
  return request;
}

int find_link(const Tree& tree, const FrameRequest& request, const Syntax& syntax) {
  if (const int link = find_named(tree.links, request.link); link >= 0) return link;
  const std::string subject = "there is no link " + in_quotes(request.link);
  const std::string pointed = request.link + ":" + request.kind;
  if (!request.kind.empty() && find_named(tree.links, pointed) >= 0)
    throw UsageError(fmt::format("{}: {}; for the link {} write {}", syntax.flag, subject, in_quotes(pointed),
                                 with_escapes(pointed)));
  const auto colon = request.link.rfind(':');
  if (colon != std::string::npos && find_named(tree.links, request.link.substr(0, colon)) >= 0)
    throw UsageError(fmt::format("{}: {}; write :{} at the end, behind the placement if there is one{}",
                                 syntax.flag, subject, fmt::join(syntax.kinds, " or :"),
                                 guess_of_kind(request.link, syntax)));
  std::vector<std::string> names = each(tree.links, &Link::name);
  throw UsageError(fmt::format("{}: {}", syntax.flag, no_such("link", request.link, names)));
}

Placement placement_of(const std::vector<double>& x, double snap_tolerance) {
  Placement X;
  if (x.size() >= 3) X.p = {x[0], x[1], x[2]};
  if (x.size() == 6) X.R = snap_rotation(rotation_from_rpy({x[3], x[4], x[5]}), snap_tolerance);
  return X;
}

std::vector<FrameRequest> parse(const std::string& text, const Syntax& syntax) {
  return each(split_frames(text, syntax), [&](const std::string& item) { return parse_frame(item, syntax); });
}

/// A frame's own name, or that of its link. Normal and friction of one link have different ones.
std::string name_of(const FrameRequest& request) {
  if (!request.name.empty()) return request.name;
  return has_axis(request.kind) ? request.link + "_" + request.kind : request.link;
}

/// A frame that has not the name of one of the others.
template <class Frames>
ChosenFrame choose_frame(const UserTree& tree, const FrameRequest& request, const Frames& others,
                         const Syntax& syntax, double snap_tolerance) {
  ChosenFrame frame;
  frame.link = find_link(tree, request, syntax);
  frame.name = name_of(request);
  frame.placement = placement_of(request.placement, snap_tolerance);
  frame.point = request.kind == "point";
  for (const auto& other : others) {
    if (other.name == frame.name)
      throw UsageError(fmt::format("{}: two {} have the name {}; write NAME={} for one of them", syntax.flag,
                                   syntax.items, in_quotes(frame.name), with_escapes(request.link)));
  }
  return frame;
}

}  // namespace

std::vector<FrameRequest> parse_frames(const std::string& text) { return parse(text, of_frames()); }
std::vector<FrameRequest> parse_contacts(const std::string& text) { return parse(text, of_contacts()); }

std::string text_of(const std::vector<FrameRequest>& frames) {
  std::string text;
  for (const FrameRequest& frame : frames) {
    if (!text.empty()) text += ",";
    if (!frame.name.empty()) text += frame.name + "=";
    text += with_escapes(frame.link);
    if (!frame.placement.empty()) text += fmt::format("@{}", fmt::join(frame.placement, ","));
    if (!frame.kind.empty()) text += ":" + frame.kind;
    if (has_radius(frame.kind)) text += fmt::format("={}", frame.radius);
    if (!frame.axis.empty())
      text += fmt::format("@{}{}", frame.axis_is_local ? "local:" : "", fmt::join(frame.axis, ","));
  }
  return text;
}

const std::vector<FramePart>& frame_parts() {
  static const std::vector<FramePart> parts{{"poses", {"p", "R"}, false},
                                            {"positions", {"p"}, false},
                                            {"velocities", {"V"}, true},
                                            {"jacobians", {"J"}, false},
                                            {"bias", {"b"}, true}};
  return parts;
}

const std::vector<FrameAxesName>& frame_axes_names() {
  static const std::vector<FrameAxesName> names{{"local_world_aligned", FrameAxes::local_world_aligned},
                                                {"local", FrameAxes::local},
                                                {"world", FrameAxes::world}};
  return names;
}

const std::string& name_of(FrameAxes axes) { return frame_axes_names()[static_cast<std::size_t>(axes)].name; }

std::string describe(FrameAxes axes) {
  constexpr const char* by_axes[] = {
      "at the frame's origin, in the axes of the world", "at the frame's origin, in the frame's axes",
      "at the world's origin, in its axes; of position-only frames at their own origin"};
  return by_axes[static_cast<std::size_t>(axes)];
}

ChosenFrames choose_frames(const UserTree& tree, const std::vector<FrameRequest>& requests, FrameAxes axes,
                           double snap_tolerance) {
  ChosenFrames frames;
  frames.axes = axes;
  for (const FrameRequest& request : requests) {
    ChosenFrame frame = choose_frame(tree, request, frames.chosen, of_frames(), snap_tolerance);
    frame.first_row = frames.num_rows();
    frames.chosen.push_back(std::move(frame));
  }
  return frames;
}

std::vector<Constraint> choose_contacts(const UserTree& tree, const std::vector<FrameRequest>& requests,
                                        double snap_tolerance) {
  std::vector<Constraint> contacts;
  for (const FrameRequest& request : requests) {
    const ChosenFrame frame = choose_frame(tree, request, contacts, of_contacts(), snap_tolerance);
    if (body_of(tree, frame) < 0)
      throw UsageError(fmt::format(
          "{}: link {} does not move, so a contact on it holds nothing; leave it out, or pass --base "
          "floating if the robot does not stand fixed in the world",
          of_contacts().flag, in_quotes(request.link)));
    Constraint contact;
    contact.name = frame.name;
    contact.type = find_constraint_kind(request.kind.empty() ? "point" : request.kind, true)->type;
    contact.anchors = {frame};
    contact.radius = request.radius;
    if (kind_of(contact.type).has_axis) {
      const Vector3 axis =
          request.axis.empty() ? Vector3(Vector3::UnitZ()) : Vector3(request.axis.data()).stableNormalized();
      Matrix3& R = contact.anchors.front().placement.R;
      if (request.axis_is_local)
        R = snap_rotation(R * plane_axes(axis), snap_tolerance);
      else
        contact.world_axes = plane_axes(axis);
    }
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace featherline::model
