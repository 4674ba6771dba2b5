# The functions `featherline generate` knows, by group: add_robot_dynamics() has to know the emitted files'
# names before they exist. tests/consumers compares this list with the generator's own.
set(FEATHERLINE_GROUP_dynamics rnea bias gravity mass_matrix coriolis_matrix aba aza minv)
set(FEATHERLINE_GROUP_derivatives rnea_derivatives aba_derivatives)
set(FEATHERLINE_GROUP_second-order
    rnea_second_derivatives aba_second_derivatives rnea_vector_hessian mass_matrix_vector_derivative
    aba_vector_hessian minv_vector_derivative)
set(FEATHERLINE_GROUP_kinematics forward_kinematics frame_jacobian)
set(FEATHERLINE_GROUP_packed mass_matrix_packed coriolis_matrix_packed minv_packed rnea_derivatives_packed
    aba_derivatives_packed rnea_second_derivatives_packed aba_second_derivatives_packed rnea_vector_hessian_packed
    mass_matrix_vector_derivative_packed aba_vector_hessian_packed minv_vector_derivative_packed)
set(FEATHERLINE_GROUPS dynamics derivatives second-order kinematics packed)

# What is emitted when nothing is asked for.
set(FEATHERLINE_DEFAULT_GROUPS dynamics derivatives kinematics)

set(FEATHERLINE_FUNCTIONS "")
foreach(group ${FEATHERLINE_GROUPS})
  list(APPEND FEATHERLINE_FUNCTIONS ${FEATHERLINE_GROUP_${group}})
endforeach()
