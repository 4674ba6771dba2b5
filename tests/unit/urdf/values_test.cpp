#include "description/checks.hpp"
#include "description/description.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <string>

using namespace featherline::description;

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

using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST_CASE("principal moments come in order, with rounding set to zero") {
  Matrix3d rod = Matrix3d::Zero();
  rod.diagonal() << 2, 0, 1;
  CHECK(principal_moments(rod).isApprox(Vector3d(0, 1, 2), 1e-15));
  const Vector3d direction = Vector3d(1, 2, 3).normalized();
  const Matrix3d tilted = 1e-7 * (Matrix3d::Identity() - direction * direction.transpose());
  const Vector3d moments = principal_moments(tilted);
  CHECK(moments[0] == 0.0);
  CHECK(moments[1] == doctest::Approx(1e-7).epsilon(1e-12));
  CHECK(principal_moments(Matrix3d::Zero()) == Vector3d::Zero());
  CHECK(principal_moments(Matrix3d(1e-300 * Matrix3d::Identity()))[0] == doctest::Approx(1e-300));
}

using featherline::description::sha256;

// Source of the digests: NIST, "Examples with intermediate values" for FIPS 180 (abc, two blocks, a million
// a) and the CAVP short-message vectors (empty); the lengths around one block come from Python's hashlib.
TEST_CASE("sha256 agrees with the standard's vectors") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha256 pads every length around a block") {
  CHECK(sha256(std::string(55, 'x')) == "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  CHECK(sha256(std::string(56, 'x')) == "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  CHECK(sha256(std::string(63, 'x')) == "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
  CHECK(sha256(std::string(64, 'x')) == "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
  CHECK(sha256(std::string(65, 'x')) == "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9");
  CHECK(sha256(std::string(119, 'x')) == "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
  CHECK(sha256(std::string(120, 'x')) == "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98");
}
