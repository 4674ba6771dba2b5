#pragma once

#include "support/diagnostic.hpp"

#include <string>

/// Which findings are alike, judged by their texts. See Diagnostics.
namespace featherline {

/// Two findings are reported as one if this text is the same for both.
std::string kind_of(const Diagnostic& finding);

/// What a message is about: its first name in quotes, else its first <element>, else nothing.
std::string subject_text(const std::string& message);

/// What a message says about it: all but subject_text().
std::string without_subject(const std::string& message);

}  // namespace featherline
