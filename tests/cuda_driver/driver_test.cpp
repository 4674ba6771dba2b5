// featherline/cuda_driver.hpp on a driver that writes down what it is told (fake_driver.cpp).
#include <doctest/doctest.h>
#include <featherline/cuda_driver.hpp>

#include <string>
#include <thread>

extern "C" {
void* fake_cuda_allocate(std::size_t bytes, int device);
void fake_cuda_free(void* memory);
void fake_cuda_fail(const char* entry, int result);
void fake_cuda_reset();
void fake_cuda_set_capability(int value);
void fake_cuda_set_compiler_log(const char* text);
const char* fake_cuda_log();
const char* fake_cuda_module();
int fake_cuda_current();
}

namespace {

using featherline::cuda::Argument;
using featherline::cuda::Module;

const char* const ptx = R"(//
.version 7.5
.target sm_80
.address_size 64
.visible .global .align 1 .b8 featherline_robot_arm_0123[1];
.visible .global .align 4 .u32 arm_cuda_gravity_float_threads = 1;
.visible .global .align 4 .u32 arm_cuda_soa_gravity_float_threads = 4;
.visible .global .align 4 .u32 arm_cuda_to_rows_float_threads = 1;
	// .globl	arm_cuda_to_rows_float
.visible .entry arm_cuda_to_rows_float(
	.param .align 8 .b8 arm_cuda_to_rows_float_param_0[40]
)
.maxntid 128, 1, 1
{
	mov.u32 	%r1, %ctaid.y;
	ret;
}
	// .globl	arm_cuda_gravity_float
.visible .entry arm_cuda_gravity_float(
	.param .align 8 .b8 arm_cuda_gravity_float_param_0[40]
)
.maxntid 64, 1, 1
{
	ret;
}
	// .globl	arm_cuda_soa_gravity_float
.visible .entry arm_cuda_soa_gravity_float(
	.param .align 8 .b8 arm_cuda_soa_gravity_float_param_0[40]
)
.maxntid 128, 1, 1
{
	ret;
}
)";

/// Two arrays on a device, and one of the processor.
struct Arrays {
  explicit Arrays(int device = 0) : q(fake_cuda_allocate(64, device)), tau(fake_cuda_allocate(64, device)) {
    fake_cuda_reset();
  }
  Arrays(const Arrays&) = delete;
  ~Arrays() {
    fake_cuda_free(q);
    fake_cuda_free(tau);
  }
  std::string launch(Module& module, const std::string& kernel, featherline::cuda::Amount amount,
                     void* stream = nullptr) const {
    const Argument arguments[] = {{"q", q}, {"tau", tau}};
    return module.launch(kernel, amount, arguments, 2, stream);
  }
  std::string addresses() const {
    return " " + std::to_string(reinterpret_cast<std::uintptr_t>(q)) + " " +
           std::to_string(reinterpret_cast<std::uintptr_t>(tau));
  }
  void *q, *tau;
};

bool contains(const std::string& text, const std::string& part) {
  INFO(text, " has not ", part);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a launch passes the number of states and the arrays, and compiles a kernel once for a device") {
  Module arm(ptx, "featherline_robot_arm_0123");
  const Arrays arrays;
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {200}, reinterpret_cast<void*>(7)) == "");
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {64}) == "");
  CHECK(fake_cuda_log() ==
        "module 0\narm_cuda_gravity_float on 0: 4 x 64, 200 states, 200 apart, 1 steps, stream 7:" +
            arrays.addresses() +
            "\narm_cuda_gravity_float on 0: 1 x 64, 64 states, 64 apart, 1 steps, stream 0:" +
            arrays.addresses() + "\n");
  CHECK(fake_cuda_current() == -1);
}

TEST_CASE("the driver is given one kernel") {
  Module arm(ptx, "");
  const Arrays arrays;
  CHECK(arrays.launch(arm, "arm_cuda_soa_gravity_float", {129}) == "");
  CHECK(contains(fake_cuda_log(), "5 x 128, 129 states"));
  CHECK(contains(fake_cuda_module(), ".target sm_80"));
  CHECK(contains(fake_cuda_module(), ".entry arm_cuda_soa_gravity_float("));
  CHECK_FALSE(contains(fake_cuda_module(), ".entry arm_cuda_gravity_float("));
}

TEST_CASE("a kernel between the layouts shares the numbers of a state among blocks") {
  Module arm(ptx, "");
  const Arrays arrays;
  for (const long long numbers : {32LL, 33LL, 1LL << 32})
    CHECK(arrays.launch(arm, "arm_cuda_to_rows_float", {129, 200, numbers}) == "");
  CHECK(contains(fake_cuda_log(), ": 2 x 128, 129 states, 200 apart, 32 steps"));
  CHECK(contains(fake_cuda_log(), ": 2 x 2 x 128, 129 states, 200 apart, 33 steps"));
  CHECK(contains(fake_cuda_log(), ": 2 x 65535 x 128,"));
  CHECK(arrays.launch(arm, "arm_cuda_to_rows_float", {129, 200, 0}) == "");  // there is nothing to move
  CHECK_FALSE(contains(fake_cuda_log(), " 0 steps"));
}

TEST_CASE("each device gets its own code, and threads find it") {
  Module arm(ptx, "");
  const Arrays first(0), second(1);
  std::string problem = "not run";
  CHECK(first.launch(arm, "arm_cuda_gravity_float", {1}) == "");
  std::thread([&] { problem = second.launch(arm, "arm_cuda_gravity_float", {1}); }).join();
  CHECK(problem == "");
  CHECK(contains(fake_cuda_log(), "module 0\n"));
  CHECK(contains(fake_cuda_log(), "module 1\n"));
  CHECK(contains(fake_cuda_log(), "arm_cuda_gravity_float on 1:"));
}

