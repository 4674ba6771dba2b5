// What main.c prints, by way of the templates.
#include <arm.hpp>

#include <cstdio>
#include <initializer_list>

namespace {

constexpr int n = arm::nv;

template <class S>
class Printer {
 public:
  /// One line for what `call` writes at y: `size` numbers.
  template <class Call>
  void line(const char* name, int size, Call call) {
    call();
    const bool is_double = sizeof(S) == sizeof(double);
    std::printf("%s%s", name, is_double ? "" : "_float");
    for (int i = 0; i < size; ++i) std::printf(is_double ? " %.17g" : " %.9g", static_cast<double>(y[i]));
    std::printf("\n");
  }

  void print_all() {
    line("rnea", n, [&] { arm::rnea(q, v, a, y); });
    line("bias", n, [&] { arm::bias(q, v, y); });
    line("gravity", n, [&] { arm::gravity(q, y); });
    line("aba", n, [&] { arm::aba(q, v, a, y); });
    line("aza", n, [&] { arm::aza(q, a, y); });
    line("mass_matrix", n * n, [&] { arm::mass_matrix(q, y); });
    line("coriolis_matrix", n * n, [&] { arm::coriolis_matrix(q, v, y); });
    line("minv", n * n, [&] { arm::minv(q, y); });
    line("rnea_derivatives", 2 * n * n, [&] { arm::rnea_derivatives(q, v, a, y, y + n * n); });
    line("aba_derivatives", 3 * n * n, [&] { arm::aba_derivatives(q, v, a, y, y + n * n, y + 2 * n * n); });
    line("rnea_second_derivatives", 4 * cube,
         [&] { arm::rnea_second_derivatives(q, v, a, y, y + cube, y + 2 * cube, y + 3 * cube); });
    print_packed();
    line("forward_kinematics", 12, [&] { arm::forward_kinematics(q, arm::Link::tool, y, y + 9); });
    line("frame_jacobian", 6 * n,
         [&] { arm::frame_jacobian(q, arm::Link::tool, y, featherline::ReferenceFrame::local); });
  }

 private:
  static constexpr int cube = n * n * n;

  /// Sizes as the index arrays of the header have them.
  template <int count>
  static int packed_size(const featherline::PackedEntry (&entries)[count]) {
    int size = 0;
    for (const featherline::PackedEntry& entry : entries)
      size = entry.source >= size ? entry.source + 1 : size;
    return size;
  }

  void print_packed() {
    line("mass_matrix_packed", packed_size(arm::mass_matrix_packed_M),
         [&] { arm::mass_matrix_packed(q, y); });
    line("coriolis_matrix_packed", packed_size(arm::coriolis_matrix_packed_C),
         [&] { arm::coriolis_matrix_packed(q, v, y); });
    line("minv_packed", packed_size(arm::minv_packed_Minv), [&] { arm::minv_packed(q, y); });
    line("rnea_derivatives_packed", packed_size(arm::rnea_derivatives_packed_dtau_dq),
         [&] { arm::rnea_derivatives_packed(q, v, a, y, y + cube); });
    line("aba_derivatives_packed", packed_size(arm::aba_derivatives_packed_da_dq),
         [&] { arm::aba_derivatives_packed(q, v, a, y, y + cube, y + 2 * cube); });
    line("rnea_second_derivatives_packed", packed_size(arm::rnea_second_derivatives_packed_d2tau_dqdq),
         [&] { arm::rnea_second_derivatives_packed(q, v, a, y, y + cube, y + 2 * cube, y + 3 * cube); });
  }

  S q[n] = {S(0.3), S(-0.8), S(1.1)}, v[n] = {S(1.0), S(-0.5), S(0.25)}, a[n] = {S(0.7), S(2.0), S(-3.0)};
  S y[4 * cube] = {};
};

}  // namespace

int main() {
  for (int i = 0; i < arm::num_joints; ++i) {
    const featherline::JointInfo& joint = arm::joints[i];
    std::printf("joint %d %s %s %d %d %d %d", i, arm::joint_names[i],
                featherline::joint_type_name(joint.type), joint.idx_q, joint.nq, joint.idx_v, joint.nv);
    for (const double limit : {joint.lower, joint.upper, joint.velocity, joint.effort, joint.acceleration,
                               joint.deceleration, joint.jerk})
      std::printf(" %.17g", limit);
    std::printf("\n");
  }
  for (int i = 0; i < arm::num_links; ++i) std::printf("link %d %s\n", i, arm::link_names[i]);
  Printer<double>().print_all();
  Printer<float>().print_all();
}
