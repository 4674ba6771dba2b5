#include "support/shared_folder.hpp"

#include <cstdio>
#include <cstdlib>

namespace featherline::test {
namespace {

constexpr int skipped = 77;  // SKIP_RETURN_CODE of every test, see FeatherlineTest.cmake

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path shared_or_skip(const std::string& part) {
  const std::filesystem::path path = std::filesystem::path("../shared") / part;
  if (std::filesystem::exists(path)) return path;
  std::string name = environment("FEATHERLINE_TEST");
  if (name.empty()) name = "this test";
  const bool must_run = environment("CI") == "true";
  std::printf("%s: %s needs ../shared/%s, which is not there\n",
              must_run ? "error (CI=true forbids skipping)" : "skipped", name.c_str(), part.c_str());
  std::fflush(stdout);
  std::exit(must_run ? 1 : skipped);
}

}  // namespace featherline::test
