#pragma once

#include <string_view>

namespace featherline {

/// Everything that can be warned about. Users know it by its name and accept it by that (--accept), so names stay. The
/// guide (runtime/guide/robots.md) says what each means.
// clang-format off
inline constexpr std::string_view finding_names[] = {
    "unnamed-robot", "undeclared-world", "second-element", "commas", "unknown-attribute", "axis-scaled",
    "quaternion-scaled", "missing-products", "missing-mass", "missing-inertia", "zero-pitch", "foreign-joint-type",
    "spaces-in-name", "long-name", "missing-axis", "missing-limit", "useless-limit", "limits-exchanged",
    "limits-equal", "negative-value", "looks-like-millimetres", "looks-like-degrees", "looks-like-grams",
    "far-center-of-mass", "large-inertia", "dense-link", "near-right-angle", "snapped-angle", "urdfdom-refuses",
    "urdfdom-differs", "inertia-rounding", "unphysical-inertia", "inertia-without-mass", "impossible-inertia",
    "zero-moment", "missing-mesh", "massless-joint", "mimic-of-fixed-joint", "mimic-of-zero", "lock-outside-limits",
    "no-inverse", "no-mass", "forces-left-out", "geometry-left-out", "large-left-out", "unused-constraints",
    "half-turn", "dependent-constraints", "renamed", "choices-version", "choices-machine"};
// clang-format on

/// One of these names: the compiler refuses others.
struct Finding {
  consteval Finding(const char* wanted) : name(wanted) {
    bool is_there = false;
    for (const std::string_view known : finding_names) is_there = is_there || known == name;
    if (!is_there) throw "there is no finding of this name";
  }
  std::string_view name;
};

}  // namespace featherline
