# The robots that are generated for the benches: our own and, where the folder is there, those of ../shared/robots.

set(FEATHERLINE_BENCH_ROBOTS "" CACHE STRING "Names of the robots to bench (file names without .urdf); empty: all")

# What can be benched: name, arguments at inputs x, number of outputs. Torques of forward dynamics are taken from a.
set(bench_functions
  "rnea|x.q, x.v, x.a, output|nv"
  "bias|x.q, x.v, output|nv"
  "gravity|x.q, output|nv"
  "mass_matrix|x.q, output|nv * nv"
  "forward_kinematics|x.q, static_cast<Link>(x.link), output, output + 9|12"
  "frame_jacobian|x.q, static_cast<Link>(x.link), output|6 * nv"
  "aba|x.q, x.v, x.a, output|nv"
  "minv|x.q, output|nv * nv"
  "rnea_derivatives|x.q, x.v, x.a, output, output + nv * nv|2 * nv * nv"
  "aba_derivatives|x.q, x.v, x.a, output, output + nv * nv, output + 2 * nv * nv|3 * nv * nv")

set(FEATHERLINE_BENCH_FUNCTIONS "" CACHE STRING "Names of the functions to bench; empty: all that are known")

# Chosen functions in `functions`; what emitted_robot.cpp.in needs of them in `wrappers` and `entries`.
function(_featherline_bench_functions)
  set(functions "")
  set(wrappers "")
  set(entries "")
  foreach(row ${bench_functions})
    string(REGEX MATCH "^([a-z_]+)\\|(.*)\\|(.*)$" _ "${row}")
    set(function ${CMAKE_MATCH_1})
    set(arguments "${CMAKE_MATCH_2}")
    set(size "${CMAKE_MATCH_3}")
    if(FEATHERLINE_BENCH_FUNCTIONS AND NOT function IN_LIST FEATHERLINE_BENCH_FUNCTIONS)
      continue()
    endif()
    list(APPEND functions ${function})
    string(APPEND wrappers "template <class S>\nvoid call_${function}(const Inputs<S>& x, S* output) {\n"
                           "  ${function}<S>(${arguments});\n}\n")
    string(APPEND entries "      {\"${function}\", ${size}, call_${function}<double>, call_${function}<float>},\n")
  endforeach()
  set(functions ${functions} PARENT_SCOPE)
  set(wrappers "${wrappers}" PARENT_SCOPE)
  set(entries "${entries}" PARENT_SCOPE)
endfunction()

# URDFs do not say whether their root floats.
set(floating_robots quadruped humanoid hyq anymal_c solo12 simple_humanoid talos_reduced)

# Adds robot `name` to `target`: a generated library and the file that puts it behind the common signature. The
# functions are those in FEATHERLINE_BENCH_FUNCTIONS.
function(_featherline_bench_robot target name urdf base)
  set(library bench_${name})
  _featherline_bench_functions()
  add_robot_dynamics(${library} URDF ${urdf} NAME ${name} BASE ${base} SCALARS double float
                     FUNCTIONS ${functions} OPTIONS --mimic independent)
  set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  set(manifest ${CMAKE_CURRENT_BINARY_DIR}/featherline/${library}/${name}.json)
  set(floating false)
  if(base STREQUAL floating)
    set(floating true)
  endif()
  configure_file(emitted_robot.cpp.in robots/${name}.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/robots/${name}.cpp)
  target_link_libraries(${target} PRIVATE ${library})
endfunction()

# Writes the list of all robots of `target`, whose names follow.
function(_featherline_bench_list target)
  set(declarations "")
  set(calls "")
  foreach(name ${ARGN})
    string(APPEND declarations "EmittedRobot emitted_${name}();\n")
    string(APPEND calls "emitted_${name}(), ")
  endforeach()
  configure_file(emitted_robots.cpp.in ${target}_robots.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_robots.cpp)
endfunction()

