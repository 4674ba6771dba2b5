#include "support/nearest_name.hpp"

#include <doctest/doctest.h>

using namespace featherline;

TEST_CASE("a slip of the fingers finds its name") {
  const std::vector<std::string> names{"rnea", "bias", "mass_matrix", "rnea_derivatives"};
  CHECK(nearest_name("rnae", names) == "rnea");  // neighbours swapped
  CHECK(nearest_name("rne", names) == "rnea");   // one left out
  CHECK(nearest_name("masss_matrix", names) == "mass_matrix");
  CHECK(nearest_name("mass-matrx", names) == "mass_matrix");
  CHECK(nearest_name("bias", names) == "bias");
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
