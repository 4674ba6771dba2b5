#include "cost/estimate.hpp"
#include "emit/batch.hpp"
#include "emit/completion.hpp"
#include "emit/emit.hpp"
#include "emit/files.hpp"
#include "emit/kinematics.hpp"
#include "emit/signature.hpp"

namespace featherline::emit {
namespace {

FunctionFacts program_facts(const Request& request, const FunctionRequest& function) {
  const ir::Cost cost = ir::count_cost(function.program.function);
  FunctionFacts facts;
  const auto& completion = function.program.function.completion;
  const cost::Target target = request.options.estimated_target();
  facts.flops = cost.flops + (completion ? completion->flops : 0);
  facts.sincos = cost.sincos;
  facts.statements = function.program.statements;
  facts.formulation = function.program.function.formulation;
  const int scalar_bytes = cost::is_cortex_m(target) ? 4 : 8;
  facts.stack_bytes = cost::estimated_stack_bytes(function.program, target) +
                      scalar_bytes * completion_entries(function.program);
  facts.code_bytes = cost::estimated_code_bytes(function.program, target);
  return facts;
}

}  // namespace

FunctionFacts facts(const Request& request, const FunctionRequest& function) {
  const std::string name = emitted_name(request.name);
  const bool kinematics = is_kinematics(*function.algorithm);
  FunctionFacts facts =
      kinematics ? kinematics_facts(request, *function.algorithm, request.options.estimated_target())
                 : program_facts(request, function);
  facts.name = function_name(function);
  facts.error = function.error;
  facts.files = {name + "_" + facts.name + ".ipp", name + "_" + facts.name + ".cpp"};
  if (kinematics) facts.files.push_back(name + "_pose_steps.ipp");
  if (function.packed_maps) facts.files.push_back(packed_index_file_name(request, function));
  if (request.options.batch) {
    const std::vector<std::string> batch = batch_file_names(request, function);
    facts.files.insert(facts.files.end(), batch.begin(), batch.end());
  }
  return facts;
}

}  // namespace featherline::emit
