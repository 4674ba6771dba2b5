#include "emit/constants.hpp"
#include "emit/identifiers.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace featherline::emit {
namespace {

using catalog::Dimension;
using Of = Dimension::Of;

const std::map<Of, const char*>& meanings() {
  static const std::map<Of, const char*> all{
      {Of::num_bodies, "behind each joint one, with all that is welded to it"},
      {Of::num_base_parameters, "the rank of the regressor"},
  };
  return all;
}

bool uses(const std::vector<const catalog::FunctionSpec*>& functions, Of size) {
  return std::any_of(functions.begin(), functions.end(),
                     [&](const catalog::FunctionSpec* f) { return catalog::has_size(*f, size); });
}

std::vector<const catalog::FunctionSpec*> functions_of(const Request& request) {
  std::vector<const catalog::FunctionSpec*> functions;
  for (const LoweredFunction& f : request.functions) functions.push_back(f.spec);
  return functions;
}

std::string own_parameters(const model::Tree& tree) {
  const auto names = each(tree.bodies, [](const model::Body& body) { return string_literal(body.name); });
  const auto rows = each(tree.bodies, [](const model::Body& body) {
    return join(each(model::parameters_of(body.inertia), [](double x) { return literal(x); }), ", ");
  });
  return render(skeleton("cpp/inertial_parameters"),
                {{"names", array_body(names, "\"\"")}, {"numbers", array_body(rows, "0.0")}});
}

std::string base_parameters(const model::BaseParameters& base) {
  const auto columns = each(base.columns, [](int k) { return std::to_string(k); });
  std::vector<std::string> shares;
  for (Eigen::Index k = 0; k < base.map.rows(); ++k) {
    for (Eigen::Index j = 0; j < base.map.cols(); ++j) {
      if (base.map(k, j) != 0.0) shares.push_back(fmt::format("{{{},{},{}}}", k, j, literal(base.map(k, j))));
    }
  }
  return render(
      skeleton("cpp/base_parameters"),
      {{"columns", fill_lines(columns.empty() ? "0" : join(columns, ", "), "    ", "    ")},
       {"shares", fill_lines(shares.empty() ? "{0,0,0.0}" : join(shares, ", ") + ",", "    ", "    ")}});
}

}  // namespace

std::vector<std::pair<std::string, int>> further_sizes(
    const std::vector<const catalog::FunctionSpec*>& functions, const model::Tree& tree) {
  std::vector<std::pair<std::string, int>> sizes;
  for (const auto& [of, meaning] : meanings()) {
    const Dimension size{1, of};
    if (uses(functions, of))
      sizes.emplace_back(size.text(), static_cast<int>(size.size(catalog::sizes_of(tree))));
  }
  if (!tree.chosen.forces.empty())
    sizes.emplace_back("num_external_forces", static_cast<int>(tree.chosen.forces.size()));
  if (tree.chosen.num_parameters() > 0) sizes.emplace_back("num_parameters", tree.chosen.num_parameters());
  if (!tree.frames.chosen.empty()) {
    sizes.emplace_back("num_frames", static_cast<int>(tree.frames.chosen.size()));
    sizes.emplace_back("num_frame_rows", tree.frames.num_rows());
  }
  if (tree.constraints.count() > 0) {
    sizes.emplace_back("num_constraints", tree.constraints.count());
    sizes.emplace_back("num_constraint_rows", tree.constraints.num_rows());
    sizes.emplace_back("num_residual_rows", tree.constraints.num_residual_rows());
  }
  return sizes;
}

std::vector<std::pair<std::string, int>> further_sizes(const Request& request) {
  return further_sizes(functions_of(request), *request.tree);
}

std::string inertial_constants(const Request& request) {
  const std::vector<const catalog::FunctionSpec*> functions = functions_of(request);
  std::string text;
  for (const auto& [of, meaning] : meanings()) {
    const Dimension size{1, of};
    if (uses(functions, of))
      text += fmt::format("\ninline constexpr int {} = {};  ///< {}", size.text(),
                          size.size(catalog::sizes_of(*request.tree)), meaning);
  }
  if (text.empty()) return "";
  text += "\n" + own_parameters(*request.tree);
  if (uses(functions, Of::num_base_parameters)) text += base_parameters(*request.tree->base_parameters);
  text.pop_back();  // the skeleton that takes it ends the line
  return text;
}

}  // namespace featherline::emit
