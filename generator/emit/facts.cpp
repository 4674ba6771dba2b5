#include "emit/emit.hpp"
#include "emit/kinematics.hpp"
#include "emit/signature.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

int widest_scalar(const Request& request) {
  const bool has_double =
      std::find(request.scalars.begin(), request.scalars.end(), "double") != request.scalars.end();
  return static_cast<int>(has_double ? sizeof(double) : sizeof(float));
}

/// Scalars in the arrays of the entry function: angles, sines, cosines, workspace.
int array_entries(const passes::Program& program) {
  return 3 * static_cast<int>(program.angles.size()) + program.workspace_size;
}

FunctionFacts program_facts(const Request& request, const FunctionRequest& function) {
  const expr::Cost cost = expr::count_cost(function.program.function);
  FunctionFacts facts;
  facts.flops = cost.flops;
  facts.sincos = cost.sincos;
  facts.statements = function.program.statements;
  facts.formulation = function.program.function.formulation;
  facts.stack_bytes = array_entries(function.program) * widest_scalar(request);
  return facts;
}

}  // namespace

std::vector<FunctionFacts> facts(const Request& request) {
  const std::string name = emitted_name(request.name);
  std::vector<FunctionFacts> all;
  for (const FunctionRequest& function : request.functions) {
    const bool kinematics = is_kinematics(*function.algorithm);
    FunctionFacts facts = kinematics ? kinematics_facts(request, *function.algorithm, widest_scalar(request))
                                     : program_facts(request, function);
    facts.name = function_name(function);
    facts.files = {name + "_" + facts.name + ".ipp", name + "_" + facts.name + ".cpp"};
    if (kinematics) facts.files.push_back(name + "_pose_steps.ipp");
    all.push_back(facts);
  }
  return all;
}

}  // namespace featherline::emit
