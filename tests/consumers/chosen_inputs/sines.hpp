#pragma once

#include <cmath>

/// Numbers for the inputs of states, each another one.
class Sines {
 public:
  void fill(double* numbers, int size) {
    for (int i = 0; i < size; ++i) numbers[i] = std::sin(angle_ += 1.3);
  }

 private:
  double angle_ = 0.0;
};
