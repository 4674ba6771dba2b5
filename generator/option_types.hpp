#pragma once

#include "option_table.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// The types of options, each with its reader and its printer. An option is a member of CommandLine, of Options or of
/// model::BuildOptions.
namespace featherline::cli {

using Texts = std::vector<std::string>;

/// Words and the values that they stand for.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

template <class Class, class Value>
Value& member_of(CommandLine& line, Value Class::*member) {
  if constexpr (std::is_same_v<Class, CommandLine>)
    return line.*member;
  else if constexpr (std::is_same_v<Class, Options>)
    return line.options.*member;
  else
    return line.options.build.*member;
}

/// Refuses a word that is not one of `valid`.
void one_of(const std::string& flag, const std::string& word, const Texts& valid);
/// "a,b, c" becomes {"a", "b", "c"}, over all uses of the flag. Refuses an empty item. "\\," is a comma in an item.
Texts split_list(const Given& given);
/// The whole text as one finite number.
double finite(const Given& given, const std::string& text);
/// The content of the file that the flag names.
std::string read_file(const Given& given, const std::string& remedy);
/// A whole number within these bounds.
int whole_number(const Given& given, int least, int most);
/// Bytes: "160", "1k", "1.5 KiB", "2M", "1 kB"; k is 1024.
int bytes_of(const Given& given);
/// The text as a shell reads it as one word: in single quotes, unless it has only letters, digits and signs that mean
/// nothing there.
std::string shell_word(const std::string& text);
/// A list as the command line takes it.
std::string list_of_names(const Texts& names);

/// `table` has the words and their values; further members of its rows do not count.
template <class Class, class Value, class Table>
OptionType word_of(Value Class::*member, Table table) {
  return {Takes::word,
          [=](const Given& given, CommandLine& line) {
            Texts names;
            for (const auto& [name, value] : table) names.push_back(name);
            one_of(given.flag, given.text(), names);
            for (const auto& [name, value] : table) {
              if (name == given.text()) member_of(line, member) = value;
            }
          },
          [=](CommandLine& line) {
            for (const auto& [name, value] : table) {
              if (member_of(line, member) == value) return Texts{name};
            }
            return Texts{};
          }};
}

/// A switch that makes the member `value`.
template <class Class>
OptionType makes(bool Class::*member, bool value = true) {
  return {Takes::nothing, [=](const Given&, CommandLine& line) { member_of(line, member) = value; },
          [=](CommandLine& line) { return member_of(line, member) == value ? Texts{""} : Texts{}; }};
}

template <class Class>
OptionType text(std::string Class::*member) {
  return {Takes::word,
          [=](const Given& given, CommandLine& line) { member_of(line, member) = given.text(); }};
}

/// `valid`: the only items that are taken; any if it is empty.
template <class Class>
OptionType list(Takes takes, Texts Class::*member, const Texts& valid = {}) {
  return {takes,
          [=](const Given& given, CommandLine& line) {
            member_of(line, member) = split_list(given);
            for (const std::string& item : member_of(line, member)) {
              if (!valid.empty()) one_of(given.flag, item, valid);
            }
          },
          [=](CommandLine& line) {
            const Texts& names = member_of(line, member);
            return names.empty() ? Texts{} : Texts{list_of_names(names)};
          }};
}

template <class Class, class Number>
OptionType count(Number Class::*member, int least, int most) {
  return {Takes::number, [=](const Given& given, CommandLine& line) {
            member_of(line, member) = static_cast<Number>(whole_number(given, least, most));
          }};
}

template <class Class>
OptionType bytes(int Class::*member) {
  return {Takes::number,
          [=](const Given& given, CommandLine& line) { member_of(line, member) = bytes_of(given); },
          [=](CommandLine& line) { return Texts{std::to_string(member_of(line, member))}; }};
}

}  // namespace featherline::cli
