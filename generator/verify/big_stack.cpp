#include "verify/big_stack.hpp"

#include "support/diagnostic.hpp"

#include <pthread.h>

#include <exception>

namespace featherline::verify {
namespace {

struct Task {
  const std::function<void()>& work;
  std::exception_ptr failure = nullptr;
};

void* call(void* argument) {
  auto& task = *static_cast<Task*>(argument);
  try {
    task.work();
  } catch (...) { task.failure = std::current_exception(); }
  return nullptr;
}

}  // namespace

void run_with_stack(std::size_t bytes, const std::function<void()>& work) {
  constexpr std::size_t page = 4096;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  Task task{work};
  int refusal = pthread_attr_setstacksize(&attributes, (bytes + page - 1) / page * page);
  if (refusal == 0) refusal = pthread_create(&thread, &attributes, call, &task);
  pthread_attr_destroy(&attributes);
  if (refusal != 0) {
    throw UsageError("verification needs a stack of " + std::to_string((bytes >> 20) + 1) +
                     " MiB, which this system refuses; raise the limit (ulimit -v), or pass --no-verify");
  }
  pthread_join(thread, nullptr);
  if (task.failure) std::rethrow_exception(task.failure);
}

}  // namespace featherline::verify
