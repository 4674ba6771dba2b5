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

constexpr const char* compiler_with_options = FEATHERLINE_BENCH_C_COMPILER " -O3 -march=native -fPIC -shared";

void compile(const fs::path& folder, const CSources& sources, const fs::path& library) {
  fs::remove_all(folder);  // an interrupted run may have left other files
  fs::create_directories(folder);
  for (const auto& [file, text] : sources) std::ofstream{folder / file} << text;
  const fs::path unfinished = folder / "unfinished.so";
  const std::string command = std::string{compiler_with_options} + " -o '" + unfinished.string() + "' '" +
                              folder.string() + "'/*.c -lm";
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"this failed: " + command};
  fs::rename(unfinished, library);  // there only when it is whole
}

}  // namespace

void* compile_c(const std::string& name, const std::string& origin, const CSources& sources,
                const std::string& function) {
  const std::string all = origin + compiler_with_options + FEATHERLINE_BENCH_C_VERSION;
  const std::string key = std::to_string(std::hash<std::string>{}(all));
  const fs::path folder = fs::path{FEATHERLINE_BENCH_C_FOLDER} / (name + "_" + key);
  const fs::path library = folder / "generated.so";
  if (!fs::exists(library)) compile(folder, sources, library);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open as long as the bench runs
  void* address = handle == nullptr ? nullptr : dlsym(handle, function.c_str());
  if (address == nullptr) throw std::runtime_error{dlerror()};
  return address;
}

}  // namespace featherline::bench
