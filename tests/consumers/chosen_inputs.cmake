# EXTERNAL_FORCES, PARAMETERS, LOCK, LOCK_ALL_BUT and ELIMINATE of add_robot_dynamics(), with a comma and a blank in names.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

file(READ ${ROBOTS}/arm6.urdf urdf)
string(REPLACE "\"tool\"" "\"tool, left\"" urdf "${urdf}")
string(REPLACE "\"shoulder\"" "\"upper, left\"" urdf "${urdf}")
file(WRITE ${WORK}/arm6.urdf "${urdf}")
file(READ ${ROBOTS}/four_bar.urdf urdf)
string(REPLACE "type=\"axis\"" "type=\"axis\" branch=\"1\"" urdf "${urdf}")
file(WRITE ${WORK}/four_bar.urdf "${urdf}")

configure(${PROJECTS}/chosen_inputs ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX} -DROBOT=${WORK}/arm6.urdf
          -DLINKAGE=${WORK}/four_bar.urdf)
build(${WORK}/build)
run(${WORK}/build/controller)
expect("chosen inputs agree")
expect("links of the linkage agree")
build(${WORK}/build)
expect("no work to do")

# What the functions take is in the manifest.
file(READ ${WORK}/build/featherline/arm/arm.json manifest)
foreach(expected "rnea;[ \"fext\", \"p\" ]" "gravity;[ \"p\" ]" "mass_matrix_vector_derivative;[ \"p\" ]")
  list(POP_FRONT expected function inputs)
  string(JSON found GET "${manifest}" functions ${function} chosen_inputs)
  string(REGEX REPLACE "[ \n]+" " " found "${found}")
  if(NOT found STREQUAL inputs)
    message(FATAL_ERROR "${function}: the manifest has the chosen inputs ${found}, not ${inputs}")
  endif()
endforeach()

file(READ ${WORK}/build/featherline/held/held.json manifest)
string(JSON nq GET "${manifest}" nq)
string(JSON locked LENGTH "${manifest}" locked_joints)
string(JSON elbow GET "${manifest}" locked_joints 0 q 0)
if(NOT "${nq} ${locked} ${elbow}" STREQUAL "2 4 0.5")
  message(FATAL_ERROR "held: nq, locked joints and the position of the first are ${nq} ${locked} ${elbow}")
endif()
