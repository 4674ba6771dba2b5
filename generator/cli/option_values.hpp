#pragma once

#include "model/tree.hpp"

#include <string>
#include <vector>

/// The values of flags: text in, checked value out. All throw UsageError, which names the flag.
namespace featherline::cli {

/// "a,b, c" -> {"a", "b", "c"}, over all uses of the flag. Throws for an empty item.
std::vector<std::string> split_list(const std::string& flag, const std::vector<std::string>& texts);

/// A whole finite number, nothing behind it.
double parse_number(const std::string& flag, const std::string& text);

/// Bytes: "160", "1k", "1.5 KiB", "2M", "1 kB"; k is 1024. 0 for an empty text.
int parse_bytes(const std::string& flag, const std::string& text);

/// "X,Y,Z"
model::Vector3 parse_vector(const std::string& flag, const std::string& text);

/// Returns `word`; throws unless it is one of `valid`.
const std::string& one_of(const std::string& flag, const std::string& word,
                          const std::vector<std::string>& valid);

/// Joint names, one a line; blank lines and lines that begin with # do not count.
std::vector<std::string> read_joint_order(const std::string& file);

}  // namespace featherline::cli
