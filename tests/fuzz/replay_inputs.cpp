// A fuzz target on given files, one after the other, or on inputs by chance: crashes and broken promises end the
// program. Usage: regression_inputs FILE-OR-FOLDER... | --random COUNT

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

int replayed = 0;

void replay(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);  // the last line names the file that ends the program
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  ++replayed;
}

/// Short ones and long ones, the same in every run.
void replay_random(int inputs) {
  std::mt19937 random(1);
  for (; replayed < inputs; ++replayed) {
    std::printf("random input %d\n", replayed);
    std::fflush(stdout);
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 256);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool by_chance = argc == 3 && std::string(argv[1]) == "--random";
  if (by_chance) replay_random(std::atoi(argv[2]));
  for (int i = by_chance ? argc : 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      replay(argv[i]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) replay(entry.path());
    }
  }
  std::printf("%d inputs\n", replayed);
  return replayed > 0 ? 0 : 1;
}
