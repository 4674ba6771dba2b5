#include "peers/generated_c.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace featherline::bench {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& name, const CSources& sources) {
  std::string all;
  for (const auto& [file, text] : sources) all += text;
  std::erase(all, '-');  // CppADCodeGen's structural zeros have either sign, not the same one in every run
  return fs::path{FEATHERLINE_BENCH_C_FOLDER} / (name + "_" + std::to_string(std::hash<std::string>{}(all)));
}

void compile(const fs::path& folder, const CSources& sources, const fs::path& library) {
  fs::create_directories(folder);
  for (const auto& [file, text] : sources) std::ofstream{folder / file} << text;
  const std::string command = std::string{FEATHERLINE_BENCH_C_COMPILER} +
                              " -O3 -march=native -fPIC -shared -o '" + library.string() + "' '" +
                              folder.string() + "'/*.c -lm";
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"this failed: " + command};
}

}  // namespace

void* compile_c(const std::string& name, const CSources& sources, const std::string& function) {
  const fs::path folder = folder_of(name, sources), library = folder / "generated.so";
  if (!fs::exists(library)) compile(folder, sources, library);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open as long as the bench runs
  void* address = handle == nullptr ? nullptr : dlsym(handle, function.c_str());
  if (address == nullptr) throw std::runtime_error{dlerror()};
  return address;
}

}  // namespace featherline::bench
