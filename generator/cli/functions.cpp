#include "cli/functions.hpp"

#include "algorithms/registry.hpp"
#include "cli/names.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <set>

namespace featherline::cli {
namespace {

using algorithms::Algorithm;

constexpr const char* packed_group = "packed";

std::vector<std::string> groups() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms::registry()) {
    if (std::find(names.begin(), names.end(), algorithm.group) == names.end())
      names.push_back(algorithm.group);
  }
  names.push_back(packed_group);
  return names;
}

/// A function and the group it belongs to.
struct Entry {
  std::string name, group;
};

/// Every algorithm, its packed form behind it.
std::vector<Entry> entries() {
  std::vector<Entry> list;
  for (const Algorithm& algorithm : algorithms::registry()) {
    list.push_back({algorithm.name, algorithm.group});
    if (has_packed_form(algorithm)) list.push_back({packed_name(algorithm), packed_group});
  }
  return list;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

/// The refusal of a function's name: who knows another library is told what its function is called here.
std::string refuse_function(const std::string& word, const std::vector<std::string>& valid) {
  return refuse_word(word, valid, known_elsewhere_as(word, valid));
}

const Algorithm& find_algorithm(const std::string& name) {
  for (const Algorithm& algorithm : algorithms::registry()) {
    if (algorithm.name == name) return algorithm;
  }
  throw UsageError("--formulation: " + refuse_function(name, function_names()));
}

std::vector<std::string> formulation_names(const Algorithm& algorithm) {
  std::vector<std::string> names;
  for (const auto& formulation : algorithm.formulations) names.push_back(formulation.name);
  return names;
}

}  // namespace

std::vector<std::string> resolve_functions(const std::vector<std::string>& words) {
  std::vector<std::string> valid = function_names();
  for (const std::string& group : groups()) valid.push_back(group);
  valid.push_back("all");
  for (const std::string& word : words) {
    const bool known = std::find(valid.begin(), valid.end(), word) != valid.end();
    if (!known) throw UsageError("--functions: " + refuse_function(word, valid));
  }
  const std::set<std::string> asked(words.begin(), words.end());
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    if (asked.count("all") + asked.count(entry.group) + asked.count(entry.name) > 0)
      names.push_back(entry.name);
  }
  return names;
}

std::map<std::string, std::string> resolve_formulations(const std::vector<std::string>& words) {
  std::map<std::string, std::string> forced;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      throw UsageError("--formulation: " + quoted(word) + " is not of the form FUNCTION=NAME");
    }
    const Algorithm& algorithm = find_algorithm(word.substr(0, equals));
    const std::string name = word.substr(equals + 1);
    const std::vector<std::string> valid = formulation_names(algorithm);
    if (valid.empty()) throw UsageError("--formulation: there is only one way to compute " + algorithm.name);
    if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
      throw UsageError("--formulation: " + algorithm.name + ": " + refuse_word(name, valid));
    }
    if (!forced.emplace(algorithm.name, name).second) {
      throw UsageError("--formulation: " + algorithm.name + " is given twice; keep one of them");
    }
  }
  return forced;
}

std::string list_functions() {
  std::string text;
  for (const std::string& group : groups()) {
    text += "  " + group + ":";
    for (const Entry& entry : entries()) {
      if (entry.group == group) text += " " + entry.name;
    }
    text += "\n";
  }
  return text;
}

}  // namespace featherline::cli
