#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

/// Helpers that the dumps of all stages share. Each dump is next to the type that it prints.
namespace featherline::dumps {

using Out = std::back_insert_iterator<std::string>;

/// A vector or matrix row by row, with enough digits to tell any two different numbers apart.
template <class Dense>
std::string numbers(const Dense& values) {
  std::string text;
  for (decltype(values.rows()) i = 0; i < values.rows(); ++i) {
    for (decltype(values.cols()) j = 0; j < values.cols(); ++j)
      text += fmt::format("{}{}", text.empty() ? "" : " ", values(i, j));
  }
  return "[" + text + "]";
}

}  // namespace featherline::dumps
