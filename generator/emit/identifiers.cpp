#include "emit/identifiers.hpp"

#include "description/checks.hpp"
#include "emit/function_files.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace featherline::emit {
namespace {

constexpr std::size_t max_length = 64;

std::vector<std::string> words_of(const char* list) {
  const auto words = description::split_words(skeleton(std::string("words/") + list));
  return {words.begin(), words.end()};
}

/// Families of macros in <cmath>, <climits>, <cstdlib> and in the libraries emitted code meets.
constexpr std::string_view macro_prefixes[] = {"M_",    "FP_",   "INT_",   "UINT_",        "EXIT_",
                                               "HUGE_", "MATH_", "EIGEN_", "FEATHERLINE_", "XSIMD_"};

bool looks_like_macro(std::string_view name) {
  return std::ranges::any_of(macro_prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// FNV-1a over all bytes, eight hexadecimal digits.
std::string hash(std::string_view text) {
  std::uint32_t value = 2166136261U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", value);
}

std::string replace_foreign_characters(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_identifier_character(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

template <class List>
std::vector<std::string> enumerators(const char* fallback, const List& list) {
  Namer namer(fallback);
  // The header's constants: g++ calls an enumerator of the same name shadowing.
  for (const std::string& constant : header_constants()) namer.reserve(constant);
  return each(list, [&](const auto& entry) { return namer.take(entry.name); });
}

/// What an entry of a joint's velocity is called behind its name; nothing where it is the only one.
std::string direction(const model::JointRow& row, const model::Motion& motion) {
  if (row.has_one_axis()) return "";
  const auto axis = static_cast<std::size_t>(motion.along);
  if (row.moves_on_axes())
    return motion.turns() ? (motion.along == model::Direction::axis2 ? ".turn2" : ".turn") : ".shift";
  const char* letters[] = {"x", "y", "z", "z"};  // a planar joint turns about its normal
  return std::string(motion.turns() ? ".r" : ".") + letters[axis];
}

/// "shoulder, elbow": what the places of an entry along the sides of its array belong to; of a side of 2 nv places
/// "q elbow" or "v elbow". Empty where a side has nothing to do with joints.
std::string entry_name(const std::vector<std::string>& coordinates, const catalog::Shape& shape, int entry) {
  const int nv = static_cast<int>(coordinates.size());
  std::vector<std::string> names;
  for (const catalog::Dimension& side : shape.sides()) {
    if (side.of != catalog::nv.of) return "";
    const int place = entry % (side.factor * nv);
    names.push_back((side.factor == 1 ? "" : place < nv ? "q " : "v ") + coordinates[index(place % nv)]);
    entry /= side.factor * nv;
  }
  return join(names, ", ");
}

/// By output and packed entry: a place in the dense array, the first of several.
std::vector<std::vector<int>> dense_places(const LoweredFunction& function) {
  std::vector<std::vector<int>> places;
  for (std::size_t o = 0; o < function.packed_maps->size(); ++o) {
    places.emplace_back(index(function.kernel.outputs[o].size), -1);
    for (const passes::PackedEntry& entry : (*function.packed_maps)[o]) {
      int& place = places.back()[index(entry.packed_index)];
      if (place < 0 && !entry.negated) place = entry.dense_index;
    }
  }
  return places;
}

/// By entry of v: "elbow", or "base.rx" for one direction of a joint that has several.
std::vector<std::string> coordinate_names(const model::UserTree& tree) {
  std::vector<std::string> names(index(tree.nv));
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // moves with its driver's coordinate
    std::size_t k = index(body.joint.idx_v);
    const model::JointRow& row = body.joint.row();
    for (const model::Motion& motion : row.motions)
      names[k++] = comment_safe(body.joint.name, longest_in_comment) + direction(row, motion);
  }
  return names;
}

}  // namespace

std::string identifier(std::string_view text, std::string_view fallback) {
  std::string name = replace_foreign_characters(text);
  if (name.empty()) return std::string(fallback);
  if (name.front() >= '0' && name.front() <= '9') name = std::string(fallback) + "_" + name;
  if (name.size() > max_length) name = name.substr(0, max_length - 9) + "_" + hash(text);
  // C++17/20 keywords and alternative tokens, and namespaces the emitted code lives with. <cmath> and its kin bring
  // functions and macros of C into the global scope, where the robot's namespace is declared.
  static const std::vector<std::string> names = words_of("reserved_names");
  static const std::unordered_set<std::string> reserved(names.begin(), names.end());
  if (reserved.contains(name) || looks_like_macro(name)) name += "_" + std::string(fallback);
  const std::size_t doubled = name.find("__");  // shortening may have cut right behind an underscore
  return doubled == std::string::npos ? name : name.erase(doubled, 1);
}

std::string Namer::take(std::string_view wanted) {
  const std::string plain = identifier(wanted, fallback_);
  if (taken_.insert(plain).second) return plain;
  for (int& suffix = next_suffix_.try_emplace(plain, 2).first->second;; ++suffix) {
    std::string candidate = plain + "_" + std::to_string(suffix);
    if (taken_.insert(candidate).second) return candidate;
  }
}

std::string Namer::take_temporary() {
  while (true) {
    std::string candidate = "t" + std::to_string(++temporaries_);
    if (taken_.insert(candidate).second) return candidate;
  }
}

std::string emitted_name(const std::string& requested) { return identifier(requested, "robot"); }

bool hides_system_header(const std::string& name) {
  return std::ranges::count(words_of("system_headers"), name) > 0;
}

const std::vector<std::string>& header_constants() {
  static const std::vector<std::string> names = words_of("header_constants");
  return names;
}

std::vector<std::string> link_enumerators(const model::Tree& tree) { return enumerators("link", tree.links); }

std::vector<std::string> frame_enumerators(const model::Tree& tree) {
  return enumerators("frame", tree.frames.chosen);
}

std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder) {
  if (entries.empty()) return "    " + placeholder + "  // there is none: num_... is 0";
  return "    " + join(entries, ",\n    ") + ",";
}

std::vector<std::string> pose_step_names(const model::CanonicalTree& tree) {
  Namer namer("body");
  namer.reserve("pose");       // a parameter, and
  namer.reserve("pose_step");  // the switch over the steps
  return each(tree.bodies, [&](const model::Body& body) { return namer.take("pose_" + body.name); });
}

std::vector<int> independent_joints(const model::Tree& tree) {
  std::vector<int> bodies;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].joint.mimics < 0) bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

EntryNames entry_names(const LoweredFunction& function, const model::UserTree& tree) {
  std::vector<catalog::Shape> shapes = each(function.spec->outputs, &catalog::Argument::shape);
  const std::vector<std::string> coordinates = coordinate_names(tree);
  if (!function.packed_maps) {
    return [=](int output, int entry) { return entry_name(coordinates, shapes[index(output)], entry); };
  }
  return [=, places = dense_places(function)](int output, int entry) {
    const auto o = index(output);
    const int place = places[o][index(entry)];
    return place < 0 ? "" : entry_name(coordinates, shapes[o], place);
  };
}

}  // namespace featherline::emit
