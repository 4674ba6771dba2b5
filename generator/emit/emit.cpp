#include "emit/emit.hpp"

#include "emit/function_files.hpp"
#include "support/diagnostic.hpp"
#include "support/side_by_side.hpp"

#include <algorithm>
#include <limits>

namespace featherline::emit {
namespace {

bool are_named_alike(const std::vector<ir::Buffer>& traced, const std::vector<catalog::Argument>& declared) {
  return std::equal(traced.begin(), traced.end(), declared.begin(), declared.end(),
                    [](const ir::Buffer& p, const catalog::Argument& a) { return p.name == a.name; });
}

void check(const Request& request) {
  if (request.tree == nullptr || request.tracing_tree == nullptr) throw InternalError("nothing to emit for");
  const model::UserTree& user = *request.tree;
  const model::CanonicalTree& traced = *request.tracing_tree;
  if (user.nq != traced.nq || user.nv != traced.nv || user.links.size() != traced.links.size()) {
    throw InternalError("the traced tree is not the user's");
  }
  for (const LoweredFunction& f : request.functions) {
    if (!are_named_alike(f.kernel.inputs, inputs_of(*f.spec, user)) ||
        !are_named_alike(f.kernel.outputs, f.spec->outputs))
      throw InternalError(f.spec->name + " was traced with other arguments than the catalogue declares");
    if (f.spec->takes_link &&
        (f.kernel.walk() == nullptr || f.kernel.walk()->steps.size() != traced.bodies.size()))
      throw InternalError(f.spec->name + " does not walk this robot");
    if (f.packed_maps && f.packed_maps->size() != f.spec->outputs.size()) {
      throw InternalError(function_name(f) + " has no index for some output");
    }
  }
}

/// The parts one behind the other, under one banner.
std::string content(const PlannedFile& file, FileSource source) {
  const std::string head = banner(source.request) + "\n";
  if (file.parts.empty()) return head + "//\n// No function of the robot is in this file.\n";
  std::string text;
  for (const PlannedFile::Part& part : file.parts) {
    if (part.function >= 0) {
      source.function = &source.request.functions[static_cast<std::size_t>(part.function)];
      source.function_facts = &source.facts[static_cast<std::size_t>(part.function)];
    }
    const std::string own = part.rule->write(source);
    text += text.empty() ? own : "\n" + own.substr(head.size());
  }
  return text;
}

}  // namespace

Output emit(const Request& request) {
  check(request);
  const int jobs = request.options.jobs;
  Output output;
  output.facts.resize(request.functions.size());
  side_by_side(jobs, output.facts.size(),
               [&](std::size_t i) { output.facts[i] = facts(request, request.functions[i]); });
  output.image_bytes = image_bytes(request, output.facts);
  const std::vector<PlannedFile> plan = plan_files(request);
  output.files.resize(plan.size());
  side_by_side(jobs, plan.size(), [&](std::size_t i) {
    output.files[i] = {plan[i].name, content(plan[i], {request, output.facts, output.image_bytes})};
  });
  return output;
}

std::string dump(const std::vector<File>& emitted) {
  std::string text;
  for (const File& file : emitted) text += "==== " + file.relative_name + "\n" + file.content;
  return text;
}

int image_bytes(const Request& request, const std::vector<FunctionFacts>& facts) {
  // Of forward_kinematics beside frame_jacobian, which has the tables, the steps and the walk already.
  constexpr int second_steps_code = 450;
  long long bytes = 0;  // of huge robots each function is at the limit of int
  int largest_kinematics = 0;
  bool has_sincos = false;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    has_sincos = has_sincos || facts[i].sincos > 0;
    if (request.functions[i].spec->takes_link) {
      bytes += second_steps_code;
      largest_kinematics = std::max(largest_kinematics, facts[i].code_bytes);
    } else {
      bytes += facts[i].code_bytes;
    }
  }
  if (largest_kinematics > 0) bytes += largest_kinematics - second_steps_code;
  if (has_sincos && cost::is_cortex_m(request.options.estimated_target()))
    bytes += cost::cortex_m_sincos_code;
  return static_cast<int>(std::min<long long>(bytes, std::numeric_limits<int>::max()));
}

cost::PlainCalls plain_calls(const LoweredFunction& function) {
  return cost::plain_calls(function.kernel,
                           function.batch_form ? function.batch_form->kernel : function.kernel);
}

FunctionFacts facts(const Request& request, const LoweredFunction& function) {
  FunctionFacts facts;
  static_cast<cost::Figures&>(facts) =
      cost::estimate(function.kernel, request.options.estimated_target(), request.options.flash_wait_states);
  facts.name = function_name(function);
  facts.formulation = function.kernel.formulation;
  if (has_nonzeros_form(function)) facts.nonzeros = catalog::nonzeros_name(*function.spec);
  if (function.spec->takes_link) facts.formulation += "; figures of the costliest link";
  if (catalog::has_size(*function.spec, catalog::num_base_parameters))
    facts.rank = catalog::sizes_of(*request.tree).num_base_parameters;
  facts.error = function.error;
  if (request.options.has_binding("batch")) facts.plain_calls = plain_calls(function);
  facts.leaner = function.leaner;
  for (const catalog::Argument& input : inputs_of(*function.spec, *request.tree)) {
    if (catalog::is_chosen(input.name)) facts.chosen_inputs.push_back(input.name);
  }
  facts.files = function_files(request, function);
  if (!function.device_form) return facts;
  facts.device_formulation = function.device_form->kernel.formulation;
  for (const std::string& scalar : request.options.scalars) {
    std::vector<DeviceLaunch> launches = launches_in_turn(request, function, scalar);
    facts.on_device.emplace_back(scalar, device_figures(request, function, scalar, launches));
    if (!launches.empty()) facts.in_turn.emplace(scalar, std::move(launches));
  }
  return facts;
}

}  // namespace featherline::emit
