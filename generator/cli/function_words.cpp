#include "cli/commands.hpp"

#include "catalog/functions.hpp"
#include "emit/identifiers.hpp"
#include "support/text.hpp"

#include <set>

namespace featherline::cli {
namespace {

using catalog::FunctionSpec;

std::vector<std::string> group_names() {
  std::vector<std::string> names = each(catalog::groups(), &catalog::Group::name);
  names.emplace_back(catalog::packed_group);
  return names;
}

/// Every function with the group it belongs to, each followed by its packed form.
std::vector<std::pair<std::string, std::string>> entries() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const FunctionSpec& function : catalog::functions()) {
    list.emplace_back(function.name, function.group.name);
    if (has_packed_form(function)) list.emplace_back(packed_name(function), catalog::packed_group);
  }
  return list;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& [name, group] : entries()) names.push_back(name);
  return names;
}

/// The name in `names` that is `word` in another style; empty if there is none.
std::string in_our_style(const std::string& word, const std::vector<std::string>& names) {
  const std::string wanted = plain(word);
  const auto same = std::ranges::find(names, wanted, plain);
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

/// The table of templates/foreign_names.in. Its lines live as long as the program.
std::vector<ForeignName> read_foreign_names() {
  std::vector<ForeignName> names;
  std::string_view rest = emit::skeleton("foreign_names"), library;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      library = line.substr(1, line.size() - 2);
      continue;
    }
    const std::size_t colon = std::min(line.find(": "), line.size()),
                      equals = std::min(line.substr(0, colon).find(" = "), colon);
    names.push_back({line.substr(0, equals),
                     equals < colon ? line.substr(equals + 3, colon - equals - 3) : "",
                     colon < line.size() ? line.substr(colon + 2) : "", library});
  }
  return names;
}

}  // namespace

std::vector<std::string> resolve_functions(const std::vector<std::string>& words) {
  std::vector<std::string> valid = function_names();
  for (const std::string& group : group_names()) valid.push_back(group);
  valid.push_back("all");
  for (const std::string& word : words) {
    if (std::ranges::find(valid, word) == valid.end())
      throw UsageError("--functions: " + refuse_function(word, valid));
  }
  const std::set<std::string> asked(words.begin(), words.end());
  std::vector<std::string> names;
  for (const auto& [name, group] : entries()) {
    if (asked.count("all") + asked.count(group) + asked.count(name) > 0) names.push_back(name);
  }
  return names;
}

void check_formulations(const Options& options) {
  for (const auto& [asked, name] : options.formulations) {
    const auto function = std::ranges::find(catalog::functions(), asked, &FunctionSpec::name);
    if (function == catalog::functions().end())
      throw UsageError("--formulation: " + refuse_function(asked, function_names()));
    std::vector<std::string> valid = each(function->formulations, &catalog::Formulation::name);
    if (valid.empty()) throw UsageError("--formulation: there is only one way to compute " + asked);
    if (std::ranges::find(valid, name) == valid.end())
      throw UsageError("--formulation: " + asked + ": " + refuse_word(name, valid) +
                       "; featherline generate --help says what each one does");
    const auto is_asked = [&](const std::string& form) { return catalog::find(form) == &*function; };
    if (std::ranges::none_of(options.functions, is_asked))
      throw UsageError("--formulation: " + asked + " is not among the functions of this run: " +
                       join(options.functions) + "; leave it out, or add " + asked + " to --functions");
  }
}

std::string list_functions() {
  std::string text;
  for (const std::string& listed : group_names()) {
    text += "  " + listed + ":";
    for (const auto& [name, group] : entries()) {
      if (group == listed) text += " " + name;
    }
    text += "\n";
  }
  return text;
}

std::string plain(std::string_view word) {
  std::string text = in_lower_case(word.substr(word.find_last_of(":.") + 1));
  std::erase_if(text, [](char c) { return c == '_' || c == '-'; });
  return text;
}

const std::vector<ForeignName>& foreign_names() {
  static const std::vector<ForeignName> names = read_foreign_names();
  return names;
}

const ForeignName* find_foreign_name(std::string_view word) {
  const auto found = std::ranges::find(foreign_names(), plain(word), &ForeignName::theirs);
  return found == foreign_names().end() ? nullptr : &*found;
}

std::string describe(const ForeignName& name, std::string_view word) {
  std::string text = in_quotes(word);
  if (!name.library.empty()) text += " of " + std::string(name.library);
  text += name.ours.empty() ? " does not exist here" : " is " + in_quotes(name.ours) + " here";
  if (!name.note.empty()) text += ": " + std::string(name.note);
  return text;
}

}  // namespace featherline::cli