TEST_CASE("wrong calls are told, and nothing is launched") {
  Module arm(ptx, "featherline_robot_arm_0123");
  const Arrays arrays, elsewhere(1);
  float here[16];
  const auto refused = [&](const Argument(&arguments)[2], const char* why) {
    fake_cuda_reset();
    const std::string problem = arm.launch("arm_cuda_gravity_float", {1}, arguments, 2, nullptr);
    CHECK(contains(problem, why));
    CHECK(contains(problem, "featherline on the GPU: "));
    CHECK(std::string(fake_cuda_log()).empty());
  };
  refused({{"q", here}, {"tau", arrays.tau}},
          "q is in the memory of the processor; give an array that is on the GPU");
  refused({{"q", arrays.q}, {"tau", nullptr}}, "tau is null");
  refused({{"q", arrays.q}, {"tau", elsewhere.tau}}, "tau is on device 1, and q on device 0");
  const long long most = 64 * 2147483647LL;
  CHECK(contains(arrays.launch(arm, "arm_cuda_gravity_float", {most + 1}),
                 "the number of states is 137438953409; 0 to 137438953408 are possible"));
  CHECK(contains(arrays.launch(arm, "arm_cuda_gravity_float", {-1}), "the number of states is -1"));
  CHECK(contains(arrays.launch(arm, "arm_cuda_gravity_float", {5, 4}), "the stride is 4 for 5 states"));
  CHECK(contains(arrays.launch(arm, "arm_cuda_gravity_float", {5, 5, -1}), "and -1 steps"));
  const Argument one{"q", arrays.q};
  CHECK(contains(arm.launch("arm_cuda_gravity_float", {1}, &one, 1, nullptr),
                 "1 arrays are given; it takes 2"));
  fake_cuda_reset();
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {0}) == "");
  CHECK(std::string(fake_cuda_log()).empty());
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {most, most, 3}) == "");
  CHECK(contains(fake_cuda_log(),
                 ": 2147483647 x 64, 137438953408 states, 137438953408 apart, 3 steps, stream 0:"));
  CHECK(contains(arrays.launch(arm, "arm_cuda_gravity_double", {1}),
                 "has no kernel arm_cuda_gravity_double; ask for"));
}

TEST_CASE("PTX of another robot, and what is no PTX") {
  const Arrays arrays;
  Module other(ptx, "featherline_robot_arm_012"), nothing("ELF", "featherline_robot_arm_0123");
  CHECK(
      contains(arrays.launch(other, "arm_cuda_gravity_float", {1}), "of another robot, or of other options"));
  CHECK(contains(arrays.launch(nothing, "arm_cuda_gravity_float", {1}), "this is no PTX"));
}

TEST_CASE("PTX that does not say how many threads compute a state") {
  std::string text = ptx;
  text.replace(text.find("arm_cuda_gravity_float_threads"), 1, "b");
  Module arm(text, "");
  const Arrays arrays;
  CHECK(contains(arrays.launch(arm, "arm_cuda_gravity_float", {1}),
                 "it has no number arm_cuda_gravity_float_threads; generate NAME.ptx anew"));
  CHECK(arrays.launch(arm, "arm_cuda_soa_gravity_float", {1}) == "");
}

TEST_CASE("a device that is too old") {
  Module arm(ptx, "");
  const Arrays arrays;
  fake_cuda_set_capability(75);
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {1}) ==
        "featherline on the GPU: device 0 (Fake GPU) has compute capability 7.5, and this code needs 8.0; "
        "take a newer device");
  fake_cuda_set_capability(120);
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {1}) == "");
}

TEST_CASE("errors of the driver are told in its words, and the next call may succeed") {
  Module arm(ptx, "");
  const Arrays arrays;
  fake_cuda_fail("cuModuleLoadDataEx", 218);
  fake_cuda_set_compiler_log("ptxas fatal: Unsupported .version 9.0");
  CHECK(arrays.launch(arm, "arm_cuda_gravity_float", {1}) ==
        "CUDA driver: CUDA_ERROR_INVALID_PTX, a PTX JIT compilation failed, is its answer to the compilation "
        "of "
        "arm_cuda_gravity_float; its log: ptxas fatal: Unsupported .version 9.0");
  for (const char* entry : {"cuLaunchKernel", "cuPointerGetAttributes", "cuModuleGetFunction"}) {
    Module fresh(ptx, "");
    fake_cuda_reset();
    fake_cuda_fail(entry, 700);
    CHECK(contains(arrays.launch(fresh, "arm_cuda_gravity_float", {1}),
                   "CUDA driver: CUDA_ERROR_ILLEGAL_ADDRESS, an illegal memory access was encountered, is "
                   "its answer to"));
    CHECK(fake_cuda_current() == -1);
    fake_cuda_reset();
    CHECK(arrays.launch(fresh, "arm_cuda_gravity_float", {1}) == "");
  }
  fake_cuda_fail("cuLaunchKernel", 9999);
  CHECK(
      contains(arrays.launch(arm, "arm_cuda_gravity_float", {1}), "CUDA driver: error 9999, is its answer"));
}

TEST_CASE("streams wait for each other") {
  const Arrays arrays(1);
  const auto& driver = featherline::cuda::Driver::get();
  CHECK(driver.order(reinterpret_cast<void*>(3), reinterpret_cast<void*>(4), arrays.q) == "");
  CHECK(driver.wait(reinterpret_cast<void*>(4), arrays.q) == "");
  CHECK(std::string(fake_cuda_log()) == "event on 3\n4 waits\nwait for 4\n");
}
