#include "algorithms/lanes/limb_inverse.hpp"

namespace featherline::algorithms {

void LimbColumns::add(const std::string& output, const SquareMatrix& A, int begin) {
  for (int k = 0; k < c_.nv(); ++k) {
    const int group = c_.folding().group_of_velocity[index(k)];
    if (group < 0) continue;
    const std::vector<int>& columns = c_.folding().velocities[index(k)];
    const int first = std::ranges::min(columns);
    Distances distances;
    for (const int column : columns) distances.push_back(rows_ * (column - first));
    Function& function = functions_[{group, distances}];
    if (function.kernel == nullptr) make(group, distances, function);
    const Coordinates b = each(coordinates_of_b(group), [&](int i) { return A(i, k); });
    calls_.add(function.kernel, static_cast<int>(columns.size()), b,
               {{output, begin + rows_ * first, function.places}});
  }
}

void LimbColumns::run() {
  for (auto& [key, function] : functions_) {
    if (functions_.size() > 1) function.kernel->name += "_" + std::to_string(function.number);
  }
  calls_.run();
}

std::vector<int> LimbColumns::coordinates_of_b(int group) const {
  std::vector<int> list;
  for (int k = 0; k < c_.nv(); ++k) {
    const int of = c_.folding().group_of_velocity[index(k)];
    if (of < 0 || of == group) list.push_back(k);
  }
  return list;
}

void LimbColumns::make(int group, const Distances& distances, Function& function) {
  const std::vector<int> coordinates = coordinates_of_b(group);
  const auto lanes = static_cast<int>(distances.size());
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = "columns";
  kernel->inputs = calls_.inputs(lanes * static_cast<int>(coordinates.size()));
  kernel->outputs = {{"x", std::ranges::max(distances) + c_.full_tree().nv}};
  Context context = c_.in_kernel(*kernel);
  Coordinates b = context.zeros();
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    b[index(coordinates[k])] = kernel->gather(1, spaced_places(lanes * static_cast<int>(k), lanes));
  const Coordinates x = solver_of_numbers(inverse_.in(context), *kernel).solve_for_limbs(group, b);
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (x[row].is_zero()) continue;
    std::vector<int> places = distances;
    for (int& place : places) place += static_cast<int>(row);
    kernel->scatter(0, places, x[row]);
    function.places.insert(function.places.end(), places.begin(), places.end());
  }
  function.kernel = std::move(kernel);
  function.number = static_cast<int>(functions_.size());
}

}  // namespace featherline::algorithms
