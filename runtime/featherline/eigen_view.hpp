// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <type_traits>
#include <utility>

/// The code that all emitted NAME_eigen.hpp share. It passes arguments of Eigen types as plain arrays.
///
/// The functions take numbers that are contiguous in memory, column by column. An argument with this layout is used
/// in place. Any other argument is copied: an input before the call, an output after it.
namespace featherline::eigen_view {

/// A copy of at most this many bytes is on the stack. A larger copy is on the heap.
inline constexpr std::size_t max_stack_copy = std::size_t{16} * 1024;

template <class X, bool = std::is_floating_point_v<X>>
struct ScalarOf {
  using Type = X;
};
template <class X>
struct ScalarOf<X, false> {
  using Type = typename X::Scalar;
};
/// The scalar of an Eigen type, or of a number.
template <class X>
using Scalar = typename ScalarOf<std::decay_t<X>>::Type;

struct NoCopy {};

template <class S, int Rows, int Columns>
using Copy = std::conditional_t<
    sizeof(S) * static_cast<std::size_t>(Rows) * static_cast<std::size_t>(Columns) <= max_stack_copy,
    Eigen::Matrix<S, Rows, Columns>, Eigen::Matrix<S, Eigen::Dynamic, Columns == 1 ? 1 : Eigen::Dynamic>>;

/// How the numbers of an X are laid out in memory, as far as its type says.
template <class X, int Rows, int Columns>
struct Layout {
  static constexpr int flags = X::Flags;
  static constexpr bool in_memory = (flags & Eigen::DirectAccessBit) != 0;
  /// Rows and columns are interchangeable.
  static constexpr bool is_vector = Columns == 1 && X::IsVectorAtCompileTime;
  static constexpr bool row_major = !is_vector && (flags & Eigen::RowMajorBit) != 0;
  static constexpr bool plain = std::is_base_of_v<Eigen::PlainObjectBase<X>, X>;
  static constexpr bool inner_dense = Eigen::internal::inner_stride_at_compile_time<X>::ret == 1;
  static constexpr bool outer_dense =
      Columns == 1 || plain || Eigen::internal::outer_stride_at_compile_time<X>::ret == Rows;
  /// The type alone says that the numbers are contiguous, column by column.
  static constexpr bool surely_dense = in_memory && !row_major && inner_dense && outer_dense;

  static constexpr bool fits(int size, int expected) {
    return size == Eigen::Dynamic || expected == Eigen::Dynamic || size == expected;
  }
  /// The sizes that the type fixes are right.
  static constexpr bool right_type =
      is_vector ? fits(X::SizeAtCompileTime, Rows)
                : fits(X::RowsAtCompileTime, Rows) && fits(X::ColsAtCompileTime, Columns);

  static bool has_right_size(const X& x, Eigen::Index columns) {
    return is_vector ? x.size() == Rows : x.rows() == Rows && x.cols() == columns;
  }

  static bool is_dense(const X& x) {
    if constexpr (surely_dense) return true;
    if constexpr (in_memory) {
      if (is_vector) return Rows <= 1 || x.innerStride() == 1;
      const Eigen::Index down = row_major ? x.outerStride() : x.innerStride();
      const Eigen::Index right = row_major ? x.innerStride() : x.outerStride();
      return (Rows <= 1 || down == 1) && (x.cols() <= 1 || right == Rows);
    }
    static_cast<void>(x);
    return false;
  }
};

/// An input vector or matrix, which may have any number of columns: Eigen::Dynamic.
template <class S, int Rows, int Columns, class X>
class Input {
  using Place = Layout<X, Rows, Columns>;
  static_assert(std::is_same_v<typename X::Scalar, S>,
                "inputs and outputs have one scalar type; use .cast<>()");
  static_assert(Place::right_type, "an input of another size than the function takes");

 public:
  explicit Input(const X& x) {
    eigen_assert(Place::has_right_size(x, Columns == Eigen::Dynamic ? x.cols() : Columns) &&
                 "an input has the size that the function takes");
    if constexpr (Place::in_memory) data_ = x.data();
    if constexpr (!Place::surely_dense) {
      if (Place::is_dense(x)) return;
      copy_ = x.matrix();
      data_ = nullptr;
    }
  }

  const S* argument() const {
    if constexpr (!Place::surely_dense) return data_ == nullptr ? copy_.data() : data_;
    return data_;
  }
  void store() const {}