# All robots that there are, or those chosen.
function(featherline_bench_robots target)
  file(GLOB own CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/*.urdf)
  file(GLOB shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/../shared/robots/*.urdf)
  set(names "")
  foreach(urdf ${own} ${shared})
    get_filename_component(stem ${urdf} NAME_WE)
    if(FEATHERLINE_BENCH_ROBOTS AND NOT stem IN_LIST FEATHERLINE_BENCH_ROBOTS)
      continue()
    endif()
    set(name ${stem})
    if(name IN_LIST names)
      set(name ${stem}_shared)
    endif()
    list(APPEND names ${name})
    set(base fixed)
    if(stem IN_LIST floating_robots)
      set(base floating)
    endif()
    _featherline_bench_robot(${target} ${name} ${urdf} ${base})
  endforeach()
  _featherline_bench_list(${target} ${names})
endfunction()

# The mechanism of paper 001, section VI, as generic/model.hpp describes it. The first joint lays its plane upright,
# so that gravity acts in it. With `skew` as a further argument every joint is turned about x, 0.5 rad against the one
# before it, and links have inertia about all axes: nothing folds away that a robot would not have either.
function(_featherline_write_tree urdf branching links)
  set(moments "ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"1\"")
  set(turn "")
  if("skew" IN_LIST ARGN)
    set(moments "ixx=\"0.7\" ixy=\"0.1\" ixz=\"-0.1\" iyy=\"0.8\" iyz=\"0.05\" izz=\"1\"")
    set(turn " rpy=\"0.5 0 0\"")
  endif()
  set(text "<robot name=\"paper\">\n  <link name=\"ground\"/>\n")
  math(EXPR last "${links} - 1")
  foreach(i RANGE ${last})
    set(parent ground)
    set(origin "rpy=\"1.5707963267948966 0 0\"")
    if(i GREATER 0)
      math(EXPR p "(${i} - 1) / ${branching}")
      set(parent link${p})
      set(origin "xyz=\"1 0 0\"${turn}")
    endif()
    string(APPEND text
      "  <link name=\"link${i}\">\n    <inertial>\n      <origin xyz=\"0.5 0 0\"/>\n      <mass value=\"1\"/>\n"
      "      <inertia ${moments}/>\n    </inertial>\n  </link>\n"
      "  <joint name=\"joint${i}\" type=\"continuous\">\n    <parent link=\"${parent}\"/>\n"
      "    <child link=\"link${i}\"/>\n    <origin ${origin}/>\n    <axis xyz=\"0 0 1\"/>\n  </joint>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${urdf} CONTENT "${text}</robot>\n" @ONLY)
endfunction()

# The paper's mechanisms, as far as straight-line code makes sense.
function(featherline_bench_paper_trees target)
  set(names "")
  foreach(branching 1 2 5)
    foreach(links 2 5 10 20 50)
      set(FEATHERLINE_BENCH_FUNCTIONS rnea_derivatives aba_derivatives)
      if(links GREATER 20)
        set(FEATHERLINE_BENCH_FUNCTIONS rnea_derivatives)
      endif()
      set(name paper_${branching}_${links})
      set(urdf ${CMAKE_CURRENT_BINARY_DIR}/robots/${name}.urdf)
      _featherline_write_tree(${urdf} ${branching} ${links})
      _featherline_bench_robot(${target} ${name} ${urdf} fixed)
      list(APPEND names ${name})
    endforeach()
  endforeach()
  _featherline_bench_list(${target} ${names})
endfunction()

# Adds robot `name` to the second-order bench.
function(_featherline_bench_second_order_robot target name urdf base)
  set(library second_order_${name})
  add_robot_dynamics(${library} URDF ${urdf} NAME ${name} BASE ${base} SCALARS double
                     FUNCTIONS mass_matrix rnea_derivatives rnea_second_derivatives OPTIONS --mimic independent)
  set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  set(manifest ${CMAKE_CURRENT_BINARY_DIR}/featherline/${library}/${name}.json)
  set(floating false)
  if(base STREQUAL floating)
    set(floating true)
  endif()
  configure_file(second_order_robot.cpp.in second_order/${name}.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/second_order/${name}.cpp)
  target_link_libraries(${target} PRIVATE ${library})
endfunction()

# Chains and trees like those of the first order, but with skew axes, and real robots; hyq also on a fixed base, for the
# generic algorithm.
function(featherline_bench_second_order_robots target)
  set(names "")
  foreach(branching 1 2 5)
    foreach(links 5 10 20)
      set(name tree_${branching}_${links})
      set(urdf ${CMAKE_CURRENT_BINARY_DIR}/second_order/${name}.urdf)
      _featherline_write_tree(${urdf} ${branching} ${links} skew)
      _featherline_bench_second_order_robot(${target} ${name} ${urdf} fixed)
      list(APPEND names ${name})
    endforeach()
  endforeach()
  foreach(robot ur5:fixed panda:fixed z1:fixed baxter:fixed hyq:fixed hyq:floating)
    string(REPLACE ":" ";" robot ${robot})
    list(GET robot 0 stem)
    list(GET robot 1 base)
    set(urdf ${PROJECT_SOURCE_DIR}/../shared/robots/${stem}.urdf)
    if(EXISTS ${urdf})
      _featherline_bench_second_order_robot(${target} ${stem}_${base} ${urdf} ${base})
      list(APPEND names ${stem}_${base})
    endif()
  endforeach()
  set(declarations "")
  set(calls "")
  foreach(name ${names})
    string(APPEND declarations "SecondOrderRobot second_order_${name}();\n")
    string(APPEND calls "second_order_${name}(), ")
  endforeach()
  configure_file(second_order_robots.cpp.in ${target}_robots.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_robots.cpp)
endfunction()
