// bench_cuda values [small]    every device function against the batch in double: layouts, counts, streams, graphs,
//                              errors
// bench_cuda times [SECONDS]   states a second, beside the batch on all cores
// bench_cuda few [SECONDS]     256 to 16,384 states: a call with the wait for it, and the kernel alone, beside a kernel
//                              that does nothing
// The exit code is 1 if a value or an error is wrong, 2 without a device.
#include "device_robot.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>

namespace {

using namespace featherline::bench;
using std::ptrdiff_t;
using std::size_t;

int num_failed = 0;

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void check(bool holds, const std::string& what) {
  if (holds) return;
  ++num_failed;
  std::printf("FAILED %s\n", what.c_str());
}

template <class S>
struct DeviceArray {
  S* data = nullptr;
  explicit DeviceArray(size_t size) {
    must(cudaMalloc(reinterpret_cast<void**>(&data), std::max<size_t>(size, 1) * sizeof(S)), "cudaMalloc");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
  ~DeviceArray() { cudaFree(data); }
};

template <class S>
std::vector<S*> pointers(std::vector<DeviceArray<S>>& arrays) {
  std::vector<S*> list;
  for (auto& a : arrays) list.push_back(a.data);
  return list;
}
template <class S>
std::vector<S*> pointers(std::vector<std::vector<S>>& arrays) {
  std::vector<S*> list;
  for (auto& a : arrays) list.push_back(a.data());
  return list;
}

/// Random states, one behind the other. Quaternions of a floating base are of unit length.
template <class S>
std::vector<std::vector<double>> random_inputs(const DeviceFunction<S>& f, ptrdiff_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<std::vector<double>> inputs;
  for (size_t k = 0; k < f.inputs.size(); ++k) {
    std::vector<double>& x =
        inputs.emplace_back(static_cast<size_t>(count) * static_cast<size_t>(f.inputs[k]));
    for (double& number : x) number = static_cast<double>(uniform(random));
    if (f.inputs[k] == 1) std::fill(x.begin(), x.end(), 1e-3F);
    if (k == 3 && f.inputs[k] != 1) std::fill(x.begin(), x.end(), 1.0);  // `active`
    if (k != 0 || f.nq == f.nv) continue;
    for (ptrdiff_t state = 0; state < count; ++state) {
      double* u = x.data() + state * f.nq + 3;
      const double length = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
      for (int j = 0; j < 4; ++j) u[j] = static_cast<double>(static_cast<S>(u[j] / length));
    }
  }
  return inputs;
}

/// The layout by element from states one behind the other, or back.
template <class To, class From>
std::vector<To> other_layout(const std::vector<From>& x, ptrdiff_t count, int size, bool from_rows) {
  std::vector<To> y(x.size());
  for (ptrdiff_t k = 0; k < count; ++k) {
    for (int i = 0; i < size; ++i) {
      const auto row = static_cast<size_t>(k * size + i), column = static_cast<size_t>(i * count + k);
      from_rows ? y[column] = static_cast<To>(x[row]) : y[row] = static_cast<To>(x[column]);
    }
  }
  return y;
}

template <class S>
constexpr S sentinel = S(-12345);

/// The largest error of one call, relative to the largest number of each output.
template <class S>
double error_of(const DeviceFunction<S>& f, bool by_element, ptrdiff_t count,
                const std::vector<std::vector<double>>& inputs,
                const std::vector<std::vector<double>>& expected) {
  constexpr size_t guard = 64;
  std::vector<DeviceArray<S>> in, out;
  for (size_t k = 0; k < inputs.size(); ++k) {
    std::vector<S> x(inputs[k].begin(), inputs[k].end());
    if (by_element) x = other_layout<S>(inputs[k], count, f.inputs[k], true);
    in.emplace_back(x.size());
    must(cudaMemcpy(in.back().data, x.data(), x.size() * sizeof(S), cudaMemcpyHostToDevice), "copy");
  }
  for (const int size : f.outputs) {
    const std::vector<S> filled(static_cast<size_t>(count * size) + guard, sentinel<S>);
    out.emplace_back(filled.size());
    must(cudaMemcpy(out.back().data, filled.data(), filled.size() * sizeof(S), cudaMemcpyHostToDevice),
         "copy");
  }
  const auto i = pointers(in), o = pointers(out);
  must((by_element ? f.columns : f.rows)(count, i.data(), o.data(), nullptr),
       (f.robot + " " + f.name).c_str());
  must(cudaDeviceSynchronize(), (f.robot + " " + f.name).c_str());
  double worst = 0.0;
  for (size_t k = 0; k < f.outputs.size(); ++k) {
    std::vector<S> y(static_cast<size_t>(count * f.outputs[k]) + guard);
    must(cudaMemcpy(y.data(), out[k].data, y.size() * sizeof(S), cudaMemcpyDeviceToHost), "copy");
    for (size_t j = y.size() - guard; j < y.size(); ++j)
      check(y[j] == sentinel<S>, f.name + " wrote behind its output");
    y.resize(y.size() - guard);
    if (by_element) y = other_layout<S>(y, count, f.outputs[k], false);
    double largest = 1.0, difference = 0.0;
    for (size_t j = 0; j < y.size(); ++j) {
      largest = std::max(largest, std::abs(expected[k][j]));
      const double d = std::abs(static_cast<double>(y[j]) - expected[k][j]);
      difference = d <= difference ? difference : d;  // NaN stays
    }
    const double relative = difference / largest;
    worst = relative <= worst ? worst : relative;
  }
  return worst;
}

/// The same function in double; nullptr if it was not compiled.
const DeviceFunction<double>* in_double(const std::string& robot, const std::string& name) {
  for (const auto& f : device_functions<double>()) {
    if (f.robot == robot && f.name == name) return &f;
  }
  return nullptr;
}

std::vector<std::vector<double>> expected_of(const std::string& robot, const std::string& name,
                                             ptrdiff_t count, std::vector<std::vector<double>>& inputs) {
  const DeviceFunction<double>& f = *in_double(robot, name);
  std::vector<std::vector<double>> outputs;
  for (const int size : f.outputs) outputs.emplace_back(static_cast<size_t>(count * size));
  const auto i = pointers(inputs), o = pointers(outputs);
  f.batch(count, i.data(), o.data(), 16);
  return outputs;
}

template <class S>
void compare_values(bool is_small) {
  const double tolerance = sizeof(S) == 4 ? 2e-3 : 1e-10;
  for (const auto& f : device_functions<S>()) {
    if (in_double(f.robot, f.name) == nullptr) continue;
    double worst[2] = {0.0, 0.0};
    for (const ptrdiff_t count : {1, 31, 32, 33, 1000, 20011}) {
      if (count > (is_small ? 33 : 1000) && (is_small || f.numbers() > 300)) continue;
      auto inputs = random_inputs(f, count);
      const auto expected = expected_of(f.robot, f.name, count, inputs);
      for (const bool by_element : {false, true}) {
        const double error = error_of(f, by_element, count, inputs, expected);
        check(error <= tolerance, f.robot + " " + f.name + (by_element ? " soa" : "") + " count " +
                                      std::to_string(count) + " error " + std::to_string(error));
        worst[by_element] = error <= worst[by_element] ? worst[by_element] : error;
      }
    }
    std::printf("%-14s %-18s %-6s error %.1e rows, %.1e by element\n", f.robot.c_str(), f.name.c_str(),
                sizeof(S) == 4 ? "float" : "double", worst[0], worst[1]);
    std::fflush(stdout);
  }
}

/// Arrays of several sizes, and strides beyond the count, there and back.
template <class S>
void compare_layouts() {
  const auto& f = device_functions<S>().front();
  for (const auto& [count, size, stride] : {std::array<ptrdiff_t, 3>{1, 1, 1},
                                            {31, 33, 31},
                                            {1000, 18, 1000},
                                            {1001, 324, 1100},
                                            {129, 5000, 129},
                                            {100003, 37, 100003}}) {
    std::vector<S> rows(static_cast<size_t>(count * size)), back(rows.size());
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<S>(k % 8191);
    std::vector<S> elements(static_cast<size_t>(size * stride));
    DeviceArray<S> from(rows.size()), middle(elements.size()), to(rows.size());
    must(cudaMemcpy(from.data, rows.data(), rows.size() * sizeof(S), cudaMemcpyHostToDevice), "copy");
    must(cudaMemset(middle.data, 0, elements.size() * sizeof(S)), "memset");
    must(f.to_elements(count, size, from.data, middle.data, nullptr, stride), "to_elements");
    must(f.to_rows(count, size, middle.data, to.data, nullptr, stride), "to_rows");
    must(cudaMemcpy(elements.data(), middle.data, elements.size() * sizeof(S), cudaMemcpyDeviceToHost),
         "copy");
    must(cudaMemcpy(back.data(), to.data, back.size() * sizeof(S), cudaMemcpyDeviceToHost), "copy");
    size_t wrong = 0;
    for (ptrdiff_t i = 0; i < size; ++i) {
      for (ptrdiff_t k = 0; k < stride; ++k)
        wrong += elements[static_cast<size_t>(i * stride + k)] !=
                 (k < count ? rows[static_cast<size_t>(k * size + i)] : S(0));
    }
    check(wrong == 0 && back == rows,
          "layouts of " + std::to_string(count) + " states of " + std::to_string(size));
  }
  check(f.to_rows(5, -1, nullptr, nullptr, nullptr, 0) == cudaErrorInvalidValue,
        "a negative size is refused");
  check(f.to_rows(5, 0, nullptr, nullptr, nullptr, 0) == cudaSuccess, "no numbers");
}

/// Four parts on four streams, then the same as a graph that is launched twice.
void compare_streams() {
  const auto all = device_functions<double>();
  const auto found =
      std::find_if(all.begin(), all.end(), [](const auto& one) { return one.outputs.size() == 1; });
  if (found == all.end()) return;
  const auto& f = *found;
  constexpr ptrdiff_t part = 1000, count = 4 * part;
  auto inputs = random_inputs(f, count);
  const auto expected = expected_of(f.robot, f.name, count, inputs);
  std::vector<DeviceArray<double>> in, out;
  for (auto& x : inputs) {
    in.emplace_back(x.size());
    must(cudaMemcpy(in.back().data, x.data(), x.size() * sizeof(double), cudaMemcpyHostToDevice), "copy");
  }
  out.emplace_back(expected[0].size());
  const auto matches = [&](const char* what) {
    must(cudaDeviceSynchronize(), what);
    std::vector<double> y(expected[0].size());
    must(cudaMemcpy(y.data(), out[0].data, y.size() * sizeof(double), cudaMemcpyDeviceToHost), "copy");
    double worst = 0.0;
    for (size_t j = 0; j < y.size(); ++j) worst = std::max(worst, std::abs(y[j] - expected[0][j]));
    check(worst < 1e-8, what);
    must(cudaMemset(out[0].data, 0, y.size() * sizeof(double)), "memset");
    std::printf("%s: %.1e\n", what, worst);
  };
  const auto launch = [&](int k, cudaStream_t stream) {
    std::vector<double*> i, o{out[0].data + k * part * f.outputs[0]};
    for (size_t j = 0; j < in.size(); ++j) i.push_back(in[j].data + k * part * f.inputs[j]);
    return f.rows(part, i.data(), o.data(), stream);
  };
  cudaStream_t streams[4];
  for (int k = 0; k < 4; ++k) {
    must(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking), "stream");
    must(launch(k, streams[k]), "launch");
  }
  matches("four streams");
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  must(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal), "capture");
  for (int k = 0; k < 4; ++k) must(launch(k, streams[0]), "captured launch");
  must(cudaStreamEndCapture(streams[0], &graph), "capture");
  must(cudaGraphInstantiate(&ready, graph, 0), "graph");
  for (int k = 0; k < 2; ++k) {
    must(cudaGraphLaunch(ready, streams[0]), "graph");
    matches("a graph of four launches");
  }
}

