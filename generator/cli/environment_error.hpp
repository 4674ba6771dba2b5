#pragma once

#include <stdexcept>

namespace featherline::cli {

/// The machine does not let us do what was asked: a folder that cannot be written, a compiler that is not there.
/// Exit code 1, like a faulty input.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace featherline::cli
