#include "support/diagnostic.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace featherline;

TEST_CASE("a finding is one line that names place, severity, message and remedy") {
  CHECK(format({Severity::error, {"a.urdf", 3, "robot"}, "wrong", "correct it"}) ==
        "a.urdf:3: error: wrong; correct it");
  CHECK(format({Severity::warning, {"a.urdf", 0, ""}, "odd", ""}) == "a.urdf: warning: odd");
  CHECK(format({Severity::note, {"a\nb", 1, ""}, "read", ""}) == "a\\nb:1: note: read");
}

TEST_CASE("findings are counted by severity and sorted by line, in order of discovery within a line") {
  Diagnostics findings;
  findings.warning("commas", {"f", 9, ""}, "third", "r");
  CHECK_FALSE(findings.has_errors());
  CHECK(findings.has_warnings());
  findings.error({"f", 2, ""}, "first", "r");
  findings.note({"f", 2, ""}, "second");
  CHECK(findings.has_errors());
  CHECK(format_text(findings) ==
        "f:2: error: first; r\nf:2: note: second\nf:9: warning: third; r [commas]\n");
  CHECK(findings.count(Severity::error) == 1);
  CHECK(findings.count(Severity::warning) == 1);
  CHECK(findings.count(Severity::note) == 1);
}

TEST_CASE("notes are neither errors nor warnings") {
  Diagnostics findings;
  findings.note({"f", 1, ""}, "read");
  CHECK_FALSE(findings.has_errors());
  CHECK_FALSE(findings.has_warnings());
}

TEST_CASE("of each severity a bounded number is kept and the rest is counted") {
  Diagnostics findings;
  for (std::size_t i = 0; i < Diagnostics::most_kept + 7; ++i)
    findings.warning("commas", {"f", 1, ""}, std::string(i, 'w'),
                     "r");  // names and numbers alone make no new kind
  findings.error({"f", 2, ""}, "e", "r");
  CHECK(findings.all().size() == Diagnostics::most_kept + 1);
  CHECK(findings.count(Severity::warning) == Diagnostics::most_kept + 7);
  CHECK(findings.dropped() == 7);
  Diagnostics all;
  all.append(findings);
  CHECK(all.count(Severity::warning) == Diagnostics::most_kept + 7);
  CHECK(all.has_errors());
  const std::string text = format_text(all);
  CHECK(text.find("f:2: error: e; r\n(7 further findings not shown)\n") != std::string::npos);
}

TEST_CASE("warnings of one kind become one that lists the others") {
  Diagnostics findings;
  findings.warning("commas", {"f", 3, "robot/link \"a\""}, "link \"a\" is odd (1.5e-3)", "r");
  findings.warning("commas", {"f", 9, "robot/link \"say \\\"c\\\"\""}, "link \"say \\\"c\\\"\" is odd (-2)",
                   "r");
  findings.warning("commas", {"f", 5, ""}, "link \"a\" is even (1.5e-3)", "r");
  findings.warning("commas", {"g", 3, ""}, "link \"a\" is odd (1.5e-3)", "r");
  CHECK(findings.count(Severity::warning) == 3);
  CHECK(
      format_text(findings) ==
      "f:3: warning: link \"a\" is odd (1.5e-3), likewise one other: \"say \\\"c\\\"\" (line 9); r [commas]\n"
      "f:5: warning: link \"a\" is even (1.5e-3); r [commas]\n"
      "g:3: warning: link \"a\" is odd (1.5e-3); r [commas]\n"
      "(--diagnostics full lists every finding)\n");
  const auto parsed = nlohmann::json::parse(format_json(findings));
  REQUIRE(parsed[0]["others"].size() == 1);
  CHECK(parsed[0]["others"][0]["line"] == 9);
  CHECK(parsed[0]["others"][0]["element"] == "robot/link \"say \\\"c\\\"\"");
  CHECK_FALSE(parsed[1].contains("others"));
}

TEST_CASE("lists of names of any length are of one kind, and groups grow together") {
  Diagnostics findings, more;
  findings.warning("commas", {"f", 1, ""}, "joint \"a\" moves links \"b\", \"c\"", "r");
  more.warning("commas", {"f", 2, ""}, "joint \"d\" moves links \"e\"", "r");
  more.warning("commas", {"f", 3, ""}, "joint \"f\" moves links \"g\", \"h\", \"i\"", "r");
  findings.append(more);
  CHECK(format_text(findings) ==
        "f:1: warning: joint \"a\" moves links \"b\", \"c\", likewise 2 others: \"d\" (line 2), \"f\" (line "
        "3); "
        "r [commas]\n(--diagnostics full lists every finding)\n");
}

