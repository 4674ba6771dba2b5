#include "emit/function_files.hpp"

#include "emit/bindings/bindings.hpp"

#include <algorithm>

namespace featherline::emit {

std::vector<const Binding*> bindings_of(const Request& request) {
  std::vector<const Binding*> list;
  for (const Binding* binding : {&eigen_view, &c_interface, &batches, &python_tables, &casadi, &cuda, &ptx}) {
    if (binding->option.empty() || request.options.has_binding(binding->option)) list.push_back(binding);
  }
  return list;
}

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
    case Each::device:
      return function.device_form.has_value();
    case Each::packed_kernel:
      return function.batch_form && std::ranges::none_of(request.functions, [&](const LoweredFunction& f) {
               return function_name(f) == packed_name(*function.spec);
             });
  }
  return false;
}

std::string filled(std::string_view pattern, const Request& request, const std::string& label) {
  std::string text(pattern);
  const std::string robot = emitted_name(request.name);
  for (const auto& [word, value] :
       {std::pair<std::string, std::string>{"FUNCTION", label}, {"NAME", robot}}) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos) text.replace(at, word.size(), value);
  }
  return text;
}

std::string file_name(const FileRule& rule, const Request& request, const LoweredFunction& function) {
  const bool is_kernel = rule.each == Each::packed_kernel && request.options.shards == 0;
  return filled(rule.name, request, is_kernel ? packed_name(*function.spec) : file_label(request, function));
}

/// C++ first, bindings behind it.
std::vector<const FileRule*> all_rules(const Request& request) {
  std::vector<const FileRule*> rules;
  const auto add = [&](std::span<const FileRule> list) {
    for (const FileRule& rule : list) rules.push_back(&rule);
  };
  add(cpp_files);
  for (const Binding* binding : bindings_of(request)) add(binding->files);
  return rules;
}

/// Where the shards of neighbours in the catalogue, which are often asked for together, are different ones. It does not
/// depend on what else is asked for.
int shard_of(const Request& request, const LoweredFunction& function) {
  const std::vector<catalog::FunctionSpec>& all = catalog::functions();
  const auto found = std::ranges::find_if(
      all, [&](const catalog::FunctionSpec& spec) { return spec.name == function.spec->name; });
  return static_cast<int>(found - all.begin()) % request.options.shards + 1;
}

/// The file of this name; a new one if there is none.
PlannedFile& file_called(const std::string& name, std::vector<PlannedFile>& files) {
  const auto found = std::ranges::find_if(files, [&](const auto& f) { return f.name == name; });
  return found == files.end() ? files.emplace_back(PlannedFile{name}) : *found;
}

}  // namespace

std::string file_label(const Request& request, const LoweredFunction& function) {
  return request.options.shards == 0 ? function_name(function) : std::to_string(shard_of(request, function));
}

std::vector<std::string> robot_files(const Request& request, std::span<const FileRule> rules) {
  std::vector<std::string> files;
  for (const FileRule& rule : rules) {
    if (rule.each == Each::robot) files.push_back(filled(rule.name, request, ""));
  }
  return files;
}

std::vector<std::string> function_files(const Request& request, const LoweredFunction& function) {
  std::vector<std::string> files;
  for (const FileRule* rule : all_rules(request)) {
    if (!is_for_function(*rule, request, function)) continue;
    const std::string name = file_name(*rule, request, function);
    if (std::ranges::find(files, name) == files.end()) files.push_back(name);
  }
  return files;
}

std::vector<PlannedFile> plan_files(const Request& request) {
  const std::vector<const FileRule*> rules = all_rules(request);
  std::vector<PlannedFile> files;
  for (const FileRule* rule : rules) {
    if (rule->each == Each::robot) files.push_back({filled(rule->name, request, ""), {{rule, -1}}});
    for (int k = 1; rule->each != Each::robot && k <= request.options.shards; ++k)
      file_called(filled(rule->name, request, std::to_string(k)), files);
  }
  for (std::size_t i = 0; i < request.functions.size(); ++i) {
    for (const FileRule* rule : rules) {
      const LoweredFunction& function = request.functions[i];
      if (!is_for_function(*rule, request, function)) continue;
      PlannedFile& file = file_called(file_name(*rule, request, function), files);
      if (rule->each != Each::linked || file.parts.empty()) file.parts.push_back({rule, static_cast<int>(i)});
    }
  }
  return files;
}

}  // namespace featherline::emit
