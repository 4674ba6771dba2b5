# The robots of the image, for both builds.
function(add_firmware_robots scalar)
  set(functions rnea aba rnea_derivatives frame_jacobian)
  add_robot_dynamics(quadruped URDF ${ROBOTS}/quadruped.urdf BASE floating FUNCTIONS ${functions} contact_step
                     CONTACTS front_left_foot front_right_foot rear_left_foot rear_right_foot SCALARS ${scalar})
  add_robot_dynamics(arm6 URDF ${ROBOTS}/arm6.urdf FUNCTIONS ${functions} aba_derivatives contact_step
                     CONTACTS tool SCALARS ${scalar})
  add_robot_dynamics(loaded URDF ${ROBOTS}/arm6.urdf FUNCTIONS ${functions} SCALARS ${scalar}
                     EXTERNAL_FORCES tool forearm PARAMETERS gravity payload:tool)
endfunction()
