#include "peers/generated_c.hpp"

#include <dlfcn.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace featherline::bench {

namespace {

namespace fs = std::filesystem;

constexpr const char* compiler_with_options = FEATHERLINE_BENCH_C_COMPILER " -O3 -march=native -fPIC -shared";

/// CppADCodeGen's structural zeros have either sign, not the same one in every run. It prints them as "0" and "-0",
/// which are the same integer in C. Numbers like -0.5 and 1e-05 keep their signs.
std::string without_signs_of_zeros(std::string text) {
  for (std::size_t at = text.find("-0"); at != std::string::npos; at = text.find("-0", at + 1)) {
    const char next = at + 2 < text.size() ? text[at + 2] : '\0';
    if (next != '.' && std::isalnum(static_cast<unsigned char>(next)) == 0) text.erase(at, 1);
  }
  return text;
}

/// Of all that decides the machine code, so that no library of other numbers or of another compiler is ever taken.
std::string key_of(const CSources& sources) {
  std::string all = std::string{compiler_with_options} + FEATHERLINE_BENCH_C_VERSION;
  for (const auto& [file, text] : sources) all += "\n" + file + "\n" + without_signs_of_zeros(text);
  return std::to_string(std::hash<std::string>{}(all));
}

void compile(const fs::path& folder, const CSources& sources, const fs::path& library) {
  fs::create_directories(folder);
  for (const auto& [file, text] : sources) std::ofstream{folder / file} << text;
  const fs::path unfinished = folder / "unfinished.so";  // what an interrupted run leaves is not taken
  const std::string command = std::string{compiler_with_options} + " -o '" + unfinished.string() + "' '" +
                              folder.string() + "'/*.c -lm";
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"this failed: " + command};
  fs::rename(unfinished, library);
}

}  // namespace

void* compile_c(const std::string& name, const CSources& sources, const std::string& function) {
  const fs::path folder = fs::path{FEATHERLINE_BENCH_C_FOLDER} / (name + "_" + key_of(sources));
  const fs::path library = folder / "generated.so";
  if (!fs::exists(library)) compile(folder, sources, library);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open as long as the bench runs
  void* address = handle == nullptr ? nullptr : dlsym(handle, function.c_str());
  if (address == nullptr) throw std::runtime_error{dlerror()};
  return address;
}

}  // namespace featherline::bench
