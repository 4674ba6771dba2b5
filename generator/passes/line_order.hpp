#pragma once

#include "ir/kernel.hpp"
#include "support/index.hpp"

#include <cstdint>
#include <utility>
#include <vector>

/// Orders of a straight line in which few values are alive at a time.
namespace featherline::passes {

/// What the statements of a line define and read, by their numbers. A value is what a statement defines, or the sine
/// and cosine of an angle, which are computed where they are first read.
class Line {
 public:
  Line(const ir::Kernel& kernel, const std::vector<ir::Statement>& statements);

  int num_statements() const { return static_cast<int>(reads_.size()); }
  int num_values() const { return static_cast<int>(readers_.size()); }
  const std::vector<int>& reads(int s) const { return reads_[index(s)]; }
  int defines(int s) const { return defines_[index(s)]; }  ///< -1 of a store
  const std::vector<int>& readers(int v) const { return readers_[index(v)]; }
  std::vector<int> reader_counts() const;                  ///< by value
  int definer(int v) const { return definer_[index(v)]; }  ///< -1 of an angle
  int words(int v) const { return definer(v) < 0 ? 2 : 1; }

 private:
  std::vector<std::vector<int>> reads_, readers_;
  std::vector<int> defines_, definer_;
};

using Order = std::vector<int>;

/// Where each statement stands.
std::vector<int> places(const Order& order);

/// The most words alive at a time, then the sum over all statements.
std::pair<int, std::int64_t> pressure(const Line& line, const Order& order);

/// The statements of `some` and what they need right before them.
Order depth_first(const Line& line, const Order& some);

/// The best that was found from these orders.
Order fewest_alive(const Line& line, std::vector<Order> starts);

}  // namespace featherline::passes
