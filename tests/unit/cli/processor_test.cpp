// What `featherline tune` and scripts/bench call the processor.
#include "cli/tune/choices.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

using namespace featherline;

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
