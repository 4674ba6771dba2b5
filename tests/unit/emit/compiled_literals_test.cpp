// A literal is S(0.1): the shortest decimal text of the double, which the compiler turns into the scalar.
#include "compile.hpp"

#include "emit/kernel_printer.hpp"
#include "passes/schedule.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

using namespace featherline;

namespace {

/// Random bits over all magnitudes of float, ties between two floats, and numbers that robots have.
std::vector<double> constants() {
  std::vector<double> values{0.1, 1.0 / 3.0, 9.81, 1e-3, 0.425, 3.4028234663852886e38, 1.401298464324817e-45};
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    const double mantissa = 1.0 + static_cast<double>(random() >> 12) * 0x1p-52;
    values.push_back(std::ldexp(mantissa, static_cast<int>(random() % 250) - 130));
  }
  for (int i = 0; i < 100; ++i) {  // half a unit in the last place of float beyond 24 bits
    const double tie = 0x1p24 + static_cast<double>(random() % (1 << 24)) + 0.5;
    values.push_back(std::ldexp(tie, static_cast<int>(random() % 60) - 40));
  }
  return values;
}

/// The float nearest to x, ties to the even one, by comparing exact distances and not by conversion.
float nearest_float(double x) {
  float below =
      std::ldexp(static_cast<float>(std::floor(std::ldexp(x, 22 - std::ilogb(x)))), std::ilogb(x) - 22);
  if (std::ilogb(x) < -126) below = static_cast<float>(std::floor(x * 0x1p149)) * 0x1p-149F;
  for (float above = below;; below = above) {
    above = std::nextafter(below, std::numeric_limits<float>::infinity());
    if (static_cast<double>(above) <= x) continue;
    const double down = x - static_cast<double>(below), up = static_cast<double>(above) - x;
    if (down != up) return down < up ? below : above;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &below, sizeof bits);
    return bits % 2 == 0 ? below : above;
  }
}

std::string program_of(const std::vector<double>& values) {
  ir::Kernel f;
  f.name = "constants";
  f.outputs = {{"y", static_cast<int>(values.size())}};
  for (int i = 0; i < static_cast<int>(values.size()); ++i)
    f.store(0, i, values[static_cast<std::size_t>(i)]);
  passes::ScheduleOptions options;
  options.max_operations = 10'000;
  const std::string body = emit::print_kernel(passes::schedule(std::move(f), options), "constants").body;
  return "#include <cstdint>\n#include <cstdio>\n#include <cstring>\n"
         "template <class S>\nvoid constants(S* y) {\n" +
         body + "\n}\ntemplate <class S, class Bits>\nvoid print() {\n  S y[" +
         std::to_string(values.size()) +
         "];\n  constants(y);\n  for (const S& x : y) {\n    Bits bits;\n    std::memcpy(&bits, &x, sizeof "
         "bits);\n"
         "    std::printf(\"%llx\\n\", static_cast<unsigned long long>(bits));\n  }\n}\n"
         "int main() {\n  print<float, std::uint32_t>();\n  print<double, std::uint64_t>();\n}\n";
}

template <class S, class Bits>
void expect_bits(std::istream& found, S expected) {
  Bits bits = 0;
  std::memcpy(&bits, &expected, sizeof bits);
  std::uint64_t printed = 0;
  REQUIRE((found >> std::hex >> printed));
  CAPTURE(expected);
  CHECK(printed == bits);
}

}  // namespace

TEST_CASE("a literal is the double itself, and in float the float nearest to it") {
  const std::vector<double> values = constants();
  for (const std::string& compiler : compile::compilers()) {
    for (const char* level : {" -O0", " -O2"}) {
      CAPTURE(compiler + level);
      const compile::Folder folder;
      folder.write("constants.cpp", program_of(values));
      compile::run(folder, compiler + compile::warning_flags() + level + " constants.cpp -o constants");
      std::istringstream found(compile::run(folder, "./constants"));
      for (const double value : values) expect_bits<float, std::uint32_t>(found, nearest_float(value));
      for (const double value : values) expect_bits<double, std::uint64_t>(found, value);
    }
  }
}
