#include "emit/constants.hpp"

#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "emit/text.hpp"

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

bool uses(const Request& request, Of size) {
  return std::any_of(request.functions.begin(), request.functions.end(),
                     [&](const LoweredFunction& f) { return catalog::has_size(*f.spec, size); });
}

std::string size_definitions(const Request& request) {
  std::string text;
  for (const auto& [of, meaning] : meanings()) {
    if (!uses(request, of)) continue;
    const Dimension size{1, of};
    text += "\ninline constexpr int " + size.text() + " = " +
            std::to_string(size.size(catalog::sizes_of(*request.tree))) + ";  ///< " + meaning;
  }
  return text;
}

std::string body_names(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const model::Body& body : tree.bodies) names.push_back(string_literal(body.name));
  return "\n\n/// Bodies in joint order, each by its link right behind the joint.\n"
         "inline constexpr const char* body_names[] = {\n" +
         array_body(names, "\"\"") + "\n};";
}

std::string own_parameters(const model::Tree& tree) {
  std::vector<std::string> rows;
  for (const model::Body& body : tree.bodies) {
    std::vector<std::string> numbers;
    for (const double x : model::parameters_of(body.inertia)) numbers.push_back(literal(x));
    rows.push_back(join(numbers, ", "));
  }
  return "\n\n/// The robot's own inertial parameters, as the URDF gives them, ten for each body: m [kg], m "
         "cx, m cy, "
         "m cz [kg m],\n/// Ixx, Ixy, Iyy, Ixz, Iyz, Izz [kg m^2] about the origin of the joint's child "
         "frame, in "
         "its axes. The regressor\n/// times these is rnea without damping, friction, armature, payloads and "
         "external forces.\n"
         "inline constexpr double inertial_parameters[] = {\n" +
         array_body(rows, "0.0") + "\n};";
}

std::string base_parameters(const model::BaseParameters& base) {
  std::vector<std::string> columns;
  for (const int k : base.columns) columns.push_back(std::to_string(k));
  std::string shares;
  for (Eigen::Index k = 0; k < base.map.rows(); ++k) {
    for (Eigen::Index j = 0; j < base.map.cols(); ++j) {
      if (base.map(k, j) == 0.0) continue;
      shares += "{" + std::to_string(k) + "," + std::to_string(j) + "," + literal(base.map(k, j)) + "}, ";
    }
  }
  return "\n\n/// Columns of regressor that are those of base_regressor.\ninline constexpr int "
         "base_columns[] = {\n" +
         fill_lines(columns.empty() ? "0" : join(columns, ", "), "    ", "    ") +
         "\n};\n\n/// How base parameters are made: beta[base] is the sum of factor * pi[parameter] over its "
         "entries, see\n/// featherline::base_parameters(). Sources: Gautier, Khalil 1990, and the regressor "
         "itself "
         "where gravity or parallel\n/// axes hide more.\ninline constexpr featherline::ParameterShare "
         "base_parameters[] = {\n" +
         fill_lines(shares.empty() ? "{0,0,0.0}" : shares, "    ", "    ") + "\n};";
}

}  // namespace

std::vector<std::pair<std::string, int>> further_sizes(
    const std::vector<const catalog::FunctionSpec*>& functions, const model::Tree& tree) {
  std::vector<std::pair<std::string, int>> sizes;
  for (const auto& [of, meaning] : meanings()) {
    const Dimension size{1, of};
    const bool is_used = std::any_of(functions.begin(), functions.end(), [&](const catalog::FunctionSpec* f) {
      return catalog::has_size(*f, size.of);
    });
    if (is_used) sizes.emplace_back(size.text(), static_cast<int>(size.size(catalog::sizes_of(tree))));
  }
  for (auto& size : chosen_inputs_sizes(tree)) sizes.push_back(std::move(size));
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
  std::vector<const catalog::FunctionSpec*> functions;
  for (const LoweredFunction& f : request.functions) functions.push_back(f.spec);
  return further_sizes(functions, *request.tree);
}

std::string inertial_constants(const Request& request) {
  const bool of_base = uses(request, Of::num_base_parameters);
  if (!of_base && !uses(request, Of::num_bodies)) return "";
  return size_definitions(request) + body_names(*request.tree) + own_parameters(*request.tree) +
         (of_base ? base_parameters(*request.tree->base_parameters) : "");
}

std::string inertial_includes(const Request& request) {
  return uses(request, Of::num_base_parameters) ? "#include <featherline/inertial_parameters.hpp>" : "";
}

}  // namespace featherline::emit
