#include "model/chosen_frames.hpp"

#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "support/escaped_text.hpp"
#include "support/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace featherline::model {
namespace {

/// How a flag lists frames. Contacts are frames with other suffixes.
struct Syntax {
  const char* flag;
  const char* items;
  const char* form;
  std::vector<std::string> suffixes;
};
const Syntax of_frames{
    "--frames",
    "frames",
    "LINK, or NAME=LINK@x,y,z or NAME=LINK@x,y,z,roll,pitch,yaw, each with :point at the end or not",
    {":point"}};
const Syntax of_contacts{"--contacts",
                         "contacts",
                         "LINK, or NAME=LINK@x,y,z or NAME=LINK@x,y,z,roll,pitch,yaw, each with :point or "
                         ":weld at the end or not",
                         {":point", ":weld"}};

/// Characters that separate parts, and the one that takes their meaning away: "a\\,b" is a link "a,b".
constexpr std::string_view separators = ",=@:\\";

/// A colon means something only before a suffix.
std::string with_escapes(const std::string& text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_colon = text[i] == ':';
    const std::string rest = text.substr(i);
    const bool is_suffix = rest == of_contacts.suffixes[0] || rest == of_contacts.suffixes[1];
    if (separators.find(text[i]) != std::string::npos && (!is_colon || is_suffix)) escaped += '\\';
    escaped += text[i];
  }
  return escaped;
}

/// "foot:point" becomes "foot", and ":point" is returned. "a\\:point" stays: it is a link of that name.
std::string take_suffix(std::string& text, const Syntax& syntax) {
  for (const std::string& suffix : syntax.suffixes) {
    if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix) continue;
    if (text.size() > suffix.size() && text[text.size() - suffix.size() - 1] == '\\') continue;
    text = trimmed(text.substr(0, text.size() - suffix.size()));
    return suffix;
  }
  return "";
}

[[noreturn]] void refuse(const Syntax& syntax, const std::string& text, const std::string& why) {
  throw UsageError(fmt::format("{}: {} {}; write {}", syntax.flag, quoted(text), why, syntax.form));
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

FrameRequest parse_frame(const std::string& text, const Syntax& syntax) {
  const auto refuse = [&](const std::string& item, const std::string& why) {
    model::refuse(syntax, item, why);
  };
  FrameRequest request;
  std::string rest = text;
  if (rest.empty()) refuse(text, "is empty");
  const std::string suffix = take_suffix(rest, syntax);
  request.point = suffix == ":point";
  request.weld = suffix == ":weld";
  const std::vector<std::string> sides = split_at(rest, '=');
  if (sides.size() > 2) refuse(text, "has two =");
  if (sides.size() == 2) {
    request.name = trimmed(without_escapes(sides[0], separators));
    if (request.name.empty()) refuse(text, "has no name before =");
  }
  const std::vector<std::string> places = split_at(sides.back(), '@');
  if (places.size() > 2) refuse(text, "has two @");
  request.link = trimmed(without_escapes(places[0], separators));
  if (request.link.empty()) refuse(text, "names no link");
  if (places.size() == 1) return request;
  if (request.name.empty()) refuse(text, "has a placement, but no name");
  for (const std::string& number : split_at(places[1], ',')) {
    const std::optional<double> value = finite_number(trimmed(number));
    if (!value)
      refuse(text, "has a placement with " + quoted(trimmed(number)) + ", which is not a finite number");
    request.placement.push_back(*value);
  }
  if (request.placement.size() != 3 && request.placement.size() != 6)
    refuse(text, fmt::format("has a placement of {} numbers", request.placement.size()));
  return request;
}

bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

int find_link(const Tree& tree, const FrameRequest& request, const Syntax& syntax) {
  const char* flag = syntax.flag;
  std::vector<std::string> names;
  for (const Link& link : tree.links) names.push_back(link.name);
  const auto found = std::find(names.begin(), names.end(), request.link);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const auto colon = request.link.rfind(':');
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::string pointed = request.link + (request.weld ? ":weld" : ":point");
  if ((request.point || request.weld) && has(pointed))
    throw UsageError(fmt::format("{}: there is no link {}; for the link {} write {}", flag,
                                 quoted(request.link), quoted(pointed), with_escapes(pointed)));
  if (colon != std::string::npos && has(request.link.substr(0, colon)))
    throw UsageError(
        fmt::format("{}: there is no link {}; write {} at the end, behind the placement if there is one",
                    flag, quoted(request.link), fmt::join(syntax.suffixes, " or ")));
  const std::string nearest = nearest_name(request.link, names);
  throw UsageError(fmt::format(
      "{}: there is no link {}{}", flag, quoted(request.link),
      nearest.empty() ? "; featherline inspect lists the links" : "; did you mean " + quoted(nearest) + "?"));
}

Placement placement_of(const std::vector<double>& x, double snap_tolerance) {
  Placement X;
  if (x.size() >= 3) X.p = {x[0], x[1], x[2]};
  if (x.size() == 6) X.R = snap_rotation(rotation_from_rpy({x[3], x[4], x[5]}), snap_tolerance);
  return X;
}

}  // namespace

