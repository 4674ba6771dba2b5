#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace featherline::emit {

using Replacement = std::pair<std::string_view, std::string>;

/// A skeleton of templates/ by its path there without ".in", as "cpp/robot.hpp"; they are part of the program, no file
/// is read. Throws InternalError for an unknown name.
std::string_view skeleton(std::string_view path);

/// `text` with every {{name}} replaced. A line that holds nothing but one placeholder with an empty value is
/// dropped. Throws InternalError for a placeholder without value, a value without placeholder, and {{ without
/// }}.
std::string render(std::string_view text, std::initializer_list<Replacement> values);

}  // namespace featherline::emit
