#include "cli/option_values.hpp"

#include "cli/nearest_name.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>

namespace featherline::cli {
namespace {

std::string trim(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return items;
}

}  // namespace

std::vector<std::string> split_list(const std::string& flag, const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) {
    for (const std::string& item : split(text)) {
      if (item.empty()) throw UsageError(flag + ": " + quoted(text) + " has an empty item; write A,B,C");
      items.push_back(item);
    }
  }
  return items;
}

double parse_number(const std::string& flag, const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    throw UsageError(flag + ": " + quoted(text) + " is not a finite number");
  }
  return value;
}

int parse_bytes(const std::string& flag, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string unit = trim(std::string(rest, end));
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
  const double factor = unit.empty() || unit == "b"                    ? 1.0
                        : unit == "k" || unit == "kb" || unit == "kib" ? 1024.0
                        : unit == "m" || unit == "mb" || unit == "mib" ? 1024.0 * 1024.0
                                                                       : 0.0;
  const double bytes = std::floor(value * factor);
  if (error != std::errc() || !(bytes >= 1.0 && bytes <= 1e9)) {
    throw UsageError(flag + ": " + quoted(text) +
                     " is not a size of at least one byte; write 2000, 1k, 1.5KiB or 2M "
                     "(k is 1024)");
  }
  return static_cast<int>(bytes);
}

model::Vector3 parse_vector(const std::string& flag, const std::string& text) {
  const std::vector<std::string> items = split(text);
  if (items.size() != 3) throw UsageError(flag + ": " + quoted(text) + " is not of the form X,Y,Z");
  return {parse_number(flag, items[0]), parse_number(flag, items[1]), parse_number(flag, items[2])};
}

const std::string& one_of(const std::string& flag, const std::string& word,
                          const std::vector<std::string>& valid) {
  if (std::find(valid.begin(), valid.end(), word) == valid.end()) {
    throw UsageError(flag + ": " + refuse_word(word, valid));
  }
  return word;
}

std::vector<std::string> read_joint_order(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    const std::string name = trim(line);
    if (!name.empty() && name.front() != '#') names.push_back(name);
  }
  if (!in.eof()) {  // a folder opens, too, but does not read
    throw UsageError("--joint-order: " + quoted(file) +
                     " cannot be read; name a text file with one joint name a line");
  }
  return names;
}

}  // namespace featherline::cli
