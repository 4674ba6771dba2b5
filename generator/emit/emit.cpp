#include "emit/emit.hpp"

#include "emit/batch.hpp"
#include "emit/c_interface.hpp"
#include "emit/files.hpp"
#include "emit/image.hpp"
#include "emit/kinematics.hpp"
#include "emit/signature.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

bool has_kinematics(const Request& request) {
  return std::any_of(request.functions.begin(), request.functions.end(),
                     [](const FunctionRequest& f) { return is_kinematics(*f.algorithm); });
}

void check_parameters(const std::vector<ir::Parameter>& traced,
                      const std::vector<algorithms::Argument>& declared, const std::string& function) {
  const auto same = [](const ir::Parameter& p, const algorithms::Argument& a) { return p.name == a.name; };
  if (!std::equal(traced.begin(), traced.end(), declared.begin(), declared.end(), same)) {
    throw InternalError(function + " was traced with other arguments than the registry declares");
  }
}

void check(const Request& request) {
  if (request.tree == nullptr || request.tracing_tree == nullptr) throw InternalError("nothing to emit for");
  const model::Tree& user = *request.tree;
  const model::Tree& traced = *request.tracing_tree;
  if (user.nq != traced.nq || user.nv != traced.nv || user.links.size() != traced.links.size()) {
    throw InternalError("the traced tree is not the user's");
  }
  if (has_kinematics(request) && request.pose_steps.size() != traced.bodies.size()) {
    throw InternalError("pose steps are missing");
  }
  for (const FunctionRequest& f : request.functions) {
    if (is_kinematics(*f.algorithm)) continue;
    check_parameters(f.program.function.inputs, f.algorithm->inputs, f.algorithm->name);
    if (!f.program.function.completion)
      check_parameters(f.program.function.outputs, f.algorithm->outputs, f.algorithm->name);
    if (f.packed_maps && f.packed_maps->size() != f.algorithm->outputs.size()) {
      throw InternalError(function_name(f) + " has no index for some output");
    }
  }
}

}  // namespace

Output emit(const Request& request) {
  check(request);
  const std::string name = emitted_name(request.name);
  Output output;
  auto& files = output.files;
  auto& all_facts = output.facts;
  for (const FunctionRequest& function : request.functions) all_facts.push_back(facts(request, function));
  output.image_bytes = image_bytes(request, all_facts);
  files.push_back({name + ".hpp", header_file(request, all_facts)});
  files.push_back({name + ".ipp", definitions_file(request)});
  if (has_kinematics(request)) files.push_back({name + "_pose_steps.ipp", pose_steps_file(request)});
  for (std::size_t i = 0; i < request.functions.size(); ++i) {
    const FunctionRequest& function = request.functions[i];
    const std::string stem = name + "_" + function_name(function);
    files.push_back({stem + ".ipp", function_definition_file(request, function, all_facts[i])});
    files.push_back({stem + ".cpp", function_source_file(request, function)});
    if (function.packed_maps)
      files.push_back({packed_index_file_name(request, function), packed_index_file(request, function)});
    if (!request.options.batch) continue;
    for (File& file : batch_files(request, function)) files.push_back(std::move(file));
  }
  files.push_back({name + "_eigen.hpp", eigen_file(request)});
  if (request.options.c_interface) {
    files.push_back({name + ".h", c_header_file(request)});
    files.push_back({name + "_c.cpp", c_source_file(request)});
  }
  files.push_back({name + ".json", manifest_file(request, all_facts, output.image_bytes)});
  return output;
}

std::string dump(const std::vector<File>& files) {
  std::string text;
  for (const File& file : files) text += "==== " + file.relative_name + "\n" + file.content;
  return text;
}

}  // namespace featherline::emit
