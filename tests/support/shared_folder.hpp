#pragma once

#include <filesystem>
#include <string>

/// The folder ../shared beside the repository: robots of other people and values for them. It is not part of the
/// repository, and a clone does not have it.
namespace featherline::test {

/// "../shared/PART", from the root of the repository, where all tests run. Where it does not exist the program ends:
/// with the exit code that CTest reports as skipped, or as failed where the environment says CI=true, for there nothing
/// may be left out in silence. Call it only in executables that test nothing else.
std::filesystem::path shared_or_skip(const std::string& part);

}  // namespace featherline::test
