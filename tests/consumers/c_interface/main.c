/* Every function of the C interface, in double and float; main.cpp prints the same lines by way of the templates. */
#include <arm.h>

#include <stdio.h>

#define N arm_nv

static void print_double(const char* name, const double* x, int size) {
  int i;
  printf("%s", name);
  for (i = 0; i < size; ++i) printf(" %.17g", x[i]);
  printf("\n");
}

static void print_float(const char* name, const float* x, int size) {
  int i;
  printf("%s_float", name);
  for (i = 0; i < size; ++i) printf(" %.9g", (double)x[i]);
  printf("\n");
}

/* One line for a call in each scalar, prepared first: this has to leave results alone. Outputs are parts of `y`, one
   after the other. */
#define LINE(name, size, arguments, arguments_float)                                      \
  y[0] = 7.0;                                                                             \
  yf[0] = 7.0f;                                                                           \
  arm_prepare_##name arguments;                                                           \
  arm_prepare_##name##_float arguments_float;                                             \
  if (y[0] != 7.0 || yf[0] != 7.0f) printf("prepare changes the results of " #name "\n"); \
  arm_##name arguments;                                                                   \
  print_double(#name, y, size);                                                           \
  arm_##name##_float arguments_float;                                                     \
  print_float(#name, yf, size)

static double y[4 * N * N * N];
static float yf[4 * N * N * N];

static void print_vectors(const double* q, const double* v, const double* a, const float* qf, const float* vf,
                          const float* af) {
  LINE(rnea, N, (q, v, a, y), (qf, vf, af, yf));
  LINE(bias, N, (q, v, y), (qf, vf, yf));
  LINE(gravity, N, (q, y), (qf, yf));
  LINE(aba, N, (q, v, a, y), (qf, vf, af, yf));
  LINE(aza, N, (q, a, y), (qf, af, yf));
}

static void print_matrices(const double* q, const double* v, const double* a, const float* qf,
                           const float* vf, const float* af) {
  LINE(mass_matrix, N * N, (q, y), (qf, yf));
  LINE(coriolis_matrix, N * N, (q, v, y), (qf, vf, yf));
  LINE(minv, N * N, (q, y), (qf, yf));
  LINE(rnea_derivatives, 2 * N * N, (q, v, a, y, y + N * N), (qf, vf, af, yf, yf + N * N));
  LINE(aba_derivatives, 3 * N * N, (q, v, a, y, y + N * N, y + 2 * N * N),
       (qf, vf, af, yf, yf + N * N, yf + 2 * N * N));
  LINE(rnea_second_derivatives, 4 * N * N * N,
       (q, v, a, y, y + N * N * N, y + 2 * N * N * N, y + 3 * N * N * N),
       (qf, vf, af, yf, yf + N * N * N, yf + 2 * N * N * N, yf + 3 * N * N * N));
}

static void print_packed(const double* q, const double* v, const double* a, const float* qf, const float* vf,
                         const float* af) {
  enum { size = arm_rnea_derivatives_packed_dtau_dq_size };
  double* y1 = y + N * N * N;
  double* y2 = y + 2 * N * N * N;
  double* y3 = y + 3 * N * N * N;
  float* f1 = yf + N * N * N;
  float* f2 = yf + 2 * N * N * N;
  float* f3 = yf + 3 * N * N * N;
  LINE(mass_matrix_packed, arm_mass_matrix_packed_M_size, (q, y), (qf, yf));
  LINE(coriolis_matrix_packed, arm_coriolis_matrix_packed_C_size, (q, v, y), (qf, vf, yf));
  LINE(minv_packed, arm_minv_packed_Minv_size, (q, y), (qf, yf));
  LINE(rnea_derivatives_packed, size, (q, v, a, y, y1), (qf, vf, af, yf, f1));
  LINE(aba_derivatives_packed, arm_aba_derivatives_packed_da_dq_size, (q, v, a, y, y1, y2),
       (qf, vf, af, yf, f1, f2));
  LINE(rnea_second_derivatives_packed, arm_rnea_second_derivatives_packed_d2tau_dqdq_size,
       (q, v, a, y, y1, y2, y3), (qf, vf, af, yf, f1, f2, f3));
}

static void print_kinematics(const double* q, const float* qf) {
  LINE(forward_kinematics, 12, (q, arm_LINK_tool, y, y + 9), (qf, arm_LINK_tool, yf, yf + 9));
  LINE(frame_jacobian, 6 * N, (q, arm_LINK_tool, y, arm_FRAME_local),
       (qf, arm_LINK_tool, yf, arm_FRAME_local));
}

/* Spreads the packed mass matrix by its map and compares with the dense one. */
static int map_places_entries(const double* q) {
  int index[arm_mass_matrix_packed_M_entries], source[arm_mass_matrix_packed_M_entries];
  int sign[arm_mass_matrix_packed_M_entries];
  double packed[arm_mass_matrix_packed_M_size], dense[N * N], spread[N * N] = {0.0};
  int k;
  arm_mass_matrix_packed_M_map(index, source, sign);
  arm_mass_matrix_packed(q, packed);
  arm_mass_matrix(q, dense);
  for (k = 0; k < arm_mass_matrix_packed_M_entries; ++k) spread[index[k]] = sign[k] * packed[source[k]];
  for (k = 0; k < N * N; ++k) {
    if (spread[k] != dense[k]) return 0;
  }
  return 1;
}

/* Links and frames that do not exist are refused, and nothing is written. */
static int bad_numbers_are_refused(const double* q) {
  const double before = y[0] = 77.0;
  const int bad[] = {-1, arm_num_links, 2147483647};
  int i;
  for (i = 0; i < 3; ++i) {
    if (arm_forward_kinematics(q, bad[i], y, y + 9) != -1) return 0;
    if (arm_frame_jacobian(q, bad[i], y, arm_FRAME_world) != -1) return 0;
    if (arm_link_name(bad[i]) != NULL || arm_joint_name(bad[i]) != NULL) return 0;
  }
  if (arm_frame_jacobian(q, 0, y, 3) != -1 || arm_frame_jacobian(q, 0, y, -1) != -1) return 0;
  return y[0] == before && arm_frame_jacobian(q, 0, y, arm_FRAME_world) == 0 && y[0] != before;
}

int main(void) {
  const double q[arm_nq] = {0.3, -0.8, 1.1}, v[N] = {1.0, -0.5, 0.25}, a[N] = {0.7, 2.0, -3.0};
  float qf[arm_nq], vf[N], af[N];
  int i;
  for (i = 0; i < N; ++i) {
    qf[i] = (float)q[i];
    vf[i] = (float)v[i];
    af[i] = (float)a[i];
  }
  for (i = 0; i < arm_num_joints; ++i) {
    const arm_joint* joint = &arm_joint_info[i];
    printf("joint %d %s %s %d %d %d %d", i, arm_joint_name(i), joint->type, joint->idx_q, joint->nq,
           joint->idx_v, joint->nv);
    printf(" %.17g %.17g %.17g %.17g", joint->lower, joint->upper, joint->velocity, joint->effort);
    printf(" %.17g %.17g %.17g\n", joint->acceleration, joint->deceleration, joint->jerk);
  }
  for (i = 0; i < arm_num_links; ++i) printf("link %d %s\n", i, arm_link_name(i));
  print_vectors(q, v, a, qf, vf, af);
  print_matrices(q, v, a, qf, vf, af);
  print_packed(q, v, a, qf, vf, af);
  print_kinematics(q, qf);
  if (!map_places_entries(q) || !bad_numbers_are_refused(q)) return 1;
  return 0;
}
