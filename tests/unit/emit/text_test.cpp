#include "emit/emit.hpp"
#include "emit/identifiers.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <sstream>

using featherline::emit::literal;
using featherline::emit::literal_or_infinity;

TEST_CASE("whole numbers are floating literals") {
  CHECK(literal(1.0) == "1.0");
  CHECK(literal(-3.0) == "-3.0");
  CHECK(literal(0.0) == "0.0");
  CHECK(literal(123456789.0) == "123456789.0");
}

TEST_CASE("the shortest text that reads back the same is printed") {
  CHECK(literal(0.1) == "0.1");
  CHECK(literal(0.425) == "0.425");
  CHECK(literal(1.0 / 3.0) == "0.3333333333333333");
  CHECK(literal(0.1 + 0.2) == "0.30000000000000004");
  CHECK(literal(-9.81) == "-9.81");
}

TEST_CASE("exponents keep a decimal point") {
  CHECK(literal(1e300) == "1.0e+300");
  CHECK(literal(-2.5e-7) == "-2.5e-07");
  CHECK(literal(std::numeric_limits<double>::denorm_min()) == "5.0e-324");
}

TEST_CASE("every literal reads back bit for bit") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double value;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = literal(value);
    CHECK(text.find('.') != std::string::npos);
    REQUIRE(std::strtod(text.c_str(), nullptr) == value);
  }
}

TEST_CASE("infinities are spelled only where they may occur, NaN nowhere") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(literal(infinity), featherline::InternalError);
  CHECK_THROWS_AS(literal_or_infinity(std::nan("")), featherline::InternalError);
  CHECK(literal_or_infinity(infinity) == "std::numeric_limits<double>::infinity()");
  CHECK(literal_or_infinity(-infinity) == "-std::numeric_limits<double>::infinity()");
  CHECK(literal_or_infinity(2.0) == "2.0");
}

using featherline::emit::identifier;
using featherline::emit::Namer;

TEST_CASE("good names stay as they are") {
  for (const char* name : {"upper_arm", "LF_HFE", "UR5", "link1", "x"})
    CHECK(identifier(name, "link") == name);
}

TEST_CASE("foreign characters become single underscores, none in front, none doubled") {
  CHECK(identifier("left-arm.link 2", "link") == "left_arm_link_2");
  CHECK(identifier("__a__b__", "link") == "a_b");
  CHECK(identifier("_Reserved", "link") == "Reserved");
  CHECK(identifier("a\"; system(\"x\");//", "link") == "a_system_x");
  CHECK(identifier("bra\xC3\xA7o", "link") == "bra_o");
}

TEST_CASE("names without a letter fall back") {
  CHECK(identifier("", "robot") == "robot");
  CHECK(identifier("\xE6\x9C\xBA", "robot") == "robot");
  CHECK(identifier("3dof", "robot") == "robot_3dof");
  CHECK(identifier("\n\t", "link") == "link");
}

TEST_CASE("keywords, library names and macros give way") {
  CHECK(identifier("double", "link") == "double_link");
  CHECK(identifier("std", "robot") == "std_robot");
  CHECK(identifier("sincos", "robot") == "sincos_robot");
  CHECK(identifier("NULL", "link") == "NULL_link");
  CHECK(identifier("M_PI", "link") == "M_PI_link");
  CHECK(identifier("detail", "robot") == "detail_robot");
  CHECK(featherline::emit::emitted_name("featherline") == "featherline_robot");
}

TEST_CASE("long names are cut and told apart by a hash") {
  const std::string a(10000, 'a');
  const std::string b = a + "b";
  CHECK(identifier(a, "link").size() == 64);
  CHECK(identifier(a, "link") != identifier(b, "link"));
  CHECK(identifier(a, "link") == identifier(a, "link"));
  const std::string underscores = std::string(54, 'a') + "_" + std::string(100, 'b');
  CHECK(identifier(underscores, "link").find("__") == std::string::npos);
}

