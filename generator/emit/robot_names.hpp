#pragma once

#include "emit/emit.hpp"
#include "emit/kernel_printer.hpp"
#include "model/tree.hpp"

#include <string>
#include <vector>

namespace featherline::emit {

/// Enumerators of Link, by link.
std::vector<std::string> link_enumerators(const model::Tree& tree);

/// "    a,\n    b,"; a single `placeholder` where there is nothing, since C++ has no empty arrays.
std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder);

/// What stands between the braces of joint_names[] and link_names[].
std::string joint_name_rows(const model::Tree& tree);
std::string link_name_rows(const model::Tree& tree);

/// Names of the pose step functions, by body.
std::vector<std::string> pose_step_names(const model::CanonicalTree& tree);

/// Bodies whose joint has coordinates of its own, in the order of q; a coupled mimic joint has none.
std::vector<int> independent_joints(const model::Tree& tree);

/// Longest name of a link or joint in a comment.
inline constexpr std::size_t longest_in_comment = 32;

/// By entry of v: "elbow", or "base.rx" for one direction of a joint that has several.
std::vector<std::string> coordinate_names(const model::UserTree& tree);

/// Names for what a function stores, by the joints of its rows and columns; nothing where its outputs have other sizes.
EntryNames entry_names(const FunctionRequest& function, const model::UserTree& tree);

}  // namespace featherline::emit
