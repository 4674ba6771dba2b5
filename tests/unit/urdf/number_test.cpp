#include "urdf/number.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <string>

using namespace featherline::urdf;

namespace {

double value_of(std::string_view text) {
  const ParsedNumber number = parse_number(text);
  REQUIRE_MESSAGE(number.problem.empty(), std::string(text), ": ", number.problem);
  return number.value;
}

std::string problem_of(std::string_view text) { return parse_number(text).problem; }

}  // namespace

TEST_CASE("numbers in all their decimal forms") {
  CHECK(value_of("1") == 1.0);
  CHECK(value_of("+1.5") == 1.5);
  CHECK(value_of("-.5") == -0.5);
  CHECK(value_of("5.") == 5.0);
  CHECK(value_of("1e-3") == 1e-3);
  CHECK(value_of("1E+3") == 1e3);
  CHECK(value_of("0.1") == 0.1);
  CHECK(value_of("1.7976931348623157e308") == 1.7976931348623157e308);
  CHECK(value_of("2.2250738585072014e-308") == 2.2250738585072014e-308);
  CHECK(value_of("000012") == 12.0);
}

TEST_CASE("below the normal range digits are lost") {
  CHECK(problem_of("4.9e-324") == "\"4.9e-324\" is outside the range of a double");
  CHECK(problem_of("-1e-310") == "\"-1e-310\" is outside the range of a double");
}

TEST_CASE("what is not a number has a reason") {
  CHECK(problem_of("") == "\"\" is not a number");
  CHECK(problem_of("one") == "\"one\" is not a number");
  CHECK(problem_of("+") == "\"+\" is not a number");
  CHECK(problem_of("+-1") == "\"+-1\" is not a number");
  CHECK(problem_of("++1") == "\"++1\" is not a number");
  CHECK(problem_of("1.0kg") == "\"1.0kg\" is a number followed by \"kg\"");
  CHECK(problem_of("1e") == "\"1e\" is a number followed by \"e\"");
  CHECK(problem_of("1.2.3") == "\"1.2.3\" is a number followed by \".3\"");
  CHECK(problem_of("1,5") == "\"1,5\" has a decimal comma");
  CHECK(problem_of("0x1p3") == "\"0x1p3\" is hexadecimal");
  CHECK(problem_of("inf") == "\"inf\" is not finite");
  CHECK(problem_of("-Infinity") == "\"-Infinity\" is not finite");
  CHECK(problem_of("NaN") == "\"NaN\" is not finite");
  CHECK(problem_of("1e400") == "\"1e400\" is outside the range of a double");
  CHECK(problem_of("1e-400") == "\"1e-400\" is outside the range of a double");
}

TEST_CASE("numbers do not depend on the locale") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* comma_locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) {
    if (std::setlocale(LC_ALL, comma_locale) != nullptr) break;
  }
  CHECK(value_of("0.25") == 0.25);
  CHECK(to_text(0.25) == "0.25");
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("words are split at every XML white space") {
  CHECK(split_words("").empty());
  CHECK(split_words(" \t\r\n").empty());
  const auto words = split_words("\t1  2\r\n3 ");
  REQUIRE(words.size() == 3);
  CHECK(words[0] == "1");
  CHECK(words[1] == "2");
  CHECK(words[2] == "3");
}

TEST_CASE("numbers become the shortest text that reads back") {
  CHECK(to_text(0.1) == "0.1");
  CHECK(to_text(1e15) == "1e+15");
  CHECK(to_text(-2.0) == "-2");
  CHECK(to_text(1.0 / 3.0, 3) == "0.333");
}
