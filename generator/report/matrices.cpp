#include "report/matrices.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::report {
namespace {

/// Of matrices that are drawn. Pictures of larger ones show nothing that their number of entries does not say.
constexpr int most_rows = 400;
/// Operations of a form that is unrolled for its zeros alone: less than half a second.
constexpr double most_unrolled_flops = 100'000;

/// Whether all outputs have a row and a column for each velocity.
bool is_square(const catalog::FunctionSpec& spec) {
  return std::all_of(spec.outputs.begin(), spec.outputs.end(), [](const catalog::Argument& output) {
    return output.shape == catalog::Shape{catalog::nv, catalog::nv};
  });
}

bool in_loops(const catalog::Formulation* formulation) { return formulation->in_loops; }

/// An unrolled formulation for the packed form; nullptr if all take long.
const catalog::Formulation* quick_to_unroll(const catalog::FunctionSpec& spec, const model::UserTree& tree,
                                            const Options& options) {
  for (const catalog::Formulation& formulation : spec.formulations) {
    if (formulation.in_loops || formulation.in_lanes || formulation.by_name_only) continue;
    if (formulation.unrolled_flops && formulation.unrolled_flops(tree) > most_unrolled_flops) continue;
    if (applies(formulation, tree, options)) return &formulation;
  }
  return nullptr;
}

bool is_zero(const ir::Graph& graph, ir::NodeId id) {
  return graph.is_constant(id) && graph[id].lanes == 1 && graph.value(id) == 0.0;
}

/// Of the dense form, for one output. Empty if something else than stores fills the output.
std::vector<bool> stored_nonzeros(const ir::Kernel& kernel, int output) {
  const auto size = static_cast<std::size_t>(kernel.outputs[static_cast<std::size_t>(output)].size);
  std::vector<bool> stored(size), nonzero(size);
  for (const ir::Store& store : kernel.stores) {
    if (store.buffer != output) continue;
    for (const int entry : kernel.entries(store)) {
      stored[static_cast<std::size_t>(entry)] = true;
      nonzero[static_cast<std::size_t>(entry)] = !is_zero(kernel.graph, store.value);
    }
  }
  const bool all_stored = std::all_of(stored.begin(), stored.end(), [](bool is) { return is; });
  return all_stored && !kernel.ends_in_calls() ? nonzero : std::vector<bool>{};
}

std::vector<bool> packed_nonzeros(const emit::FunctionRequest& function, std::size_t output) {
  std::vector<bool> nonzero(static_cast<std::size_t>(function.dense_sizes.at(output)));
  for (const passes::PackedEntry& entry : function.packed_maps->at(output))
    nonzero.at(static_cast<std::size_t>(entry.dense_index)) = true;
  return nonzero;
}

}  // namespace

int Matrix::num_nonzeros() const {
  return static_cast<int>(std::count(nonzero.begin(), nonzero.end(), true));
}

std::vector<std::string> plan_matrices(Plan& plan, const model::UserTree& tree, const Options& options) {
  std::vector<std::string> added;
  for (FunctionPlan& function : plan.functions) {
    const Formulations& candidates = function.candidates;
    if (function.packed || !is_square(*function.spec) || tree.nv > most_rows) continue;
    if (std::none_of(candidates.begin(), candidates.end(), in_loops)) continue;
    const catalog::Formulation* unrolled = quick_to_unroll(*function.spec, tree, options);
    if (unrolled == nullptr) continue;
    function.packed = true;
    if (function.packed_candidates.empty()) function.packed_candidates = {unrolled};
    added.push_back(packed_name(*function.spec));
  }
  return added;
}

std::vector<Matrix> take_matrices(std::vector<emit::FunctionRequest>& functions,
                                  const std::vector<std::string>& added, const model::UserTree& tree) {
  std::vector<Matrix> matrices;
  for (const emit::FunctionRequest& function : functions) {
    if (!is_square(*function.spec) || tree.nv > most_rows || tree.nv == 0) continue;
    for (std::size_t k = 0; k < function.spec->outputs.size(); ++k) {
      const catalog::Argument& output = function.spec->outputs[k];
      std::vector<bool> nonzero = function.packed_maps ? packed_nonzeros(function, k)
                                                       : stored_nonzeros(function.kernel, static_cast<int>(k));
      if (nonzero.empty()) continue;
      const auto same = [&](const Matrix& other) {
        return other.function == function.spec->name && other.output == output.name;
      };
      std::erase_if(matrices, same);  // of the dense form: the packed one knows at least as many zeros
      matrices.push_back({function.spec->name, output.name, output.meaning, tree.nv, std::move(nonzero)});
    }
  }
  std::erase_if(functions, [&](const emit::FunctionRequest& function) {
    return std::find(added.begin(), added.end(), emit::function_name(function)) != added.end();
  });
  return matrices;
}

}  // namespace featherline::report
