#include "report/report.hpp"

#include "ir/kernel.hpp"

#include <algorithm>

namespace featherline::report {
namespace {

/// Of matrices that are drawn. Pictures of larger ones show nothing that their number of entries does not say.
constexpr int most_rows = 400;
/// Operations of a form that is unrolled for its zeros alone: less than half a second.
constexpr double most_unrolled_flops = 100'000;

/// Whether all outputs have a row and a column for each velocity.
bool is_square(const catalog::FunctionSpec& spec) {
  return std::ranges::all_of(spec.outputs, [](const catalog::Argument& output) {
    return output.shape == catalog::Shape{catalog::nv, catalog::nv};
  });
}

/// An unrolled formulation for the packed form; nullptr if all take long.
const catalog::Formulation* quick_to_unroll(const catalog::FunctionSpec& spec, const model::UserTree& tree,
                                            const Options& options) {
  for (const catalog::Formulation& formulation : spec.formulations) {
    if (formulation.kind != catalog::Kind::straight_line) continue;
    if (catalog::unrolled_flops(spec, formulation, tree) > most_unrolled_flops) continue;
    if (applies(formulation, spec, tree, options)) return &formulation;
  }
  return nullptr;
}

/// Of a packed form, in the places of the dense array.
std::vector<bool> spread(const std::vector<bool>& packed, const LoweredFunction& function,
                         std::size_t output) {
  if (packed.empty() && !function.packed_maps->at(output).empty()) return {};
  std::vector<bool> dense(static_cast<std::size_t>(function.dense_sizes.at(output)));
  for (const passes::PackedEntry& entry : function.packed_maps->at(output))
    dense.at(static_cast<std::size_t>(entry.dense_index)) =
        packed.at(static_cast<std::size_t>(entry.packed_index));
  return dense;
}

/// The outputs of one form of a function. If another form has them already, those with fewer nonzeros are kept.
void add_matrices(const LoweredFunction& function, int nv, std::vector<Matrix>& matrices) {
  const std::vector<std::vector<bool>> stored = ir::stored_nonzeros(function.kernel);
  for (std::size_t k = 0; k < function.spec->outputs.size(); ++k) {
    const catalog::Argument& output = function.spec->outputs[k];
    std::vector<bool> nonzero = stored[k];
    if (function.packed_maps) nonzero = spread(nonzero, function, k);
    Matrix found{function.spec->name, output.name, output.meaning(), nv, std::move(nonzero)};
    const auto other = std::ranges::find_if(
        matrices, [&](const Matrix& m) { return m.function == found.function && m.output == found.output; });
    if (other == matrices.end())
      matrices.push_back(std::move(found));
    else if (!other->is_known() || (found.is_known() && found.num_nonzeros() < other->num_nonzeros()))
      *other = std::move(found);
  }
}

}  // namespace

int Matrix::num_nonzeros() const { return static_cast<int>(std::ranges::count(nonzero, true)); }

std::vector<std::string> plan_matrices(Plan& plan, const model::UserTree& tree, const Options& options) {
  std::vector<std::string> added;
  for (FunctionPlan& function : plan.functions) {
    const Formulations& candidates = function.candidates;
    if (function.packed || !is_square(*function.spec) || tree.nv > most_rows) continue;
    if (std::ranges::none_of(candidates, std::mem_fn(&catalog::Formulation::in_loops))) continue;
    const catalog::Formulation* unrolled = quick_to_unroll(*function.spec, tree, options);
    if (unrolled == nullptr) continue;
    function.packed = true;
    if (function.packed_candidates.empty()) function.packed_candidates = {unrolled};
    added.push_back(packed_name(*function.spec));
  }
  return added;
}

std::vector<Matrix> take_matrices(std::vector<LoweredFunction>& functions,
                                  const std::vector<std::string>& added, const model::UserTree& tree) {
  std::vector<Matrix> matrices;
  for (const LoweredFunction& function : functions) {
    if (is_square(*function.spec) && tree.nv <= most_rows && tree.nv > 0)
      add_matrices(function, tree.nv, matrices);
  }
  std::erase_if(functions, [&](const LoweredFunction& function) {
    return std::ranges::find(added, function_name(function)) != added.end();
  });
  return matrices;
}

}  // namespace featherline::report