void check_errors() {
  const auto& f = device_functions<double>().front();
  std::vector<double> host(1000);
  DeviceArray<double> array(1000);
  std::vector<double*> in(f.inputs.size(), array.data), out(f.outputs.size(), array.data + 500),
      none(8, nullptr);
  check(f.rows(0, none.data(), none.data(), nullptr) == cudaSuccess, "a count of 0 is a success");
  check(f.rows(-1, in.data(), out.data(), nullptr) == cudaErrorInvalidValue, "a negative count is refused");
  check(f.rows(ptrdiff_t{1} << 60, in.data(), out.data(), nullptr) == cudaErrorInvalidValue,
        "a count without grid is refused");
  check(f.rows(1, none.data(), out.data(), nullptr) == cudaErrorInvalidValue, "null pointers are refused");
#if FEATHERLINE_CUDA_CHECKS
  std::vector<double*> host_in(f.inputs.size(), host.data());
  int reaches_all = 0;
  must(cudaDeviceGetAttribute(&reaches_all, cudaDevAttrPageableMemoryAccess, 0), "attribute");
  check(reaches_all != 0 || f.rows(1, host_in.data(), out.data(), nullptr) == cudaErrorInvalidValue,
        "host pointers are refused");
#endif
  check(f.rows(1, in.data(), out.data(), nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess,
        "a launch after errors");
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of one call, the best of several measurements that take `budget` together.
template <class Call>
double best_time(double budget, const Call& call) {
  const double begin = seconds_now();
  double best = 1e9;
  do { best = std::min(best, call()); } while (seconds_now() - begin < budget);
  return best;
}

/// Seconds between two places of a stream.
class Clock {
 public:
  Clock() {
    must(cudaEventCreate(&begin_), "event");
    must(cudaEventCreate(&end_), "event");
  }
  Clock(const Clock&) = delete;
  ~Clock() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  template <class Launches>
  double time(cudaStream_t stream, const Launches& launches) const {
    must(cudaEventRecord(begin_, stream), "event");
    launches();
    must(cudaEventRecord(end_, stream), "event");
    must(cudaEventSynchronize(end_), "event");
    float ms = 0.0F;
    must(cudaEventElapsedTime(&ms, begin_, end_), "event");
    return static_cast<double>(ms) / 1e3;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Arrays of a function on the device, in rows and by element.
template <class S>
struct OnDevice {
  std::vector<DeviceArray<S>> in, out, in_columns, out_columns;
  std::vector<S*> i, o, ic, oc;

  /// The states of the host again and again.
  OnDevice(const DeviceFunction<S>& f, const std::vector<std::vector<S>>& host, ptrdiff_t most) {
    for (size_t k = 0; k < f.inputs.size(); ++k) {
      const size_t part = host[k].size(), all = static_cast<size_t>(most * f.inputs[k]);
      in.emplace_back(all);
      in_columns.emplace_back(all);
      for (size_t first = 0; first < all; first += part)
        must(cudaMemcpy(in[k].data + first, host[k].data(), std::min(part, all - first) * sizeof(S),
                        cudaMemcpyHostToDevice),
             "copy");
      must(f.to_elements(most, f.inputs[k], in[k].data, in_columns[k].data, nullptr, 0), "to_elements");
    }
    for (const int size : f.outputs) {
      out.emplace_back(static_cast<size_t>(most * size));
      out_columns.emplace_back(static_cast<size_t>(most * size));
    }
    i = pointers(in), o = pointers(out), ic = pointers(in_columns), oc = pointers(out_columns);
  }

  /// Rows by way of the layout by element.
  cudaError_t turned(const DeviceFunction<S>& f, ptrdiff_t count, cudaStream_t stream) const {
    for (size_t k = 0; k < i.size(); ++k)
      must(f.to_elements(count, f.inputs[k], i[k], ic[k], stream, 0), "turn");
    must(f.columns(count, ic.data(), oc.data(), stream), "launch");
    for (size_t k = 0; k < o.size(); ++k)
      must(f.to_rows(count, f.outputs[k], oc[k], o[k], stream, 0), "turn");
    return cudaSuccess;
  }
};

/// What a call takes from the host's view with the wait for its end, and twenty of a graph on the device.
template <class Launch>
void measure_few(const char* what, double budget, const Launch& launch) {
  constexpr int repeats = 20;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  must(cudaStreamCreate(&stream), "stream");
  must(launch(stream), what);
  must(cudaStreamSynchronize(stream), what);
  const double call = best_time(budget, [&] {
    const double begin = seconds_now();
    must(launch(stream), what);
    must(cudaStreamSynchronize(stream), what);
    return seconds_now() - begin;
  });
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  for (int k = 0; k < repeats; ++k) must(launch(stream), what);
  must(cudaStreamEndCapture(stream, &graph), "capture");
  must(cudaGraphInstantiate(&ready, graph, 0), "graph");
  const Clock clock;
  const double alone =
      best_time(budget,
                [&] { return clock.time(stream, [&] { must(cudaGraphLaunch(ready, stream), what); }); }) /
      repeats;
  std::printf(" | %s: call %.2f us, alone %.2f", what, call * 1e6, alone * 1e6);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

template <class S>
void measure_few(const DeviceFunction<S>& f, double budget) {
  constexpr ptrdiff_t most = 16384;
  std::vector<std::vector<S>> host;
  for (auto& x : random_inputs(f, most)) host.emplace_back(x.begin(), x.end());
  const OnDevice<S> arrays(f, host, most);
  for (const ptrdiff_t count : {256, 1024, 4096, 16384}) {
    std::printf("few %-14s %-17s %-6s %5ld states", f.robot.c_str(), f.name.c_str(),
                sizeof(S) == 4 ? "float" : "double", static_cast<long>(count));
    measure_few("rows", budget,
                [&](cudaStream_t s) { return f.rows(count, arrays.i.data(), arrays.o.data(), s); });
    measure_few("elements", budget,
                [&](cudaStream_t s) { return f.columns(count, arrays.ic.data(), arrays.oc.data(), s); });
    measure_few("turned", budget, [&](cudaStream_t s) { return arrays.turned(f, count, s); });
    measure_few("nothing", budget, [&](cudaStream_t s) { return launch_nothing(s); });
    std::printf("\n");
    std::fflush(stdout);
  }
}

template <class S>
void measure(const DeviceFunction<S>& f, double budget) {
  const ptrdiff_t most = f.numbers() > 1500 ? 1 << 18 : 1'000'000;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const ptrdiff_t on_cores = f.numbers() > 300 ? 1 << 15 : f.numbers() > 60 ? 1 << 16 : 1 << 18;
  auto states = random_inputs(f, on_cores);
  std::vector<std::vector<S>> host_in, host_out;
  for (auto& x : states) host_in.emplace_back(x.begin(), x.end());
  for (const int size : f.outputs) host_out.emplace_back(static_cast<size_t>(on_cores * size));
  const auto hi = pointers(host_in), ho = pointers(host_out);
  const double batch = best_time(std::max(budget, 0.25),
                                 [&] {
                                   const double begin = seconds_now();
                                   f.batch(on_cores, hi.data(), ho.data(), cores);
                                   return seconds_now() - begin;
                                 }) /
                       static_cast<double>(on_cores);

  const OnDevice<S> arrays(f, host_in, most);
  const Clock clock;
  const auto timed = [&](const auto& launches) { return clock.time(nullptr, launches); };
  std::printf("%-14s %-17s %-6s batch %8.3f ns", f.robot.c_str(), f.name.c_str(),
              sizeof(S) == 4 ? "float" : "double", batch * 1e9);
  enum { rows, elements, turned };
  double best[3] = {};
  for (const int way : {rows, elements, turned}) {
    std::printf(way == rows ? " | rows" : way == elements ? " | soa" : " | turned");
    const auto launch = [&](ptrdiff_t count) {
      if (way == rows) return f.rows(count, arrays.i.data(), arrays.o.data(), nullptr);
      if (way == elements) return f.columns(count, arrays.ic.data(), arrays.oc.data(), nullptr);
      return arrays.turned(f, count, nullptr);
    };
    for (const ptrdiff_t count : {ptrdiff_t{256}, ptrdiff_t{4096}, ptrdiff_t{65536}, most}) {
      const int repeats = count <= 4096 ? 20 : 1;
      const double time = best_time(budget, [&] {
        return timed([&] {
                 for (int k = 0; k < repeats; ++k) must(launch(count), "launch");
               }) /
               repeats;
      });
      if (count <= 4096) std::printf(" %ld: %.1f us", static_cast<long>(count), time * 1e6);
      if (count > 4096)
        std::printf(" %ld: %.4f ns", static_cast<long>(count), time * 1e9 / static_cast<double>(count));
      best[way] = time / static_cast<double>(count);
    }
    std::printf(" %.2f TB/s", static_cast<double>(f.numbers() * sizeof(S)) / best[way] / 1e12);
  }
  // With the way there and back, from pinned memory.
  const ptrdiff_t moved = std::min(most, on_cores);
  S* pinned = nullptr;
  must(
      cudaMallocHost(reinterpret_cast<void**>(&pinned), static_cast<size_t>(moved) * f.numbers() * sizeof(S)),
      "pinned");
  const double with_transfer =
      best_time(
          budget,
          [&] {
            return timed([&] {
              S* from = pinned;
              for (size_t k = 0; k < f.inputs.size(); from += moved * f.inputs[k++])
                must(cudaMemcpyAsync(arrays.i[k], from, static_cast<size_t>(moved * f.inputs[k]) * sizeof(S),
                                     cudaMemcpyHostToDevice),
                     "copy");
              must(f.rows(moved, arrays.i.data(), arrays.o.data(), nullptr), "launch");
              for (size_t k = 0; k < f.outputs.size(); from += moved * f.outputs[k++])
                must(cudaMemcpyAsync(from, arrays.o[k], static_cast<size_t>(moved * f.outputs[k]) * sizeof(S),
                                     cudaMemcpyDeviceToHost),
                     "copy");
            });
          }) /
      static_cast<double>(moved);
  must(cudaFreeHost(pinned), "pinned");
  std::printf(" | with transfer %.3f ns | x %.1f rows, %.1f soa, %.1f turned\n", with_transfer * 1e9,
              batch / best[rows], batch / best[elements], batch / best[turned]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no device of CUDA\n");
    return 2;
  }
  const bool is_small = argc > 2 && std::strcmp(argv[2], "small") == 0;
  if (argc > 1 && std::strcmp(argv[1], "values") == 0) {
    compare_values<float>(is_small);
    compare_values<double>(is_small);
    if (!device_functions<float>().empty()) compare_layouts<float>();
    if (!device_functions<double>().empty()) compare_layouts<double>();
    if (!device_functions<double>().empty()) {
      compare_streams();
      check_errors();
    }
    std::printf("%d failed\n", num_failed);
    return num_failed == 0 ? 0 : 1;
  }
  const double budget = argc > 2 ? std::atof(argv[2]) : 0.03;
  if (argc > 1 && std::strcmp(argv[1], "few") == 0) {
    for (const auto& f : device_functions<float>()) measure_few(f, budget);
    for (const auto& f : device_functions<double>()) measure_few(f, budget);
    return 0;
  }
  for (const auto& f : device_functions<float>()) measure(f, budget);
  for (const auto& f : device_functions<double>()) measure(f, budget);
}