TEST_CASE("the first errors of a kind stay single") {
  Diagnostics findings;
  for (int i = 1; i <= 20; ++i) findings.error({"f", i, ""}, "link \"" + std::to_string(i) + "\"", "r");
  CHECK(findings.count(Severity::error) == Diagnostics::most_single_errors);
  const std::string text = format_text(findings);
  CHECK(text.find("f:4: error: link \"4\"; r\n") != std::string::npos);
  CHECK(text.find("f:5: error: link \"5\", likewise 15 others: \"6\" (line 6), ") != std::string::npos);
  CHECK(text.find("\"10\" (line 10), and 10 more; r\n") != std::string::npos);
}

TEST_CASE("what stands in parentheses is a detail, and makes no other kind") {
  Diagnostics findings;
  findings.warning("commas", {"f", 1, ""}, "joint \"a\" (revolute) has no limit (see \"(x\" (once))",
                   "r (1)");
  findings.warning("commas", {"f", 2, ""}, "joint \"b\" (prismatic) has no limit", "r");
  findings.warning("commas", {"f", 3, ""}, "joint \"c\" has no limit (", "r");
  findings.warning("commas", {"f", 4, ""}, "joint \"d\" has no limit (2", "r");
  CHECK(findings.count(Severity::warning) == 3);
  CHECK(subject_of(findings.all()[0].others.at(0).message) == "\"b\"");
}

TEST_CASE("an element is the subject of a finding that quotes nothing") {
  Diagnostics findings;
  findings.note({"f", 1, ""}, "<gazebo> is ignored (3 times)");
  findings.note({"f", 2, ""}, "<transmission> is ignored (once)");
  findings.warning("commas", {"f", 3, ""}, "link \"a\" has no <mass>", "r");
  findings.warning("commas", {"f", 4, ""}, "link \"a\" has no <inertia>", "r");
  CHECK(format_text(findings) ==
        "f:1: note: <gazebo> is ignored (3 times), likewise one other: <transmission> (line 2)\n"
        "f:3: warning: link \"a\" has no <mass>; r [commas]\n"
        "f:4: warning: link \"a\" has no <inertia>; r [commas]\n");
}

namespace {

Diagnostics many_of_a_kind(int count) {
  Diagnostics findings;
  for (int i = 1; i <= count; ++i) {
    const std::string name = std::to_string(i);
    findings.warning("commas", {"f", i, "robot/link " + name}, "link \"l" + name + "\" has " + name + " kg",
                     "use " + name);
  }
  return findings;
}

}  // namespace

TEST_CASE("a line of text names the first few of a kind and counts the rest; full and JSON have all") {
  CHECK(format_text(many_of_a_kind(7)) ==
        "f:1: warning: link \"l1\" has 1 kg, likewise 6 others: \"l2\" (line 2), \"l3\" (line 3), \"l4\" "
        "(line 4), "
        "\"l5\" (line 5), \"l6\" (line 6), \"l7\" (line 7); use 1 [commas]\n(--diagnostics full lists every "
        "finding)\n");
  const Diagnostics findings = many_of_a_kind(20);
  CHECK(format_text(findings) ==
        "f:1: warning: link \"l1\" has 1 kg, likewise 19 others: \"l2\" (line 2), \"l3\" (line 3), \"l4\" "
        "(line 4), "
        "\"l5\" (line 5), \"l6\" (line 6), and 14 more; use 1 [commas]\n(--diagnostics full lists every "
        "finding)\n");
  std::string full;
  for (int i = 1; i <= 20; ++i) {
    const std::string n = std::to_string(i);
    full += "f:" + n + ": warning: link \"l" + n + "\" has " + n + " kg; use " + n + " [commas]\n";
  }
  CHECK(format_full(findings) == full);
  const auto parsed = nlohmann::json::parse(format_json(findings));
  REQUIRE(parsed.size() == 1);
  REQUIRE(parsed[0]["others"].size() == 19);
  CHECK(parsed[0]["others"][18] == nlohmann::json{{"name", "\"l20\""},
                                                  {"line", 20},
                                                  {"element", "robot/link 20"},
                                                  {"message", "link \"l20\" has 20 kg"},
                                                  {"remedy", "use 20"}});
}

