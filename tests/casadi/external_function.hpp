#pragma once

#include <doctest/doctest.h>

#include <dlfcn.h>

#include <Eigen/Core>

#include <cmath>
#include <string>
#include <vector>

namespace test::casadi {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Integer = long long;
using Strings = std::vector<std::string>;

/// An external function of CasADi, looked up and called as CasADi does.
class External {
 public:
  External(void* library, const std::string& name) : library_(library), name_(name) {
    if (!exists()) return;
    const auto count = [&](const char* of) { return symbol<Integer()>(of)(); };
    const auto each = [&](Integer n, const std::string& end, Strings& names,
                          std::vector<const Integer*>& patterns) {
      for (Integer i = 0; i < n; ++i) {
        names.emplace_back(symbol<const char*(Integer)>("_name" + end)(i));
        patterns.push_back(symbol<const Integer*(Integer)>("_sparsity" + end)(i));
      }
    };
    each(count("_n_in"), "_in", names_in, patterns_in);
    each(count("_n_out"), "_out", names_out, patterns_out);
    symbol<int(Integer*, Integer*, Integer*, Integer*)>("_work")(&sz_arg, &sz_res, &sz_iw, &sz_w);
    REQUIRE(symbol<const Integer*(Integer)>("_sparsity_in")(count("_n_in")) == nullptr);
  }
  bool exists() const { return dlsym(library_, name_.c_str()) != nullptr; }

  /// Dense results; those that are not wanted keep a mark. Inputs are dense, too; an empty one is handed over as NULL.
  std::vector<MatrixXd> operator()(const std::vector<VectorXd>& inputs, Integer only = -1) const {
    std::vector<bool> wanted(patterns_out.size(), only < 0);
    if (only >= 0) wanted[static_cast<std::size_t>(only)] = true;
    return call(inputs, wanted);
  }
  std::vector<MatrixXd> call(const std::vector<VectorXd>& inputs, const std::vector<bool>& wanted) const {
    std::vector<const double*> arg(static_cast<std::size_t>(sz_arg), nullptr);
    std::vector<VectorXd> values, results;
    for (std::size_t i = 0; i < inputs.size(); ++i) values.push_back(compressed(patterns_in[i], inputs[i]));
    for (std::size_t i = 0; i < values.size(); ++i)
      arg[i] = inputs[i].size() == 0 ? nullptr : values[i].data();
    std::vector<double*> res(static_cast<std::size_t>(sz_res), nullptr);
    for (const Integer* pattern : patterns_out)
      results.emplace_back(VectorXd::Constant(num_nonzeros(pattern), 1e300));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (wanted[i]) res[i] = results[i].data();
    }
    constexpr double guard = 4711.25;
    std::vector<double> w(static_cast<std::size_t>(sz_w) + 1, NAN);
    w.back() = guard;
    REQUIRE(sz_iw == 0);
    REQUIRE(symbol<int(const double**, double**, Integer*, double*, int)>("")(arg.data(), res.data(), nullptr,
                                                                              w.data(), 0) == 0);
    REQUIRE(w.back() == guard);
    std::vector<MatrixXd> dense;
    for (std::size_t i = 0; i < results.size(); ++i) dense.push_back(spread(patterns_out[i], results[i]));
    return dense;
  }

  /// Whether the library knows an input or output (`end`: "_in" or "_out") of this number.
  bool knows(const std::string& end, Integer i) const {
    const bool named = symbol<const char*(Integer)>("_name" + end)(i) != nullptr;
    REQUIRE(named == (symbol<const Integer*(Integer)>("_sparsity" + end)(i) != nullptr));
    return named;
  }

  static Integer num_nonzeros(const Integer* p) { return p[2] == 1 ? p[0] * p[1] : p[2 + p[1]]; }

  Strings names_in, names_out;
  std::vector<const Integer*> patterns_in, patterns_out;
  Integer sz_arg = 0, sz_res = 0, sz_iw = 0, sz_w = 0;

 private:
  template <class F>
  F* symbol(const std::string& end) const {
    void* found = dlsym(library_, (name_ + end).c_str());
    REQUIRE_MESSAGE(found != nullptr, (name_ + end));
    return reinterpret_cast<F*>(found);
  }
  /// Calls f(row, column, k) for each entry.
  template <class F>
  static void for_each(const Integer* p, const F& f) {
    Integer k = 0;
    for (Integer c = 0; c < p[1]; ++c) {
      if (p[2] == 1) {
        for (Integer r = 0; r < p[0]; ++r) f(r, c, k++);
      } else {
        for (Integer at = p[2 + c]; at < p[3 + c]; ++at) f(p[3 + p[1] + at], c, k++);
      }
    }
  }
  static VectorXd compressed(const Integer* p, const VectorXd& dense) {
    VectorXd x(num_nonzeros(p));
    if (dense.size() > 0) for_each(p, [&](Integer r, Integer c, Integer k) { x[k] = dense[r + p[0] * c]; });
    return x;
  }
  static MatrixXd spread(const Integer* p, const VectorXd& x) {
    MatrixXd dense = MatrixXd::Zero(p[0], p[1]);
    for_each(p, [&](Integer r, Integer c, Integer k) { dense(r, c) = x[k]; });
    return dense;
  }

  void* library_;
  std::string name_;
};

}  // namespace test::casadi
