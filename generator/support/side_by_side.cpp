#include "support/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace featherline {

void side_by_side(int jobs, std::size_t count, const std::function<void(std::size_t)>& work) {
  if (jobs <= 1 || count <= 1) {
    for (std::size_t k = 0; k < count; ++k) work(k);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(count);
  const auto run = [&] {
    for (std::size_t k = next++; k < count; k = next++) {
      try {
        work(k);
      } catch (...) {
        failures[k] = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t t = 1; t < std::min(count, static_cast<std::size_t>(jobs)); ++t)
      others.emplace_back(run);
  } catch (const std::system_error&) {  // the system refuses more threads; those that there are do the work
  }
  run();
  for (std::thread& thread : others) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace featherline