TEST_CASE("the text says how to see what the others of a warning have of their own") {
  const auto text_of = [](Severity severity, const std::string& first, const std::string& second) {
    Diagnostics findings;
    for (const std::string& end : {first, second})
      (severity == Severity::note
           ? findings.note({"f", 1, ""}, "link \"a\" has " + end)
           : findings.warning("commas", {"f", 1, ""}, "link \"a\" has " + end, "use 1"));
    return format_text(findings);
  };
  const std::string hint = "(--diagnostics full lists every finding)\n";
  CHECK(text_of(Severity::warning, "2 kg", "2 kg").find(hint) == std::string::npos);
  CHECK(text_of(Severity::warning, "2 kg", "3 kg").find(hint) != std::string::npos);
  CHECK(text_of(Severity::warning, "mass (2 kg)", "mass (3 kg)").find(hint) != std::string::npos);
  CHECK(text_of(Severity::note, "mass (2 times)", "mass (3 times)").find(hint) == std::string::npos);
}

TEST_CASE("findings without a line are listed by name") {
  Diagnostics findings;
  findings.warning("commas", {"f", 0, ""}, "\"a\" left out", "r");
  findings.warning("commas", {"f", 0, ""}, "\"b\" left out", "r");
  CHECK(format_text(findings) == "f: warning: \"a\" left out, likewise one other: \"b\"; r [commas]\n");
}

TEST_CASE("groups stay whole when collections are joined, and beyond a bound their members are counted") {
  Diagnostics all = many_of_a_kind(3);
  all.append(many_of_a_kind(4));
  REQUIRE(all.all().size() == 1);
  CHECK(all.all()[0].num_others == 6);
  CHECK(all.all()[0].others.size() == 6);
  const int too_many = static_cast<int>(Diagnostics::most_others) + 8;
  const Diagnostics findings = many_of_a_kind(too_many);
  CHECK(findings.all()[0].others.size() == Diagnostics::most_others);
  CHECK(format_full(findings).find("(7 further findings not shown)\n") != std::string::npos);
  CHECK(nlohmann::json::parse(format_json(findings)).size() == 2);
}

TEST_CASE("JSON holds every field, and survives bytes that are not UTF-8") {
  Diagnostics findings;
  findings.warning("commas", {"f", 9, "robot/link \"a\""}, "bad \xff byte", "r");
  findings.error({"f", 2, "robot"}, "say \"what\"", "r2");
  const auto parsed = nlohmann::json::parse(format_json(findings));
  REQUIRE(parsed.size() == 2);
  CHECK(parsed[0] == nlohmann::json{{"severity", "error"},
                                    {"file", "f"},
                                    {"line", 2},
                                    {"element", "robot"},
                                    {"message", "say \"what\""},
                                    {"remedy", "r2"}});
  CHECK(parsed[1]["severity"] == "warning");
  CHECK(parsed[1]["message"] == "bad \xef\xbf\xbd byte");
}

TEST_CASE("names are quoted without anything a terminal or a line-based tool could act upon") {
  CHECK(featherline::in_quotes("arm") == "\"arm\"");
  CHECK(featherline::in_quotes("a\"b\\c") == "\"a\\\"b\\\\c\"");
  CHECK(featherline::in_quotes("a\nb\tc\x1b[31m") == "\"a\\nb\\tc\\x1b[31m\"");
  CHECK(featherline::in_quotes("Gelenk\xc3\xa4") == "\"Gelenk\xc3\xa4\"");
  CHECK(featherline::in_quotes("\xff\xfe") == "\"\\xff\\xfe\"");
  CHECK(featherline::in_quotes("\xe2\x80\xae") == "\"\\xe2\\x80\\xae\"");  // right-to-left override
  CHECK(featherline::in_quotes("\xc0\xaf\xed\xa0\x80") ==
        "\"\\xc0\\xaf\\xed\\xa0\\x80\"");  // overlong form, surrogate
  CHECK(featherline::in_quotes(std::string(80, 'x')) == '"' + std::string(80, 'x') + '"');
  CHECK(featherline::in_quotes(std::string(10000, 'x')) ==
        '"' + std::string(40, 'x') + "..." + std::string(20, 'x') + "\" (10000 bytes)");
}

TEST_CASE("a long name is never cut inside a character") {
  std::string name;
  for (int i = 0; i < 100; ++i) name += "\xe2\x82\xac";  // three bytes each
  const std::string text = featherline::in_quotes(name);
  CHECK(text.find("\\x") == std::string::npos);
  CHECK(text.find("...") != std::string::npos);
}