TEST_CASE("a namer never gives a name twice") {
  Namer namer("link");
  std::set<std::string> given;
  for (const char* name : {"a", "a", "a_2", "a b", "a_b", "a-b", "a", "", "", "\xC3\xA9", "t1"}) {
    CHECK(given.insert(namer.take(name)).second);
  }
  CHECK(given.count("a") == 1);
  CHECK(given.count("a_2") == 1);
  CHECK(namer.take_temporary() == "t2");
}

TEST_CASE("reserved names are not given out") {
  Namer namer("value");
  namer.reserve("tau");
  CHECK(namer.take("tau") == "tau_2");
}

TEST_CASE("no enumerator has the name of one of the header's constants") {
  featherline::model::UserTree tree;
  for (const char* name :
       {"nq", "nv", "num_links", "num_joints", "joints", "joint_names", "link_names", "arm"}) {
    featherline::model::Link link;
    link.name = name;
    tree.links.push_back(link);
  }
  const std::vector<std::string> names = featherline::emit::link_enumerators(tree);
  CHECK(names.back() == "arm");
  for (std::size_t i = 0; i + 1 < names.size(); ++i) CHECK(names[i] == tree.links[i].name + "_2");
}

using featherline::InternalError;
using featherline::emit::render;
using featherline::emit::skeleton;

TEST_CASE("placeholders are replaced, as often as they occur") {
  CHECK(render("a {{x}} b {{y}}{{x}}\n", {{"x", "1"}, {"y", "2"}}) == "a 1 b 21\n");
  CHECK(render("no newline {{x}}", {{"x", "{{y}}"}}) == "no newline {{y}}");
}

TEST_CASE("a line of one empty placeholder goes") {
  CHECK(render("a\n{{x}}\nb\n", {{"x", ""}}) == "a\nb\n");
  CHECK(render("a\n\n{{x}} \nb", {{"x", ""}}) == "a\n\n \nb");
}

TEST_CASE("a section is there where its value is not empty") {
  const std::string section =
      "a\n{{#x}}\nx is {{x}}\n{{#y}}\nand y\n{{/y}}\n{{/x}}\n{{^x}}\nno x\n{{/x}}\nb\n";
  CHECK(render(section, {{"x", "1"}, {"y", "2"}}) == "a\nx is 1\nand y\nb\n");
  CHECK(render(section, {{"x", "1"}, {"y", ""}}) == "a\nx is 1\nb\n");
  CHECK(render(section, {{"x", ""}, {"y", "2"}}) == "a\nno x\nb\n");
}

TEST_CASE("values that skeletons share need no placeholder, and others stand before them") {
  CHECK(render("{{x}} {{y}}", {{"x", "1"}}, {{"x", "3"}, {"y", "2"}, {"z", "4"}}) == "1 2");
}

TEST_CASE("mistakes in skeletons are found") {
  CHECK_THROWS_WITH_AS(render("{{#x}}\n", {{"x", ""}}), "a skeleton has an unfinished section: x",
                       InternalError);
  CHECK_THROWS_WITH_AS(render("{{/x}}\n", {{"x", ""}}), "a skeleton ends what did not begin: x",
                       InternalError);
  CHECK_THROWS_WITH_AS(render("{{z}}", {}), "a skeleton asks for an unknown value: z", InternalError);
  CHECK_THROWS_WITH_AS(render("a", {{"x", ""}}), "a skeleton has no placeholder: x", InternalError);
  CHECK_THROWS_WITH_AS(render("{{x", {{"x", ""}}), "a skeleton has an unfinished placeholder: {{x",
                       InternalError);
  CHECK_THROWS_WITH_AS(skeleton("nothing"), "there is no skeleton nothing", InternalError);
}

TEST_CASE("skeletons are part of the program") {
  CHECK(skeleton("cpp/robot.hpp").find("namespace {{name}}") != std::string_view::npos);
}

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
