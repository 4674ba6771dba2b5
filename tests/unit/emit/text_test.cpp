#include "emit/text.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace featherline::emit;

TEST_CASE("comments cannot be left") {
  CHECK(comment_safe("elbow") == "elbow");
  CHECK(comment_safe("a\nb\rc") == "a_b_c");
  CHECK(comment_safe("x */ int y; /*") == "x * / int y; / *");
  CHECK(comment_safe("ends in \\") == "ends in |");
  CHECK(comment_safe("why?\?/") == "why? ?/");
  CHECK(comment_safe("caf\xC3\xA9 \xE2\x80\xAE!") == "caf_ _!");
  CHECK(comment_safe(std::string(500, 'x')).size() == 80);
}

TEST_CASE("string literals hold any bytes") {
  CHECK(string_literal("a\"b\\c") == "\"a\\\"b\\\\c\"");
  CHECK(string_literal("\n1") == "\"\\0121\"");
  CHECK(string_literal("\xC3\xA9") == "\"\\303\\251\"");
  CHECK(string_literal("\x3F?/") == "\"\\?\\?/\"");
  CHECK(string_literal(std::string("\0x", 2)) == "\"\\000x\"");
}

namespace {

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

std::string without_space(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

}  // namespace

TEST_CASE("short statements are left alone") {
  CHECK(wrap_statement("const S a = b + c;", "  ") == "  const S a = b + c;");
}

TEST_CASE("long statements break before operators and lose nothing") {
  std::string statement = "const S a = b0";
  for (int i = 1; i < 60; ++i)
    statement += " + c" + std::to_string(i) + " * (d - e" + std::to_string(i) + ")";
  statement += ";";
  const std::string wrapped = wrap_statement(statement, "  ");
  CHECK(longest_line(wrapped) <= 100);
  CHECK(without_space(wrapped) == without_space(statement));
  CHECK(wrapped.find("\n            + c") != std::string::npos);  // between terms, below the equals sign
  CHECK(wrapped.find("\n            - e") == std::string::npos);
}

TEST_CASE("lines end between terms before they end inside of parentheses") {
  const std::string a(24, 'a'), b(24, 'b');
  CHECK(wrap_statement("x = " + a + " + (" + a + " - " + b + ") * " + b + ";", "") ==
        "x = " + a + "\n  + (" + a + " - " + b + ") * " + b + ";");
  CHECK(wrap_statement("const S x = " + a + " * (" + a + " - " + b + " * " + b + ");", "") ==
        "const S x = " + a + "\n          * (" + a + " - " + b + " * " + b + ");");
  CHECK(wrap_statement("const S x = (" + a + " + " + b + " + " + a + " - " + b + ");", "") ==
        "const S x = (" + a + " + " + b + " + " + a + "\n             - " + b + ");");
  const std::string sum = a + " + " + b + " + " + a;
  CHECK(wrap_statement("const S x = " + a + " * (" + sum + ") - " + b + ";", "") ==
        "const S x = " + a + "\n            * (" + sum + ")\n          - " + b + ";");
  CHECK(wrap_statement("const S x = " + b + " + " + a + " * (" + sum + " + " + b + ");", "") ==
        "const S x = " + b + "\n          + " + a + "\n            * (" + sum + "\n               + " + b +
            ");");
}

TEST_CASE("template arguments stay together") {
  const std::string parameters = "const Input<double, nq, 1>& q";
  const std::string statement =
      "void f(" + parameters + ", " + parameters + ", " + parameters + ", " + parameters + ");";
  CHECK(wrap_statement(statement, "").find("double,\n") == std::string::npos);
}

TEST_CASE("text without a place to break is left long") {
  const std::string statement = std::string(300, 'x') + ";";
  CHECK(wrap_statement(statement, "  ") == "  " + statement);
}

TEST_CASE("comments are filled") {
  std::string words;
  for (int i = 0; i < 80; ++i) words += "word ";
  const std::string filled = fill_lines(words, "/// ", "///   ");
  CHECK(longest_line(filled) <= 110);
  CHECK(filled.find("\n///   word") != std::string::npos);
}
