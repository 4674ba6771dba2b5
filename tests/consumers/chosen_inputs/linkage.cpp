// A four-bar whose loop is eliminated: links one by one, in all forms, against all links at once.
#include <linkage_eigen.hpp>

#include <cmath>
#include <cstdio>

extern "C" void linkage_from_c(const double* q, int link, double* R, double* p, double* J);
bool links_of_linkage_agree();

namespace {

constexpr int count = 3, links = linkage::num_links;
constexpr double crank[count] = {0.3, 1.1, -2.0};

bool agree(const double* found, const double* wanted, int size, double tolerance, const char* what) {
  for (int i = 0; i < size; ++i) {
    if (std::abs(found[i] - wanted[i]) <= tolerance) continue;
    std::printf("%s: entry %d is %.17g, not %.17g\n", what, i, found[i], wanted[i]);
    return false;
  }
  return true;
}

/// The Jacobian moves the link as positions do.
bool jacobian_agrees(double q, linkage::Link link) {
  constexpr double step = 1e-5;
  const double before = q - step, after = q + step;
  double J[6], R[9], p[2][3], slope[3];
  linkage::frame_jacobian(&q, link, J);
  linkage::forward_kinematics(&before, link, R, p[0]);
  linkage::forward_kinematics(&after, link, R, p[1]);
  for (int k = 0; k < 3; ++k) slope[k] = (p[1][k] - p[0][k]) / (2.0 * step);
  return agree(J, slope, 3, 1e-8, "slope of positions");
}

bool forms_agree(linkage::Link link) {
  double R[9 * count], p[3 * count], J[6 * count];
  linkage::batch::forward_kinematics(count, crank, link, R, p);
  linkage::batch::frame_jacobian(count, crank, link, J);
  bool right = true;
  for (int k = 0; k < count; ++k) {
    const Eigen::Matrix<double, 1, 1> q(crank[k]);
    double all_p[3 * links], all_R[9 * links], one_R[9], one_p[3], one_J[6];
    linkage::link_poses(q.data(), all_p, all_R);
    linkage_from_c(q.data(), static_cast<int>(link), one_R, one_p, one_J);
    Eigen::Matrix3d from_eigen;
    Eigen::Vector3d place;
    Eigen::Matrix<double, 6, 1> columns, of_frame;
    linkage::eigen::forward_kinematics(q, link, from_eigen, place);
    linkage::eigen::frame_jacobian(q, link, columns);
    linkage::frame_jacobians(q.data(), of_frame.data());
    const int l = static_cast<int>(link);
    right = right && agree(one_R, all_R + 9 * l, 9, 1e-14, "R in C") &&
            agree(one_p, all_p + 3 * l, 3, 1e-14, "p in C") &&
            agree(R + 9 * k, one_R, 9, 1e-14, "R of a batch") &&
            agree(p + 3 * k, one_p, 3, 1e-14, "p of a batch") &&
            agree(J + 6 * k, one_J, 6, 1e-13, "J of a batch") &&
            agree(from_eigen.data(), one_R, 9, 0.0, "R with Eigen") &&
            agree(place.data(), one_p, 3, 0.0, "p with Eigen") &&
            agree(columns.data(), one_J, 6, 0.0, "J with Eigen") && jacobian_agrees(q[0], link);
    if (link == linkage::Link::coupler)
      right = right && agree(one_J, of_frame.data(), 6, 1e-13, "J of a frame");
  }
  return right;
}

/// Torques are the base regressor times the base parameters.
bool base_regressor_agrees() {
  constexpr int n = linkage::num_base_parameters;
  const double q = 0.4, v = -1.3, a = 0.7;
  double Y[n], beta[n], tau, sum = 0.0;
  linkage::rnea(&q, &v, &a, &tau);
  linkage::base_regressor(&q, &v, &a, Y);
  featherline::base_parameters(linkage::base_parameters, n, linkage::inertial_parameters, beta);
  for (int k = 0; k < n; ++k) sum += Y[k] * beta[k];
  return agree(&sum, &tau, 1, 1e-12, "base regressor");
}

}  // namespace

bool links_of_linkage_agree() {
  static_assert(linkage::nv == 1 && linkage::nv_all == 3, "a crank moves all");
  bool right = base_regressor_agrees();
  for (int link = 0; link < links; ++link) right = right && forms_agree(static_cast<linkage::Link>(link));
  if (right) std::printf("links of the linkage agree\n");
  return right;
}
