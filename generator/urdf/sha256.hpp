#pragma once

#include <string>
#include <string_view>

namespace featherline::urdf {

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits. Source: FIPS 180-4, sections 4 to 6.
std::string sha256(std::string_view bytes);

}  // namespace featherline::urdf
