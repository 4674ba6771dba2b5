#include "emit/text.hpp"

#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("mistakes in skeletons are found") {
  CHECK_THROWS_WITH_AS(render("{{z}}", {}), "a skeleton asks for an unknown value: z", InternalError);
  CHECK_THROWS_WITH_AS(render("a", {{"x", ""}}), "a skeleton has no placeholder: x", InternalError);
  CHECK_THROWS_WITH_AS(render("{{x", {{"x", ""}}), "a skeleton has an unfinished placeholder: {{x",
                       InternalError);
  CHECK_THROWS_WITH_AS(skeleton("nothing"), "there is no skeleton nothing", InternalError);
}

TEST_CASE("skeletons are part of the program") {
  CHECK(skeleton("cpp/robot.hpp").find("namespace {{name}}") != std::string_view::npos);
}
