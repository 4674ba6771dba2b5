/* The chosen inputs by way of the C interface. */
#include <arm.h>
#include <linkage.h>
#include <touching.h>

#include <string.h>

/* What stands where, as a caller finds it that cannot read a header. */
int c_interface_tells_places(void) {
  const double* p = arm_parameter_defaults();
  return arm_get_num_external_forces() == 2 && arm_external_force_link(0) == arm_LINK_forearm &&
         arm_external_force_link(arm_FORCE_tool_left) == arm_LINK_tool_left && arm_external_force_link(2) == -1 &&
         arm_get_num_parameters() == 13 && arm_num_parameters == 13 &&
         strcmp(arm_parameter_name(0), "gravity") == 0 && arm_parameter_index(0) == arm_PARAMETER_gravity &&
         strcmp(arm_parameter_name(1), "payload:tool, left") == 0 && arm_parameter_size(1) == 10 &&
         arm_parameter_index(1) == arm_PARAMETER_payload_tool_left && arm_parameter_unit(1) != NULL &&
         arm_parameter_name(2) == NULL && arm_parameter_index(-1) == -1 && p[2] == -9.81 && p[12] == 0.0;
}

void rnea_from_c(const double* q, const double* v, const double* a, const double* fext, const double* p,
                 double* tau) {
  arm_rnea(q, v, a, fext, p, tau);
}

void linkage_from_c(const double* q, int link, double* R, double* p, double* J) {
  linkage_forward_kinematics(q, link, R, p);
  linkage_frame_jacobian(q, link, J, linkage_FRAME_local_world_aligned);
}

/* by_points: by gaps, frictions and restitutions, one after the other. */
void contact_columns_from_c(const double* q, const double* v, const double* tau, const double* p, const double* contact,
                            double* A, double* B, double* by_points, double* by_p) {
  enum { size = 2 * touching_nv * touching_num_constraints };
  touching_contact_step_derivatives(q, v, tau, p, 1e-3, contact, A, B);
  touching_contact_step_parameter_derivatives(q, v, tau, p, 1e-3, contact, by_points, by_points + size,
                                              by_points + 2 * size);
  touching_contact_step_sensitivities(q, v, tau, p, 1e-3, contact, by_p);
}
