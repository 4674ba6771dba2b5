#pragma once

#include "support/diagnostic.hpp"

#include <string>

namespace featherline {

/// `file:line: error: message; remedy`, without a line end. The line number is left out where it is 0, the
/// remedy with its semicolon where it is empty. A finding that speaks for others of its kind lists them before the
/// remedy: `, likewise 2 others: "b" (line 7), "c" (line 9)`.
std::string format(const Diagnostic& finding);

/// Every finding in sorted order, one per line, and how many were dropped where some were.
std::string format_text(const Diagnostics& findings);

/// A JSON array in sorted order, one object per finding with the keys severity, file, line, element, message
/// and remedy, with "others" (name in quotes, line, element) where it speaks for others, and a last one that says how
/// many were dropped where some were; ends with a line end. Bytes that are no UTF-8 become U+FFFD.
std::string format_json(const Diagnostics& findings);

}  // namespace featherline