 private:
  const S* data_ = nullptr;
  std::conditional_t<Place::surely_dense, NoCopy, Copy<S, Rows, Columns>> copy_;
};

/// An output vector or matrix. An empty one is resized if its type allows it. No other one is resized.
template <class S, int Rows, int Columns, class X>
class Output {
  using Place = Layout<X, Rows, Columns>;
  static_assert(std::is_same_v<typename X::Scalar, S>, "inputs and outputs have one scalar type");
  static_assert(Place::right_type, "an output of another size than the function gives");
  static_assert((Place::flags & Eigen::LvalueBit) != 0, "an output that cannot be written");
  static constexpr bool resizable =
      Place::plain && (X::RowsAtCompileTime == Eigen::Dynamic || X::ColsAtCompileTime == Eigen::Dynamic);

 public:
  /// If `keep` is true, the function does not write all entries. Those that it does not write stay as they are, and are
  /// zero in an output that was empty.
  explicit Output(X& x, bool keep = false, Eigen::Index columns = Columns) : x_(x) {
    eigen_assert((Place::has_right_size(x, columns) || (resizable && x.size() == 0)) &&
                 "an output has the size that the function gives, or is empty");
    if constexpr (resizable) {
      if (!Place::has_right_size(x, columns)) {
        resize(columns);
        if (keep) x.setZero();
      }
    }
    in_place_ = Place::is_dense(x);
    if constexpr (!Place::surely_dense) {
      if (!in_place_) copy_.resize(Rows, columns);
      if (!in_place_ && keep) copy_ = x.matrix();
    }
  }

  S* argument() {
    if constexpr (Place::surely_dense) {
      return x_.data();
    } else {
      if constexpr (Place::in_memory) {
        if (in_place_) return x_.data();
      }
      return copy_.data();
    }
  }
  /// Copies the result back. To be called after the function.
  void store() {
    if constexpr (!Place::surely_dense) {
      if (!in_place_) x_.matrix() = copy_;
    }
  }

 private:
  void resize(Eigen::Index columns) {
    if constexpr (Place::is_vector) {
      x_.resize(Rows);
    } else {
      x_.resize(Rows, columns);
    }
  }

  X& x_;
  bool in_place_ = false;
  std::conditional_t<Place::surely_dense, NoCopy, Copy<S, Rows, Columns>> copy_;
};

/// A number in the place of an output of one entry.
template <class S>
class Number {
 public:
  explicit Number(S& x) : x_(&x) {}
  S* argument() const { return x_; }
  void store() const {}

 private:
  S* x_;
};

/// An argument that is not an array (a link, a frame). It is passed unchanged.
template <class T>
class Value {
 public:
  explicit Value(T value) : value_(value) {}
  T argument() const { return value_; }
  void store() const {}

 private:
  T value_;
};

template <class S, int Rows, int Columns = 1, class X>
Input<S, Rows, Columns, X> input(const Eigen::DenseBase<X>& x) {
  return Input<S, Rows, Columns, X>(x.derived());
}

/// Also takes temporaries that refer to other objects: blocks, maps and segments, such as `J.middleRows<6>(12)`.
template <class S, int Rows, int Columns = 1, class X,
          std::enable_if_t<!std::is_floating_point_v<std::decay_t<X>>, int> = 0>
Output<S, Rows, Columns, std::remove_reference_t<X>> output(X&& x, bool keep = false) {
  using Bare = std::remove_reference_t<X>;
  static_assert(!std::is_const_v<Bare>, "an output that is constant");
  static_assert(std::is_lvalue_reference_v<X> || !std::is_base_of_v<Eigen::PlainObjectBase<Bare>, Bare>,
                "an output that is a temporary: nobody would see the result");
  return Output<S, Rows, Columns, Bare>(x, keep);
}

/// An output with a column for each step.
template <class S, int Rows, class X>
Output<S, Rows, Eigen::Dynamic, std::remove_reference_t<X>> steps(X&& x, int count) {
  using Bare = std::remove_reference_t<X>;
  static_assert(!std::is_const_v<Bare>, "an output that is constant");
  static_assert(std::is_lvalue_reference_v<X> || !std::is_base_of_v<Eigen::PlainObjectBase<Bare>, Bare>,
                "an output that is a temporary: nobody would see the result");
  return Output<S, Rows, Eigen::Dynamic, Bare>(x, false, count);
}

template <class S, int Rows, int Columns = 1, class X, std::enable_if_t<std::is_floating_point_v<X>, int> = 0>
Number<S> output(X& x) {
  static_assert(Rows == 1 && Columns == 1, "a number in the place of an array");
  return Number<S>(x);
}

/// An output of which the function writes the structural non-zeros only.
template <class S, int Rows, int Columns = 1, class X>
Output<S, Rows, Columns, std::remove_reference_t<X>> kept(X&& x) {
  return output<S, Rows, Columns>(std::forward<X>(x), true);
}

template <class T>
Value<T> value(T x) {
  return Value<T>(x);
}

/// Calls the function, and then copies the outputs that are not used in place.
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
  function(arguments.argument()...);
  (arguments.store(), ...);
}

}  // namespace featherline::eigen_view
