#include "cli/check/driver_frame.hpp"

namespace featherline::cli {

const char* const driver_frame = R"(std::vector<double> states;  // one after the other
std::FILE* results = nullptr;
bool written = true;

// The inputs of `count` states, the first `known` over and over again: number i of state k of an array of n numbers is
// at k * n + i, or with a stride at i * stride + k.
template <class S>
struct Arrays {
  std::vector<S> parts[num_inputs];
  std::size_t stride;

  Arrays(std::size_t known, std::size_t count, std::size_t with_stride) : stride(with_stride) {
    std::size_t first = 0;
    for (std::size_t part = 0; part < num_inputs; ++part) {
      const std::size_t n = input_sizes[part];
      parts[part].resize(std::max(count, stride) * n + 1);
      for (std::size_t k = 0; k < count; ++k) {
        const double* from = states.data() + (k % known) * state_size + first;
        for (std::size_t i = 0; i < n; ++i) parts[part][stride > 0 ? i * stride + k : k * n + i] = static_cast<S>(from[i]);
      }
      first += n;
    }
  }
  // From state k on.
  Inputs<S> at(std::size_t k) const {
    return make_inputs<S>([&](std::size_t part) { return parts[part].data() + k * (stride > 0 ? 1 : input_sizes[part]); });
  }
};

template <class S>
void write_results(const std::vector<S>& numbers) {
  const std::vector<double> y(numbers.begin(), numbers.end());
  written = std::fwrite(y.data(), sizeof(double), y.size(), results) == y.size() && written;
}

template <class S, class Call>
void run(std::size_t count, std::size_t size, Call call) {
  const Arrays<S> arrays(count, count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<S> y(size, S(NAN));  // what is not written is found
    call(arrays.at(k), y.data());
    write_results(y);
  }
}

[[maybe_unused]] std::size_t packed_size(const featherline::PackedEntry* entries, int count) {
  int size = 0;
  for (int k = 0; k < count; ++k) size = std::max(size, entries[k].source + 1);
  return static_cast<std::size_t>(size);
}
)";

const char* const driver_c_frame = R"(
template <class Map, class S>
void unpack_c(Map map, int count, const S* packed, S* dense) {
  const auto n = static_cast<std::size_t>(count) + 1;
  std::vector<int> index(n), source(n), sign(n);
  map(index.data(), source.data(), sign.data());
  for (std::size_t k = 0; k + 1 < n; ++k) dense[index[k]] = static_cast<S>(sign[k]) * packed[source[k]];
}
)";

const char* const driver_batch_frame = R"(
template <class S>
class Batch {
 public:
  Batch(std::size_t known, std::size_t count, bool soa, featherline::InstructionSet set, std::size_t size)
      : count_(count), stride_(soa ? count + 3 : 0), arrays_(known, count, stride_), size_(size), y_(count * size) {
    options_.limit = set;
    options_.stride = static_cast<std::ptrdiff_t>(stride_);
  }

  // All states but the last three in one call, these in a second: whole vectors, and fewer states than a vector has.
  template <class Call, class Place>
  void piece(const std::vector<std::size_t>& sizes, Call call, Place place) {
    std::vector<std::vector<S>> outputs;
    for (const std::size_t n : sizes) outputs.emplace_back(std::max(count_, stride_) * n + 1, S(NAN));
    const std::size_t tail = count_ > 3 ? 3 : 0;
    part(0, count_ - tail, sizes, outputs, call);
    part(count_ - tail, tail, sizes, outputs, call);
    for (std::size_t k = 0; k < count_; ++k) {
      std::vector<std::vector<S>> rows;
      std::vector<const S*> starts;
      for (std::size_t o = 0; o < sizes.size(); ++o) {
        rows.emplace_back(sizes[o] + 1);
        for (std::size_t i = 0; i < sizes[o]; ++i)
          rows[o][i] = outputs[o][stride_ > 0 ? i * stride_ + k : k * sizes[o] + i];
      }
      for (const std::vector<S>& row : rows) starts.push_back(row.data());
      place(starts.data(), y_.data() + k * size_);
    }
  }
  void write() const { write_results(y_); }

 private:
  template <class Call>
  void part(std::size_t first, std::size_t count, const std::vector<std::size_t>& sizes,
            std::vector<std::vector<S>>& outputs, Call call) {
    std::vector<S*> starts;
    for (std::size_t o = 0; o < sizes.size(); ++o)
      starts.push_back(outputs[o].data() + first * (stride_ > 0 ? 1 : sizes[o]));
    call(static_cast<std::ptrdiff_t>(count), arrays_.at(first), starts.data(), options_);
  }

  std::size_t count_, stride_;
  Arrays<S> arrays_;
  std::size_t size_;
  std::vector<S> y_;
  featherline::BatchOptions options_;
};
)";

const char* const driver_main = R"(
int run_all(char** argv) {
  std::FILE* in = std::fopen(argv[1], "rb");
  results = std::fopen(argv[2], "wb");
  if (in == nullptr || results == nullptr) return 1;
  std::vector<double> state(state_size);
  while (!state.empty() && std::fread(state.data(), sizeof(double), state.size(), in) == state.size())
    states.insert(states.end(), state.begin(), state.end());
  call_all();
  return std::fclose(results) == 0 && written ? 0 : 1;
}

}  // namespace featherline_check

int main(int, char** argv) { return featherline_check::run_all(argv); }
)";

}  // namespace featherline::cli
