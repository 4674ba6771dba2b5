// Rows of structural zeros.
#include "ir/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace zero_entries_test {

using featherline::ir::rows_of, featherline::ir::stores_of_four, featherline::ir::ZeroRows;

namespace {

std::vector<int> entries_of(const std::vector<ZeroRows>& all) {
  std::vector<int> entries;
  for (const ZeroRows& rows : all) {
    for (int k = 0; k < rows.count; ++k) {
      for (int i = 0; i < rows.length; ++i) entries.push_back(rows.first + k * rows.stride + i);
    }
  }
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

TEST_CASE("rows of zeros hold the entries they are made of, each once") {
  unsigned random = 1;
  for (int test = 0; test < 1000; ++test) {
    std::vector<int> entries;
    for (int k = 0; k < 60; ++k) {
      random = 1664525 * random + 1013904223;
      if (random >> 28 < static_cast<unsigned>(test % 16)) entries.push_back(k);
    }
    CHECK(entries_of(rows_of({entries.rbegin(), entries.rend()})) == entries);
  }
}

TEST_CASE("columns with equal zeros are one group, also where two kinds alternate") {
  std::vector<int> alike, alternating;
  for (int column = 0; column < 10; ++column) {
    for (int row = 4; row < 9; ++row) alike.push_back(9 * column + row);
    for (const int row : {1, 5, 6, 7}) alternating.push_back(9 * column + row);
  }
  const std::vector<ZeroRows> one = rows_of(alike), two = rows_of(alternating);
  REQUIRE(one.size() == 1);
  CHECK(one[0].length == 5);
  CHECK(one[0].count == 10);
  CHECK(one[0].stride == 9);
  CHECK(stores_of_four(alike) == 20);
  REQUIRE(two.size() == 2);
  CHECK(two[1].length == 3);
  CHECK(two[1].count == 10);
  CHECK(stores_of_four(alternating) == 20);
}

}  // namespace zero_entries_test
