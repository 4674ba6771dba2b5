#include "cli/function_words.hpp"

#include "catalog/functions.hpp"

#include "support/diagnostic.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <set>

namespace featherline::cli {
namespace {

using catalog::FunctionSpec;

std::vector<std::string> group_names() {
  std::vector<std::string> names;
  for (const catalog::Group& group : catalog::groups()) names.push_back(group.name);
  names.emplace_back(catalog::packed_group);
  return names;
}

/// A function and the group it belongs to.
struct FunctionEntry {
  std::string name, group;
};

/// Every function, each followed by its packed form.
std::vector<FunctionEntry> entries() {
  std::vector<FunctionEntry> list;
  for (const FunctionSpec& function : catalog::functions()) {
    list.push_back({function.name, function.group.name});
    if (has_packed_form(function)) list.push_back({packed_name(function), catalog::packed_group});
  }
  return list;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionEntry& entry : entries()) names.push_back(entry.name);
  return names;
}

/// The name in `names` that is `word` in another style; empty if there is none.
std::string in_our_style(const std::string& word, const std::vector<std::string>& names) {
  const std::string wanted = plain(word);
  const auto same =
      std::find_if(names.begin(), names.end(), [&](const auto& name) { return plain(name) == wanted; });
  return same == names.end() || wanted.empty() ? std::string() : *same;
}

/// The message that refuses the name of a function. If it is the name in another library, the message gives our name.
std::string refuse_function(const std::string& word, const std::vector<std::string>& valid) {
  for (const FunctionSpec& function : catalog::functions()) {
    if (has_nonzeros_form(function) && word == nonzeros_name(function))
      return in_quotes(word) + " comes with " + in_quotes(function.name) +
             ", if that has structural zeros on the robot; ask for " + in_quotes(function.name);
  }
  const std::string ours = in_our_style(word, valid);
  const ForeignName* foreign = ours.empty() ? find_foreign_name(word) : nullptr;
  const std::string help = "featherline generate --help lists all functions";
  if (foreign != nullptr) return describe(*foreign, word) + "; " + help;
  const std::string near = ours.empty() ? nearest_name(word, valid) : ours;
  const std::string guess = near.empty() ? "the groups are " + join(group_names()) + "; "
                                         : "did you mean " + in_quotes(near) + "? ";
  return in_quotes(word) + " is not a function; " + guess + help;
}

const FunctionSpec& find_function(const std::string& name) {
  for (const FunctionSpec& function : catalog::functions()) {
    if (function.name == name) return function;
  }
  throw UsageError("--formulation: " + refuse_function(name, function_names()));
}

std::vector<std::string> formulation_names(const FunctionSpec& function) {
  std::vector<std::string> names;
  for (const auto& formulation : function.formulations) names.push_back(formulation.name);
  return names;
}

}  // namespace

std::vector<std::string> resolve_functions(const std::vector<std::string>& words) {
  std::vector<std::string> valid = function_names();
  for (const std::string& group : group_names()) valid.push_back(group);
  valid.push_back("all");
  for (const std::string& word : words) {
    const bool known = std::find(valid.begin(), valid.end(), word) != valid.end();
    if (!known) throw UsageError("--functions: " + refuse_function(word, valid));
  }
  const std::set<std::string> asked(words.begin(), words.end());
  std::vector<std::string> names;
  for (const FunctionEntry& entry : entries()) {
    if (asked.count("all") + asked.count(entry.group) + asked.count(entry.name) > 0)
      names.push_back(entry.name);
  }
  return names;
}

void check_formulations(const Options& options) {
  for (const auto& [asked, name] : options.formulations) {
    const FunctionSpec& function = find_function(asked);
    const std::vector<std::string> valid = formulation_names(function);
    if (valid.empty()) throw UsageError("--formulation: there is only one way to compute " + asked);
    if (std::find(valid.begin(), valid.end(), name) == valid.end())
      throw UsageError("--formulation: " + asked + ": " + refuse_word(name, valid) +
                       "; featherline generate --help says what each one does");
    const auto is_asked = [&](const std::string& form) { return catalog::find(form) == &function; };
    if (std::none_of(options.functions.begin(), options.functions.end(), is_asked))
      throw UsageError("--formulation: " + asked + " is not among the functions of this run: " +
                       join(options.functions) + "; leave it out, or add " + asked + " to --functions");
  }
}

std::string list_functions() {
  std::string text;
  for (const std::string& group : group_names()) {
    text += "  " + group + ":";
    for (const FunctionEntry& entry : entries()) {
      if (entry.group == group) text += " " + entry.name;
    }
    text += "\n";
  }
  return text;
}

}  // namespace featherline::cli
