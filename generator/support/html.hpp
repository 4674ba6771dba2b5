#pragma once

#include <string>
#include <string_view>

/// Text and names of a URDF on their way into HTML, SVG and labels of Graphviz.
namespace featherline {

/// `text` for the inside of an element or of an attribute in quotes: & < > " ' are escaped.
std::string escape_html(std::string_view text);

/// A name as users see it: in printable characters, without quotes around it, without its middle if it is long. It is
/// not escaped.
std::string shown_name(std::string_view name);

/// Both.
inline std::string html_name(std::string_view name) { return escape_html(shown_name(name)); }

}  // namespace featherline
