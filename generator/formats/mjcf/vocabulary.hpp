#pragma once

#include "formats/mjcf/document.hpp"

namespace featherline::mjcf {

/// Reports what MJCF does not have and what we do not read although dynamics depends on it. What has no part in the
/// result (appearance, contacts, sensors) is not looked at.
void check_vocabulary(const Element& root, UnknownWords unknown);

}  // namespace featherline::mjcf
