#include "formats/format.hpp"

#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace featherline;
using formats::scan_xml;
using formats::XmlLimits;

namespace {

std::string findings(const std::string& text) {
  Diagnostics diagnostics;
  const bool sound = scan_xml(text, "f", diagnostics);
  CHECK(sound == diagnostics.all().empty());
  return format_text(diagnostics);
}

std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "<a>";
  for (std::size_t i = 0; i < depth; ++i) text += "</a>";
  return text;
}

}  // namespace

TEST_CASE("well-formed XML passes") {
  CHECK(findings("<a/>").empty());
  CHECK(findings(
            "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- c --><!DOCTYPE a>\r\n<a b='1' c = \"2\" ><b/></a >\n")
            .empty());
  CHECK(findings("<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x1F600;<![CDATA[<&]]></a>").empty());
  CHECK(findings("<a b=\">\"/>").empty());
}

TEST_CASE("nesting is bounded") {
  CHECK(findings(nested(XmlLimits::depth)).empty());
  CHECK(findings(nested(XmlLimits::depth + 1)).find("elements inside one another") != std::string::npos);
  CHECK(findings(nested(1000000)).find("elements inside one another") != std::string::npos);
}

TEST_CASE("bytes that are not text are refused") {
  CHECK(findings(std::string("<a>\n\0</a>", 9)) == "f:2: error: a NUL byte; give a text file in UTF-8\n");
  CHECK(findings("\xff\xfe<\0a\0") == "f:1: error: the file is in UTF-16; save it as UTF-8\n");
  const std::string large = "<a>" + std::string(XmlLimits::bytes, ' ') + "</a>";
  CHECK(findings(large).find("f: error: the file has more than 64 MiB") == 0);
}

TEST_CASE("lines are counted through every construct") {
  const std::string prefix = "<?xml\n?>\n<!--\n\n--><!DOCTYPE\na>\n<a\nb='\n'\n><![CDATA[\n]]>\n</a\n>\n";
  CHECK(findings(prefix + "x").find("f:14: error: text outside") == 0);
  CHECK(findings("<a>\n\n&x;</a>").find("f:3: error: \"&x;\" is not an entity") == 0);
  CHECK(findings("<a b='1'\nb='2'/>").find("f:2: error: attribute \"b\" is given twice in <a>") == 0);
}

TEST_CASE("every truncation of a sound file is refused") {
  const std::string text = "<?xml version=\"1.0\"?><!-- c --><a b=\"1\"><b c='&amp;'/>t<![CDATA[x]]></a>";
  REQUIRE(findings(text).empty());
  for (std::size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    CHECK_FALSE(findings(text.substr(0, length)).empty());
  }
}

TEST_CASE("characters by number must exist") {
  for (const char* bad :
       {"&#0;", "&#x0;", "&#8;", "&#xD800;", "&#x110000;", "&#;", "&#x;", "&#-1;", "&#1e3;", "&#99999999;"}) {
    INFO(bad);
    CHECK_FALSE(findings("<a>" + std::string(bad) + "</a>").empty());
  }
}
