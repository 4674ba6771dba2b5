#include "emit/file_plan.hpp"

#include "emit/bindings/bindings.hpp"
#include "emit/function_files.hpp"
#include "emit/header.hpp"
#include "emit/identifiers.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

constexpr FileRule cpp_files[] = {
    {Each::robot, "NAME.hpp", [](const FileSource& s) { return header_file(s.request, s.facts); }},
    {Each::robot, "NAME.ipp", [](const FileSource& s) { return definitions_file(s.request); }},
    {Each::robot, "NAME.json",
     [](const FileSource& s) { return manifest_file(s.request, s.facts, s.image_bytes); }},
    {Each::function, "NAME_FUNCTION.ipp",
     [](const FileSource& s) { return function_definition_file(s.request, *s.function, *s.function_facts); }},
    {Each::function, "NAME_FUNCTION.cpp",
     [](const FileSource& s) { return function_source_file(s.request, *s.function); }},
    {Each::linked, "NAME_pose_steps.ipp", [](const FileSource& s) { return pose_steps_file(s.request); }},
    {Each::packed, "NAME_FUNCTION_index.hpp",
     [](const FileSource& s) { return packed_index_file(s.request, *s.function); }},
};

bool is_asked_for(const Request& request, const std::string& function) {
  return std::any_of(request.functions.begin(), request.functions.end(),
                     [&](const LoweredFunction& f) { return function_name(f) == function; });
}

bool is_for_function(const FileRule& rule, const Request& request, const LoweredFunction& function) {
  switch (rule.each) {
    case Each::robot:
      return false;
    case Each::function:
      return true;
    case Each::linked:
      return function.spec->takes_link;
    case Each::packed:
      return function.packed_maps.has_value();
    case Each::packed_kernel:
      return function.batch_form && !is_asked_for(request, packed_name(*function.spec));
  }
  return false;
}

std::string filled(std::string_view pattern, const Request& request, const std::string& function) {
  std::string text(pattern);
  const std::string robot = emitted_name(request.name);
  for (const auto& [word, value] :
       {std::pair<std::string, std::string>{"FUNCTION", function}, {"NAME", robot}}) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos) text.replace(at, word.size(), value);
  }
  return text;
}

/// C++ first, bindings behind it.
std::vector<std::span<const FileRule>> all_rules(const Request& request) {
  std::vector<std::span<const FileRule>> rules{cpp_files};
  for (const Binding* binding : bindings_of(request)) rules.push_back(binding->files);
  return rules;
}

void append(std::vector<PlannedFile>& files, const std::vector<PlannedFile>& more) {
  files.insert(files.end(), more.begin(), more.end());
}

}  // namespace

std::vector<PlannedFile> robot_files(const Request& request, std::span<const FileRule> rules) {
  std::vector<PlannedFile> files;
  for (const FileRule& rule : rules) {
    if (rule.each == Each::robot) files.push_back({filled(rule.name, request, ""), &rule});
  }
  return files;
}

std::vector<PlannedFile> function_files(const Request& request, const LoweredFunction& function,
                                        std::span<const FileRule> rules) {
  std::vector<PlannedFile> files;
  for (const FileRule& rule : rules) {
    if (is_for_function(rule, request, function))
      files.push_back({filled(rule.name, request, function_name(function)), &rule});
  }
  return files;
}

std::vector<PlannedFile> robot_files(const Request& request) {
  std::vector<PlannedFile> files;
  for (const std::span<const FileRule> rules : all_rules(request)) append(files, robot_files(request, rules));
  return files;
}

std::vector<PlannedFile> function_files(const Request& request, const LoweredFunction& function) {
  std::vector<PlannedFile> files;
  for (const std::span<const FileRule> rules : all_rules(request))
    append(files, function_files(request, function, rules));
  return files;
}

}  // namespace featherline::emit
