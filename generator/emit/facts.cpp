#include "emit/emit.hpp"
#include "emit/plan.hpp"

namespace featherline::emit {

FunctionFacts facts(const Request& request, const FunctionRequest& function) {
  FunctionFacts facts;
  static_cast<cost::Figures&>(facts) = cost::estimate(function.kernel, request.options.estimated_target());
  facts.name = function_name(function);
  facts.formulation = function.kernel.formulation;
  if (function.spec->takes_link) facts.formulation += "; figures of the costliest link";
  facts.error = function.error;
  for (PlannedFile& file : function_files(request, function)) facts.files.push_back(std::move(file.name));
  return facts;
}

}  // namespace featherline::emit
