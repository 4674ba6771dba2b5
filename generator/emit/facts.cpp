#include "cost/estimate.hpp"
#include "emit/completion.hpp"
#include "emit/emit.hpp"
#include "emit/kinematics.hpp"
#include "emit/plan.hpp"

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
  FunctionFacts facts = function.spec->takes_link
                            ? kinematics_facts(request, *function.spec, request.options.estimated_target())
                            : program_facts(request, function);
  facts.name = function_name(function);
  facts.error = function.error;
  for (PlannedFile& file : function_files(request, function)) facts.files.push_back(std::move(file.name));
  return facts;
}

}  // namespace featherline::emit
