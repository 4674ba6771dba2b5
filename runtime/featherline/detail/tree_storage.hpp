// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>

#include <type_traits>

/// Routines take the robot's tree as a value. In emitted code it is an empty struct with static constants. The
/// generator runs the same routines before it emits calls of them, on a tree that it has read: a struct with members of
/// the same names.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <class Tree>
inline constexpr bool is_known_tree = std::is_empty_v<Tree>;

/// Stands for a number that the compiler does not know.
inline constexpr int unknown = -1;

/// The number N, or one that is read.
template <int N>
struct Extent {
  static constexpr int value = N;
  constexpr explicit Extent(int) {}
};
template <>
struct Extent<unknown> {
  int value;
  constexpr explicit Extent(int number) : value(number) {}
};

/// `count` numbers that a routine works with. If the compiler does not know how many, they are not on the stack: the
/// generator defines this type for them.
template <class T, int count>
struct Room {
  T data[count];
  explicit Room(int) {}
};
template <class T>
struct Room<T, unknown>;

/// The same, zeros first.
template <class T, int count>
struct ZeroedRoom {
  T data[count] = {};
  constexpr explicit ZeroedRoom(int) {}
};
template <class T>
struct ZeroedRoom<T, unknown> : Room<T, unknown> {
  explicit ZeroedRoom(int number) : Room<T, unknown>(number) {
    for (int k = 0; k < number; ++k) this->data[k] = T{};
  }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
