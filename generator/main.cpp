#include "cli/commands.hpp"

#include <iostream>

int main(int argc, char** argv) {
  return featherline::cli::run({argv + std::min(argc, 1), argv + argc}, std::cout, std::cerr);
}
