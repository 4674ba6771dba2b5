#include "cli/text_table.hpp"
#include "support/text.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace featherline;
using cli::column_number, cli::TextTable, cli::without_middle;

TEST_CASE("decimal points stand below each other, headings above the ends") {
  TextTable table({{"name"}, {"value", TextTable::Side::point}, {"n", TextTable::Side::right}});
  table.add({"a", "1.25", "3"});
  table.add({"bcdef", "-10.5", "12"});
  table.add({"c", "7", "4", "behind"});
  table.add({"d", "-", "5"});
  CHECK(table.text() ==
        "  name    value   n\n"
        "  a        1.25   3\n"
        "  bcdef  -10.5   12\n"
        "  c        7      4  behind\n"
        "  d        -      5\n");
  CHECK_FALSE(table.is_cut());
}

TEST_CASE("columns are as wide as a terminal shows their cells") {
  TextTable table({{"name"}, {"n", TextTable::Side::right}});
  table.add({"\u8155", "1"});         // a wide character
  table.add({"e\u0301\u00e9", "2"});  // a combining one
  CHECK(table.text() == "  name  n\n  \u8155    1\n  e\u0301\u00e9    2\n");
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\u80a9\u5173") == 4);
  CHECK(display_width("\xff\xfe") == 2);
}

TEST_CASE("a long cell loses its middle, never half a character") {
  CHECK(without_middle("abcdef", 6) == "abcdef");
  CHECK(without_middle("abcdefghijkl", 9) == "abcd...kl");
  CHECK(without_middle("\u8155\u8155\u8155\u8155\u8155\u8155", 9) == "\u8155\u8155...\u8155");
  CHECK(without_middle("\u8155\u8155\u8155\u8155\u8155\u8155", 10) == "\u8155\u8155...\u8155");
  TextTable table({{"name", TextTable::Side::left, 8}});
  table.add({"abcdefghijkl"});
  CHECK(table.is_cut());
  CHECK(table.text() == "  name\n  abcd...l\n");
}

TEST_CASE("numbers have at most six decimals, and what is not zero never looks like it") {
  CHECK(column_number(0.0) == "0");
  CHECK(column_number(-0.0) == "0");
  CHECK(column_number(1.5) == "1.5");
  CHECK(column_number(-3.0) == "-3");
  CHECK(column_number(1.0 / 3.0) == "0.333333");
  CHECK(column_number(1e-6) == "0.000001");
  CHECK(column_number(-4.9e-12) == "~0");
  CHECK(column_number(999999.25) == "999999.25");
  CHECK(column_number(1e30) == "1e+30");
  CHECK(column_number(std::numeric_limits<double>::infinity()) == "inf");
}
