// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch.hpp>
#include <featherline/constraint_info.hpp>
#include <featherline/frame_info.hpp>
#include <featherline/inertial_parameters.hpp>
#include <featherline/joint_info.hpp>
#include <featherline/parameter_info.hpp>
#include <featherline/reference_frame.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

/// What Python needs to know of a robot: NAME_python.cpp of `--python` fills these tables, runtime/python/native reads
/// them. No header of Python is needed to compile them.
namespace featherline::python {

/// Changes whenever a structure of this file does. A library of another version is refused.
inline constexpr int table_version = 7;

/// A table and its length.
template <class T>
struct List {
  const T* data = nullptr;
  int size = 0;

  const T* begin() const { return data; }
  const T* end() const { return data + size; }
  const T& operator[](int i) const { return data[i]; }
};

template <class T, std::size_t size>
constexpr List<T> list(const T (&array)[size]) {
  return {array, static_cast<int>(size)};
}

inline constexpr int max_rank = 3;
inline constexpr int max_arrays = 16;  ///< of a function
inline constexpr int any_number = -1;  ///< a side that callers choose: the number of steps

/// What the numbers of an input have to be.
enum class Demand {
  none,
  unit_quaternions,  ///< of a position
  switches,          ///< 0 or 1, for each constraint
  weights            ///< 0 or more, for each constraint
};

/// An array that a function reads or writes, as Python shows it. Its first side runs fastest in memory, or slowest if
/// it counts entries: links, frames, steps. Then the others run faster, from the second one on.
struct Array {
  const char* name;
  bool is_output;
  Demand demand;
  bool entries_first;
  int rank;  ///< 0: a number
  int sides[max_rank];
};

/// The arrays of a function: inputs, then outputs. Made from a table only, so that none has more than its readers have
/// room for.
struct Arrays : List<Array> {
  template <std::size_t count>
  constexpr Arrays(const Array (&table)[count])
      : List<Array>(list(table)) {  // NOLINT: converts like a pointer
    static_assert(count <= max_arrays, "a function has more arrays than max_arrays of python_table.hpp");
  }
};

/// Runs a function on arrays in the order of its inputs, and of its outputs. For one state `count` is not read. Where
/// callers choose a number of steps, `link` is this number.
using Call = void (*)(std::ptrdiff_t count, const void* const* inputs, void* const* outputs, int link,
                      ReferenceFrame frame);

/// A function for one scalar; null where it was not generated.
struct Calls {
  Call one = nullptr;
  Call prepare = nullptr;  ///< NAME::prepare of it
  Call many = nullptr;     ///< for states one after the other
};

struct Function {
  const char* name;
  const char* doc;
  Arrays arrays;
  bool takes_link, has_reference_frame_argument;
  bool keeps_zeros;  ///< it does not write structural zeros
  Calls float64, float32;
};

/// Four numbers of q.
struct Quaternion {
  int index;
  const char* joint;
};

struct Robot {
  int version = table_version;
  const char* name = nullptr;
  int nq = 0, nv = 0;
  double total_mass = 0.0;
  List<const char*> joint_names = {}, link_names = {};
  List<JointInfo> joints = {};
  List<int> parents = {};
  List<double> neutral = {};
  int nq_all = 0, nv_all = 0;  ///< 0 where no loop is eliminated, as all_joint_names
  List<const char*> all_joint_names = {};
  List<Quaternion> quaternions = {};
  List<int> external_forces = {};  ///< links
  List<ParameterInfo> parameters = {};
  List<double> parameter_defaults = {};
  List<FrameInfo> frames = {};
  ReferenceFrame frame_axes = ReferenceFrame::local_world_aligned;
  List<ConstraintInfo> constraints = {};
  List<bool> actuated = {};
  double moment_length = 0.0;
  List<const char*> body_names = {};
  List<double> inertial_parameters = {};
  List<const char*> joint_columns = {};
  List<int> base_columns = {};
  List<ParameterShare> base_parameters = {};
  List<Function> functions = {};
};

/// Adapts an emitted function, of NAME or of NAME::batch, to Call.
template <auto function>
struct Adapter;

template <class... Parameters, void (*function)(Parameters...)>
struct Adapter<function> {
  static void call(std::ptrdiff_t count, const void* const* inputs, void* const* outputs, int link,
                   ReferenceFrame frame) {
    [[maybe_unused]] const auto next = [&](auto* parameter) {
      using P = std::remove_const_t<std::remove_pointer_t<decltype(parameter)>>;
      if constexpr (std::is_same_v<P, std::ptrdiff_t>) {
        return count;
      } else if constexpr (std::is_same_v<P, ReferenceFrame>) {
        return frame;
      } else if constexpr (std::is_same_v<P, int>) {
        return link;
      } else if constexpr (std::is_enum_v<P>) {
        return static_cast<P>(link);
      } else if constexpr (std::is_same_v<P, BatchOptions>) {
        return BatchOptions{};
      } else if constexpr (std::is_floating_point_v<P>) {
        return *static_cast<const P*>(*inputs++);
      } else if constexpr (std::is_const_v<std::remove_pointer_t<P>>) {
        return static_cast<P>(*inputs++);
      } else {
        return static_cast<P>(*outputs++);
      }
    };
    // Braces fix the order in which arrays are taken.
    std::tuple<std::decay_t<Parameters>...> arguments{
        next(static_cast<std::add_const_t<std::decay_t<Parameters>>*>(nullptr))...};
    std::apply(function, arguments);
  }
};

}  // namespace featherline::python
