#include "expected_values.hpp"

namespace featherline::test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd flat(const MatrixXd& A) { return Eigen::Map<const VectorXd>(A.data(), A.size()); }

/// T(:, :, k) of a tensor laid out as emitted.
MatrixXd slice(const VectorXd& T, Index n, Index k) {
  return Eigen::Map<const MatrixXd>(T.data() + n * n * k, n, n);
}

/// Sum over i of w_i T(i, :, :).
MatrixXd contract(const VectorXd& T, const VectorXd& w) {
  const Index n = w.size();
  MatrixXd sum(n, n);
  for (Index k = 0; k < n; ++k) sum.col(k) = slice(T, n, k).transpose() * w;
  return sum;
}

MatrixXd hessian(const MatrixXd& qq, const MatrixXd& qv, const MatrixXd& vv) {
  MatrixXd H(2 * qq.rows(), 2 * qq.cols());
  H << qq, qv, qv.transpose(), vv;
  return H;
}

/// Second derivatives of a(q, v, tau) from M a + b = tau differentiated twice, at the torques of (q, v, a).
struct ForwardTensors {
  VectorXd dqdq, dvdv, dqdv, dqdtau;
};
ForwardTensors forward_tensors(const ReferenceSample& s) {
  const Index n = s.v.size();
  const MatrixXd a_q = -s.Minv * s.dtau_dq, a_v = -s.Minv * s.dtau_dv;
  // dM_times(X)(:, j, k) = dM/dq_j X(:, k)
  const auto dM = [&](Index j) { return slice(s.dM_dq, n, j); };
  ForwardTensors t{s.d2tau_dqdq, s.d2tau_dvdv, s.d2tau_dqdv, s.dM_dq};
  for (Index k = 0; k < n; ++k) {
    MatrixXd qq = slice(s.d2tau_dqdq, n, k), qv = slice(s.d2tau_dqdv, n, k), qtau(n, n);
    for (Index j = 0; j < n; ++j) {
      qq.col(j) += dM(j) * a_q.col(k) + dM(k) * a_q.col(j);
      qv.col(j) += dM(j) * a_v.col(k);
      qtau.col(j) = dM(j) * s.Minv.col(k);
    }
    const auto put = [&](VectorXd& T, const MatrixXd& A) { T.segment(n * n * k, n * n) = flat(-s.Minv * A); };
    put(t.dqdq, qq);
    put(t.dvdv, slice(s.d2tau_dvdv, n, k));
    put(t.dqdv, qv);
    put(t.dqdtau, qtau);
  }
  return t;
}

void add_dynamics(const ReferenceSample& s, std::vector<Expected>& list) {
  const VectorXd bias = s.tau_rnea - s.M * s.a;
  // The bias is C v + g, and C v quadratic in v: Euler's theorem gives 2 C v = d tau / d v v.
  const VectorXd coriolis = 0.5 * s.dtau_dv * s.v;
  list.push_back({"rnea", {{"q", s.q}, {"v", s.v}, {"a", s.a}}, {{"tau", s.tau_rnea}}});
  list.push_back({"bias", {{"q", s.q}, {"v", s.v}}, {{"tau", bias}}});
  list.push_back({"gravity", {{"q", s.q}}, {{"tau", bias - coriolis}}});
  list.push_back({"mass_matrix", {{"q", s.q}}, {{"M", flat(s.M)}}});
  list.push_back({"coriolis_matrix", {{"q", s.q}, {"v", s.v}}, {{"C v", coriolis}}});
  list.push_back({"aba", {{"q", s.q}, {"v", s.v}, {"tau", s.tau_in}}, {{"a", s.ddq_aba}}});
  list.push_back({"aza", {{"q", s.q}, {"b", s.tau_in}}, {{"x", s.Minv * s.tau_in}}});
  list.push_back({"minv", {{"q", s.q}}, {{"Minv", flat(s.Minv)}}});
}

