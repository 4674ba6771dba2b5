#pragma once

#include <featherline/detail/tree_storage.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>

namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Numbers of a routine that runs on a tree which is read. They are not numbers until it writes them.
template <class T>
struct Room<T, unknown> {
  using Number = std::remove_all_extents_t<T>;

  explicit Room(int count) : elements(new T[static_cast<std::size_t>(count)]), data(elements.get()) {
    const std::size_t size = static_cast<std::size_t>(count) * sizeof(T) / sizeof(Number);
    std::fill_n(reinterpret_cast<Number*>(data), size, std::numeric_limits<Number>::quiet_NaN());
  }

  std::unique_ptr<T[]> elements;
  T* data;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
