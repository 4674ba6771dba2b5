#pragma once

#include "option_table.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// The types of options, each with its reader and its printer. An option is a member of CommandLine, of Options or of
/// model::BuildOptions, or what a function finds in the line.
namespace featherline::cli {

using Texts = std::vector<std::string>;

/// Words and the values that they stand for.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

template <class Member>
auto& member_of(CommandLine& line, Member member) {
  if constexpr (std::is_invocable_v<Member, CommandLine&>)
    return std::invoke(member, line);
  else if constexpr (std::is_invocable_v<Member, Options&>)
    return std::invoke(member, line.options);
  else
    return std::invoke(member, line.options.build);
}

/// The words of a table whose rows have a name.
template <class Table>
Texts names_of(const Table& table) {
  Texts names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
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
/// A list as the command line takes it.
std::string list_of_names(const Texts& names);

/// `table` has the words and their values; further members of its rows do not count.
template <class Member, class Table>
OptionType word_of(Member member, Table table) {
  return {Takes::word,
          [=](const Given& given, CommandLine& line) {
            Texts names;
            for (const auto& [name, value] : table) {
              names.push_back(name);
              if (name == given.text()) member_of(line, member) = value;
            }
            one_of(given.flag, given.text(), names);
          },
          [=](CommandLine& line) {
            for (const auto& [name, value] : table) {
              if (member_of(line, member) == value) return Texts{name};
            }
            return Texts{};
          }};
}

/// A switch that makes the member `value`.
template <class Member>
OptionType makes(Member member, bool value = true) {
  return {Takes::nothing, [=](const Given&, CommandLine& line) { member_of(line, member) = value; },
          [=](CommandLine& line) { return member_of(line, member) == value ? Texts{""} : Texts{}; }};
}

/// `valid`: the only items that are taken; any if it is empty.
template <class Member>
OptionType list(Takes takes, Member member, const Texts& valid = {}) {
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

/// Items that the model has a syntax for: `parse_items` reads one text, and model::text_of() prints them.
template <class Member, class Item>
OptionType items(Takes takes, Member member, std::vector<Item> (*parse_items)(const std::string&)) {
  return {takes,
          [=](const Given& given, CommandLine& line) {
            std::vector<Item>& all = member_of(line, member);
            for (const std::string& text : given.texts)
              std::ranges::move(parse_items(text), std::back_inserter(all));
          },
          [=](CommandLine& line) { return Texts{shell_word(model::text_of(member_of(line, member)))}; }};
}

/// What `read` makes of the text.
template <class Member, class Read>
OptionType value(Takes takes, Member member, Read read) {
  return {takes,
          [=](const Given& given, CommandLine& line) {
            auto& value = member_of(line, member);
            value = static_cast<std::decay_t<decltype(value)>>(std::invoke(read, given));
          },
          [=](CommandLine& line) { return Texts{shell_word(fmt::to_string(member_of(line, member)))}; }};
}

template <class Member>
OptionType count(Member member, int least, int most) {
  return value(Takes::number, member, [=](const Given& given) { return whole_number(given, least, most); });
}

// Types of options that are like no other: each has a reader and a printer of its own (single_options.cpp).

OptionType gravity();
OptionType allowed();
OptionType joint_dynamics();
/// Blank lines and lines that begin with # are skipped.
OptionType joint_order();
OptionType stabilisation();
/// Each once.
OptionType scalars();
/// Names that users know from compilers are accepted, too.
OptionType target();
/// What asks for a binding: its flag without dashes. A word behind the flag asks for a variant.
OptionType binding(const std::string& name);
/// The words are looked up in the catalogue when the whole line is known (check_formulations()).
OptionType formulations();
OptionType choices();

/// A fraction that rotations may differ from a quarter turn by.
double tolerance_of(const Given& given);

inline std::vector<model::Lock>& locks(CommandLine& line) { return line.options.build.locked.locks; }
inline std::vector<std::string>& free_joints(CommandLine& line) { return line.options.build.locked.all_but; }

}  // namespace featherline::cli