void add_derivatives(const ReferenceSample& s, std::vector<Expected>& list) {
  list.push_back({"rnea_derivatives",
                  {{"q", s.q}, {"v", s.v}, {"a", s.a}},
                  {{"dtau_dq", flat(s.dtau_dq)}, {"dtau_dv", flat(s.dtau_dv)}}});
  list.push_back({"aba_derivatives",
                  {{"q", s.q}, {"v", s.v}, {"tau", s.tau_in}},
                  {{"da_dq", flat(s.ddq_dq)}, {"da_dv", flat(s.ddq_dv)}, {"da_dtau", flat(s.Minv)}}});
  const VectorXd& w = s.tau_in;
  list.push_back({"rnea_rate",
                  {{"q", s.q}, {"v", s.v}, {"a", s.a}, {"jerk", w}},
                  {{"tau_rate", s.dtau_dq * s.v + s.dtau_dv * s.a + s.M * w}}});
  list.push_back({"rnea_vjp",
                  {{"q", s.q}, {"v", s.v}, {"a", s.a}, {"w", w}},
                  {{"wq", s.dtau_dq.transpose() * w}, {"wv", s.dtau_dv.transpose() * w}, {"wa", s.M * w}}});
  list.push_back(
      {"aba_vjp",
       {{"q", s.q}, {"v", s.v}, {"tau", s.tau_in}, {"w", w}},
       {{"wq", s.ddq_dq.transpose() * w}, {"wv", s.ddq_dv.transpose() * w}, {"wtau", s.Minv * w}}});
}

void add_second_derivatives(const ReferenceSample& s, std::vector<Expected>& list) {
  const VectorXd& w = s.tau_in;
  list.push_back({"rnea_second_derivatives",
                  {{"q", s.q}, {"v", s.v}, {"a", s.a}},
                  {{"d2tau_dqdq", s.d2tau_dqdq},
                   {"d2tau_dvdv", s.d2tau_dvdv},
                   {"d2tau_dqdv", s.d2tau_dqdv},
                   {"dM_dq", s.dM_dq}}});
  list.push_back({"rnea_vector_hessian",
                  {{"q", s.q}, {"v", s.v}, {"a", s.a}, {"w", w}},
                  {{"H", flat(hessian(contract(s.d2tau_dqdq, w), contract(s.d2tau_dqdv, w),
                                      contract(s.d2tau_dvdv, w)))}}});
  list.push_back(
      {"mass_matrix_vector_derivative", {{"q", s.q}, {"w", w}}, {{"dMw_dq", flat(contract(s.dM_dq, w))}}});
  MatrixXd M_rate = MatrixXd::Zero(w.size(), w.size());
  for (Index k = 0; k < w.size(); ++k) M_rate += slice(s.dM_dq, w.size(), k) * s.v[k];
  list.push_back({"mass_matrix_rate", {{"q", s.q}, {"v", s.v}}, {{"M_rate", flat(M_rate)}}});
  const ForwardTensors t = forward_tensors(s);
  list.push_back(
      {"aba_second_derivatives",
       {{"q", s.q}, {"v", s.v}, {"tau", s.tau_rnea}},
       {{"d2a_dqdq", t.dqdq}, {"d2a_dvdv", t.dvdv}, {"d2a_dqdv", t.dqdv}, {"d2a_dqdtau", t.dqdtau}}});
  list.push_back({"aba_vector_hessian",
                  {{"q", s.q}, {"v", s.v}, {"tau", s.tau_rnea}, {"w", w}},
                  {{"H", flat(hessian(contract(t.dqdq, w), contract(t.dqdv, w), contract(t.dvdv, w)))}}});
  const VectorXd x = s.Minv * w;
  list.push_back({"minv_vector_derivative",
                  {{"q", s.q}, {"w", w}},
                  {{"dMinvw_dq", flat(-s.Minv * contract(s.dM_dq, x))}}});
}

}  // namespace

std::vector<Expected> expected_values(const ReferenceFile& file, const ReferenceSample& sample) {
  std::vector<Expected> list;
  add_dynamics(sample, list);
  add_derivatives(sample, list);
  if (file.has_tensors) add_second_derivatives(sample, list);
  return list;
}

}  // namespace featherline::test
