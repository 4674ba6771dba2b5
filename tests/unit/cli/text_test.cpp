#include "support/text.hpp"
#include "cli/output_files.hpp"
#include "cli/tune/tune.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <sstream>

using namespace featherline;
using cli::column_number, cli::TextTable, cli::without_middle;

TEST_CASE("decimal points stand below each other, headings above the ends") {
  TextTable table({cli::left("name"), cli::point("value"), cli::right("n")});
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
  TextTable table({cli::left("name"), cli::right("n")});
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
  TextTable table({cli::left("name", 8)});
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

TEST_CASE("a slip of the fingers finds its name") {
  const std::vector<std::string> names{"rnea", "bias", "mass_matrix", "rnea_derivatives"};
  CHECK(nearest_name("rnae", names) == "rnea");  // neighbours swapped
  CHECK(nearest_name("rne", names) == "rnea");   // one left out
  CHECK(nearest_name("masss_matrix", names) == "mass_matrix");
  CHECK(nearest_name("mass-matrx", names) == "mass_matrix");
  CHECK(nearest_name("bias", names) == "bias");
}

TEST_CASE("the beginning of one name finds it, that of several none") {
  const std::vector<std::string> names{"crank_joint", "knee_joint_left", "knee_joint_right"};
  CHECK(nearest_name("crank", names) == "crank_joint");
  CHECK(nearest_name("knee", names) == "");
  CHECK(nearest_name("cr", names) == "");
}

TEST_CASE("what is far from all names finds none") {
  const std::vector<std::string> names{"rnea", "bias"};
  CHECK(nearest_name("jacobian", names) == "");
  CHECK(nearest_name("", names) == "");
  CHECK(nearest_name("x", {"y"}) == "");  // replacing everything is not near
  CHECK(nearest_name(std::string(100000, 'r'), names) == "");
  CHECK(nearest_name("rnea", {}) == "");
}

TEST_CASE("a refusal lists what is valid and stays on one line") {
  CHECK(refuse_word("flaoting", {"fixed", "floating"}) ==
        "\"flaoting\" is not one of fixed, floating; did you mean \"floating\"?");
  CHECK(refuse_word("a\nb", {"fixed"}).find('\n') == std::string::npos);
}

// What `featherline tune` and scripts/bench call the processor.

TEST_CASE("processors of one name are told apart by family and model, here and in scripts/processor") {
  const std::string zen5 =
      "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n\n"
      "processor\t: 1\nmodel\t\t: 9\nmodel name\t: another core\n";
  std::istringstream text(zen5), other("processor\t: 0\nBogoMIPS\t: 50.00\n");
  CHECK(cli::processor_name(text) == "AMD EPYC, family 26 model 2");
  CHECK(cli::processor_name(other) == "");

  const cli::TemporaryFolder scratch;
  const auto script_says = [&](const std::string& vendor, int family, int model) {
    const std::string file = scratch.path() / "cpuinfo", answer = scratch.path() / "answer";
    test::write_text(file, fmt::format("vendor_id\t: {}\ncpu family\t: {}\nmodel\t\t: {}\nmodel name\t: X\n",
                                       vendor, family, model));
    REQUIRE(std::system(("scripts/processor " + file + " > " + answer).c_str()) == 0);
    return test::read_text(answer);
  };
  CHECK(script_says("AuthenticAMD", 26, 2) == "X, family 26 model 2 (Zen 5)\n");
  CHECK(script_says("AuthenticAMD", 25, 17) == "X, family 25 model 17 (Zen 4)\n");
  CHECK(script_says("AuthenticAMD", 25, 1) == "X, family 25 model 1 (Zen 3)\n");
  CHECK(script_says("GenuineIntel", 6, 143) == "X, family 6 model 143\n");
}
