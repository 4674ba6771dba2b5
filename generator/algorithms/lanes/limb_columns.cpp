#include "algorithms/lanes/limb_columns.hpp"

#include "support/index.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;

}  // namespace

LimbColumns::LimbColumns(Context& context, const LimbInverse& inverse) : c_(context), inverse_(inverse) {
  const std::vector<StoredEntry> numbers = inverse.numbers();
  solver_size_ = numbers.empty() ? 1 : numbers.back().places.back() + 1;  // C++ has no empty arrays
  c_.local("solver", solver_size_, numbers);
}

template <class F>
void LimbColumns::each_limb_coordinate(const F& f) const {
  for (int k = 0; k < c_.nv(); ++k) {
    if (c_.folding().group_of_velocity[index(k)] >= 0) f(k);
  }
}

void LimbColumns::add(const std::string& output, int coordinate, Values b) {
  const int group = c_.folding().group_of_velocity[index(coordinate)];
  columns_.push_back({output, coordinate, group, std::move(b)});
}

void LimbColumns::add_negative_product(const std::string& output, const SquareMatrix& A) {
  each_limb_coordinate([&](int k) {
    Values b = A.column(k);
    for (Scalar& entry : b) entry = -entry;
    add(output, k, std::move(b));
  });
}

void LimbColumns::add_inverse(const std::string& output) {
  each_limb_coordinate([&](int k) {
    Values unit = c_.zeros();
    unit[index(k)] = 1.0;
    add(output, k, std::move(unit));
  });
}

int LimbColumns::first_column(int coordinate) const {
  const std::vector<int>& columns = c_.folding().velocities[index(coordinate)];
  return *std::min_element(columns.begin(), columns.end());
}

LimbColumns::Distances LimbColumns::distances(int coordinate) const {
  Distances list;
  for (const int column : c_.folding().velocities[index(coordinate)])
    list.push_back(c_.full_tree().nv * (column - first_column(coordinate)));
  return list;
}

std::vector<int> LimbColumns::coordinates_of_b(int group) const {
  std::vector<int> list;
  for (int k = 0; k < c_.nv(); ++k) {
    const int of = c_.folding().group_of_velocity[index(k)];
    if (of < 0 || of == group) list.push_back(k);
  }
  return list;
}

LimbColumns::Body LimbColumns::make_body(int group, const Distances& distances) const {
  const std::vector<int> coordinates = coordinates_of_b(group);
  const auto lanes = static_cast<int>(distances.size());
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = "columns";
  kernel->inputs = {{"solver", solver_size_}, {"b", lanes * static_cast<int>(coordinates.size())}};
  Context context = c_.in_kernel(*kernel);
  Values b = c_.zeros();
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    b[index(coordinates[k])] = kernel->gather(1, spaced_places(lanes * static_cast<int>(k), lanes));
  const Values x = LimbInverse(context, inverse_, 0).solve_for_limbs(group, b);
  Body body;
  kernel->outputs = {{"x", *std::max_element(distances.begin(), distances.end()) + c_.full_tree().nv}};
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (x[row].is_zero()) continue;
    body.rows.push_back(static_cast<int>(row));
    std::vector<int> places = distances;
    for (int& place : places) place += static_cast<int>(row);
    kernel->scatter(0, places, x[row]);
  }
  body.kernel = std::move(kernel);
  return body;
}

const LimbColumns::Body& LimbColumns::body_of(const Column& column) {
  const std::pair<int, Distances> key{column.group, distances(column.coordinate)};
  const auto found = bodies_.find(key);
  if (found != bodies_.end()) return found->second;
  Body body = make_body(key.first, key.second);
  body.number = static_cast<int>(bodies_.size()) + 1;
  return bodies_.emplace(key, std::move(body)).first->second;
}

void LimbColumns::run() {
  std::vector<StoredEntry> right_sides;
  std::vector<ir::Call> calls;
  int size = 0;
  for (const Column& column : columns_) body_of(column);
  for (auto& [key, body] : bodies_) {
    if (bodies_.size() > 1) body.kernel->name += "_" + std::to_string(body.number);
  }
  for (const Column& column : columns_) {
    const Body& body = body_of(column);
    const int first = c_.full_tree().nv * first_column(column.coordinate);
    ir::Call call;
    call.first = {0, size, first};
    call.body = body.kernel;
    calls.push_back(std::move(call));
    for (const int k : coordinates_of_b(column.group)) {
      const auto lanes = static_cast<int>(distances(column.coordinate).size());
      right_sides.push_back({spaced_places(size, lanes), column.b[index(k)]});
      size += lanes;
    }
    for (const int distance : distances(column.coordinate)) {
      for (const int row : body.rows) written_[column.output].insert(first + distance + row);
    }
  }
  c_.local("columns", size, right_sides);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    calls[k].arguments = c_.arrays({"solver", "columns", columns_[k].output});
    c_.call(std::move(calls[k]));
  }
}

void LimbColumns::write(const std::string& output, const std::vector<StoredEntry>& entries) {
  c_.output(output, entries, written_[output]);
}

}  // namespace featherline::algorithms
