#include "algorithms/clusters/all_joints.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <utility>

/// What algorithms write, and how values of folded limbs get to their places in arrays of the full tree.
namespace featherline::algorithms {
namespace {

int size_of(Sides sides, int nv) {
  int size = 1;
  for (int r = 0; r < sides.rank; ++r) size *= nv * sides.blocks;
  return size;
}

/// Stores entries of an array of the full tree. Those `of_calls` are written later. The rest of the array is zero.
void store_entries(ir::Kernel& kernel, int buffer, const std::vector<StoredEntry>& entries,
                   const std::set<int>& of_calls = {}) {
  std::vector<bool> is_stored(index(kernel.output_or_local(buffer).size), false);
  for (const int place : of_calls) is_stored[index(place)] = true;
  for (const auto& [places, value] : entries) {
    kernel.scatter(buffer, places, value);
    for (const int place : places) is_stored[index(place)] = true;
  }
  for (std::size_t k = 0; k < is_stored.size(); ++k) {
    if (!is_stored[k]) kernel.store(buffer, static_cast<int>(k), 0.0);
  }
}

/// The places of an entry of a folded array in the array of the full tree, one for each limb that the entry stands for.
/// None if its coordinates belong to two different groups of limbs.
std::vector<int> unfolded_places(const model::Folding& folding, int nv, Sides sides, int entry) {
  const int folded_nv = static_cast<int>(folding.velocities.size());
  std::vector<int> places{0};
  int group = -1, stride = 1;
  for (int r = 0; r < sides.rank; ++r) {
    const int along = entry % (folded_nv * sides.blocks), block = along / folded_nv, k = along % folded_nv;
    const std::vector<int>& members = folding.velocities[index(k)];
    if (const int own = folding.group_of_velocity[index(k)]; own >= 0) {
      if (group >= 0 && group != own) return {};
      group = own;
      places.resize(members.size(), places.front());
    }
    for (std::size_t lane = 0; lane < places.size(); ++lane)
      places[lane] += stride * (block * nv + members[members.size() > 1 ? lane : 0]);
    entry /= folded_nv * sides.blocks;
    stride *= nv * sides.blocks;
  }
  return places;
}

}  // namespace

std::vector<int> spaced_places(int first, int count, int stride) {
  std::vector<int> places;
  for (int k = 0; k < count; ++k) places.push_back(first + k * stride);
  return places;
}

std::vector<int> matrix_places(const std::vector<int>& rows, const std::vector<int>& columns, int height) {
  const auto of_lane = [](const std::vector<int>& list, std::size_t lane) {
    return list.size() > 1 ? list[lane] : list.front();
  };
  std::vector<int> places;
  for (std::size_t lane = 0; lane < std::max(rows.size(), columns.size()); ++lane)
    places.push_back(of_lane(rows, lane) + height * of_lane(columns, lane));
  return places;
}

void place_block(const std::vector<StoredEntry>& block, int n, int row, int column, int height,
                 std::vector<StoredEntry>& entries) {
  const auto place = [&](int k) { return row + k % n + height * (column + k / n); };
  for (const StoredEntry& e : block) entries.push_back({each(e.places, place), e.value});
}

int Context::full_size(const Coordinates& values, Sides sides) const {
  return folding().has_lanes() ? size_of(sides, full_tree().nv) : static_cast<int>(values.size());
}

void Context::store(int buffer, const Coordinates& values, Sides sides) {
  std::vector<StoredEntry> entries;
  for (int k = 0; k < static_cast<int>(values.size()); ++k) {
    const Scalar& x = values[index(k)];
    std::vector<int> places{k};
    if (folding().has_lanes()) places = unfolded_places(folding(), full_tree().nv, sides, k);
    if (places.empty() ? !x.is_zero() : x.lanes() > static_cast<int>(places.size()))
      throw InternalError("an algorithm writes values of limbs to an entry of no limb");
    if (!places.empty()) entries.push_back({std::move(places), x});
  }
  store_entries(*kernel_, buffer, entries);
}

void Context::output(const std::string& name, const Coordinates& values, Sides sides) {
  if (kernel_->array(array(name)).size != full_size(values, sides))
    throw InternalError("an algorithm writes " + name + ", which has another size");
  store(array(name).index, values, sides);
}

void Context::output_vector(const std::string& name, const Coordinates& values) {
  std::vector<StoredEntry> entries;
  for (const Scalar& x : values) entries.push_back({{static_cast<int>(entries.size())}, x});
  output(name, entries);
}

void Context::output_positions(const std::string& name, const Coordinates& values) {
  std::vector<StoredEntry> entries;
  for (const Scalar& x : values) entries.push_back({folding().positions[entries.size()], x});
  output(name, entries);
}

void Context::output_columns(const std::string& name, int rows, const Coordinates& values) {
  std::vector<StoredEntry> entries;
  if (projection_ != nullptr) return output_vector(name, projection_->columns(rows, values));
  for (int k = 0; k < static_cast<int>(values.size()); ++k)
    entries.push_back(
        {matrix_places({k % rows}, folding().velocities[index(k / rows)], rows), values[index(k)]});
  output(name, entries);
}

void Context::output(const std::string& name, const std::vector<StoredEntry>& entries,
                     const std::set<int>& of_calls) {
  store_entries(*kernel_, array(name).index, entries, of_calls);
}

int Context::scratch(const std::string& name, int size) {
  const auto is_called_so = [&](const ir::Buffer& buffer) { return buffer.name == name; };
  for (const std::vector<ir::Buffer>* others : {&kernel_->inputs, &kernel_->outputs, &kernel_->locals}) {
    if (std::ranges::any_of(*others, is_called_so))
      throw InternalError("two arrays of a kernel are called " + name);
  }
  kernel_->locals.push_back({name, size});
  return kernel_->num_outputs_and_locals() - 1;
}

void Context::local(const std::string& name, const Coordinates& values, Sides sides) {
  store(scratch(name, full_size(values, sides)), values, sides);
}

void Context::local(const std::string& name, int size, const std::vector<StoredEntry>& entries) {
  store_entries(*kernel_, scratch(name, size), entries);
}

void Context::local(const std::string& name, int size) {
  kernel_->steps.emplace_back(ir::Clear{scratch(name, size)});
}

void Context::clear_outputs(bool once, bool for_sums) {
  for (int k = 0; k < static_cast<int>(kernel_->outputs.size()); ++k)
    kernel_->steps.emplace_back(ir::Clear{k, {}, once, for_sums});
}

void Context::clear_once(const std::string& output, std::vector<int> entries) {
  kernel_->steps.emplace_back(ir::Clear{array(output).index, std::move(entries), true});
}

void Context::call(ir::Call call) {
  if (!call.body) call.cost = cost_of(call);
  kernel_->steps.emplace_back(std::move(call));
}

std::vector<ir::ArrayId> Context::arrays(const std::vector<std::string>& names) const {
  return each(names, [&](const std::string& name) { return array(name); });
}

}  // namespace featherline::algorithms