std::vector<FrameRequest> parse_frames(const std::string& text) {
  std::vector<FrameRequest> frames;
  for (const std::string& item : split_frames(text, of_frames))
    frames.push_back(parse_frame(item, of_frames));
  return frames;
}

std::vector<FrameRequest> parse_contacts(const std::string& text) {
  std::vector<FrameRequest> contacts;
  for (const std::string& item : split_frames(text, of_contacts))
    contacts.push_back(parse_frame(item, of_contacts));
  return contacts;
}

std::string text_of(const std::vector<FrameRequest>& frames) {
  std::string text;
  for (const FrameRequest& frame : frames) {
    if (!text.empty()) text += ",";
    if (!frame.name.empty()) text += frame.name + "=";
    text += with_escapes(frame.link);
    for (std::size_t k = 0; k < frame.placement.size(); ++k)
      text += fmt::format("{}{}", k == 0 ? '@' : ',', frame.placement[k]);
    if (frame.point) text += ":point";
    if (frame.weld) text += ":weld";
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

const std::string& name_of(FrameAxes axes) {
  for (const FrameAxesName& entry : frame_axes_names()) {
    if (entry.axes == axes) return entry.name;
  }
  throw InternalError("axes without a name");
}

std::string describe(FrameAxes axes) {
  switch (axes) {
    case FrameAxes::local_world_aligned:
      return "at the frame's origin, in the axes of the world";
    case FrameAxes::local:
      return "at the frame's origin, in the frame's axes";
    case FrameAxes::world:
      return "at the world's origin, in its axes; of position-only frames at their own origin";
  }
  throw InternalError("axes without a description");
}

namespace {

/// A frame that has not the name of one of the others.
template <class Frames>
ChosenFrame choose_frame(const UserTree& tree, const FrameRequest& request, const Frames& others,
                         const Syntax& syntax, double snap_tolerance) {
  ChosenFrame frame;
  frame.link = find_link(tree, request, syntax);
  frame.name = request.name.empty() ? request.link : request.name;
  frame.placement = placement_of(request.placement, snap_tolerance);
  frame.is_at_link = frame.placement.p.isZero(0.0) && frame.placement.R == Matrix3::Identity();
  frame.point = request.point;
  if (!request.name.empty() && !is_identifier(request.name))
    throw UsageError(
        fmt::format("{}: the name {} is not an identifier; use letters, digits and underscores, "
                    "and begin with a letter",
                    syntax.flag, quoted(request.name)));
  for (const auto& other : others) {
    if (other.name == frame.name)
      throw UsageError(fmt::format("{}: two {} have the name {}; write NAME={} for one of them", syntax.flag,
                                   syntax.items, quoted(frame.name), with_escapes(request.link)));
  }
  return frame;
}

}  // namespace

ChosenFrames choose_frames(const UserTree& tree, const std::vector<FrameRequest>& requests, FrameAxes axes,
                           double snap_tolerance) {
  ChosenFrames frames;
  frames.axes = axes;
  for (const FrameRequest& request : requests) {
    ChosenFrame frame = choose_frame(tree, request, frames.chosen, of_frames, snap_tolerance);
    frame.first_row = frames.num_rows();
    frames.chosen.push_back(std::move(frame));
  }
  return frames;
}

std::vector<Constraint> choose_contacts(const UserTree& tree, const std::vector<FrameRequest>& requests,
                                        double snap_tolerance) {
  std::vector<Constraint> contacts;
  for (const FrameRequest& request : requests) {
    const ChosenFrame frame = choose_frame(tree, request, contacts, of_contacts, snap_tolerance);
    if (tree.links[static_cast<std::size_t>(frame.link)].body < 0)
      throw UsageError(
          fmt::format("{}: link {} does not move, so a contact on it holds nothing; leave it out",
                      of_contacts.flag, quoted(request.link)));
    Constraint contact;
    contact.name = frame.name;
    contact.type = request.weld ? ConstraintType::contact_weld : ConstraintType::contact_point;
    contact.anchors = {{frame.link, frame.placement}};
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

Placement frame_in_body(const Tree& tree, const ChosenFrame& frame) {
  const Placement& link = tree.links[static_cast<std::size_t>(frame.link)].placement;
  return frame.is_at_link ? link : link * frame.placement;
}

}  // namespace featherline::model
