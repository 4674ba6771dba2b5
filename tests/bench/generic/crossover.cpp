// Times of DMM and AZA on the mechanisms of paper 001, as JSON: {"method/branching/links": microseconds}.
//   crossover SECONDS BRANCHINGS LINKS      lists with commas; SECONDS for each time
// It needs few files and no library but Eigen: figures/make compiles it with several compilers and flags.

#include "generic/forward.hpp"
#include "generic/timing.hpp"

#include <exception>

namespace featherline::bench::generic {

namespace {

void time_products(int branching, int links, double seconds) {
  Products products{make_model(paper_tree(links, branching)), random_samples(links, 1, 1.0, 1.0).front().q};
  print_times(
      {{"DMM", 1, [&](std::size_t) { products.dmm(); }}, {"AZA", 1, [&](std::size_t) { products.aza(); }}},
      std::to_string(branching) + "/" + std::to_string(links), seconds);
}

}  // namespace

}  // namespace featherline::bench::generic

int main(int argc, char** argv) try {
  using namespace featherline::bench::generic;
  if (argc != 4) {
    std::fprintf(stderr, "usage: crossover SECONDS BRANCHINGS LINKS\n");
    return 2;
  }
  for (const std::string& branching : split(argv[2])) {
    for (const std::string& links : split(argv[3])) {
      time_products(std::stoi(branching), std::stoi(links), std::stod(argv[1]));
    }
  }
  end_times();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "crossover: %s\n", error.what());
  return 1;
}
