# The robots that are generated for the benches: our own and, where the folder is there, those of ../shared/robots.

set(featherline_bench_folder ${CMAKE_CURRENT_LIST_DIR})
set(featherline_shared_robots ${PROJECT_SOURCE_DIR}/../shared/robots)

set(FEATHERLINE_BENCH_ROBOTS "" CACHE STRING "Names of the robots to bench (file names without .urdf); empty: all")

# What can be benched: name, arguments at inputs x, number of outputs. Torques of forward dynamics are taken from a.
set(bench_functions
  "rnea|x.q, x.v, x.a, output|nv"
  "bias|x.q, x.v, output|nv"
  "gravity|x.q, output|nv"
  "mass_matrix|x.q, output|nv * nv"
  "forward_kinematics|x.q, static_cast<Link>(x.link), output, output + 9|12"
  "frame_jacobian|x.q, static_cast<Link>(x.link), output|6 * nv"
  "link_poses|x.q, output, output + 3 * num_links|12 * num_links"
  "aba|x.q, x.v, x.a, output|nv"
  "minv|x.q, output|nv * nv"
  "rnea_derivatives|x.q, x.v, x.a, output, output + nv * nv|2 * nv * nv"
  "aba_derivatives|x.q, x.v, x.a, output, output + nv * nv, output + 2 * nv * nv|3 * nv * nv")

set(FEATHERLINE_BENCH_FUNCTIONS "" CACHE STRING "Names of the functions to bench; empty: all that are known")

# Splits a row of such a table, "function|inputs|outputs", into variables of these names.
macro(featherline_bench_row row)
  string(REGEX MATCH "^([a-z_]+)\\|(.*)\\|(.*)$" _ "${row}")
  set(function ${CMAKE_MATCH_1})
  set(inputs "${CMAKE_MATCH_2}")
  set(outputs "${CMAKE_MATCH_3}")
endmacro()

# Chosen functions in `functions`; what emitted_robot.cpp.in needs of them in `wrappers` and `entries`.
function(_featherline_bench_functions)
  set(functions "")
  set(wrappers "")
  set(entries "")
  foreach(row ${bench_functions})
    featherline_bench_row("${row}")
    if(FEATHERLINE_BENCH_FUNCTIONS AND NOT function IN_LIST FEATHERLINE_BENCH_FUNCTIONS)
      continue()
    endif()
    list(APPEND functions ${function})
    string(APPEND wrappers "template <class S>\nvoid call_${function}(const Inputs<S>& x, S* output) {\n"
                           "  ${function}<S>(${inputs});\n}\n")
    string(APPEND entries "      {\"${function}\", ${outputs}, call_${function}<double>, call_${function}<float>},\n")
  endforeach()
  set(functions ${functions} PARENT_SCOPE)
  set(wrappers "${wrappers}" PARENT_SCOPE)
  set(entries "${entries}" PARENT_SCOPE)
endfunction()

# URDFs do not say whether their root floats: sets `base` for the robot in that file.
function(featherline_bench_base urdf)
  get_filename_component(stem ${urdf} NAME_WE)
  set(base fixed PARENT_SCOPE)
  if(stem MATCHES "^(quadruped|humanoid|hyq|anymal_c|solo12|simple_humanoid|talos_reduced)$")
    set(base floating PARENT_SCOPE)
  endif()
endfunction()

# Whether robot `stem` is among those chosen by FEATHERLINE_BENCH_ROBOTS: sets `chosen`.
function(featherline_bench_is_chosen stem)
  set(chosen TRUE PARENT_SCOPE)
  if(FEATHERLINE_BENCH_ROBOTS AND NOT stem IN_LIST FEATHERLINE_BENCH_ROBOTS)
    set(chosen FALSE PARENT_SCOPE)
  endif()
endfunction()

# Adds the C++ file that puts the robot in library `library` behind a common signature. The template may use the
# caller's variables, and: name, urdf, manifest, floating.
function(featherline_bench_wrap target library template name urdf base)
  set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  set(manifest ${CMAKE_CURRENT_BINARY_DIR}/featherline/${library}/${name}.json)
  set(floating false)
  if("${base}" STREQUAL "floating")
    set(floating true)
  endif()
  configure_file(${template} robots/${library}.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/robots/${library}.cpp)
  target_link_libraries(${target} PRIVATE ${library})
endfunction()

# Adds std::vector<type> <prefix>_robots(), which calls <prefix>_<name>() for each of the names that follow.
function(featherline_bench_list target header type prefix)
  set(declarations "")
  set(calls "")
  foreach(name ${ARGN})
    string(APPEND declarations "${type} ${prefix}_${name}();\n")
    string(APPEND calls "${prefix}_${name}(), ")
  endforeach()
  configure_file(${featherline_bench_folder}/robot_list.cpp.in robots/${target}.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/robots/${target}.cpp)
endfunction()

# Adds robot `name` to `target`: a generated library and the file that puts it behind the common signature. The
# functions are those in FEATHERLINE_BENCH_FUNCTIONS.
function(_featherline_bench_robot target name urdf base)
  _featherline_bench_functions()
  add_robot_dynamics(bench_${name} URDF ${urdf} NAME ${name} BASE ${base} SCALARS double float
                     FUNCTIONS ${functions} OPTIONS --mimic independent)
  featherline_bench_wrap(${target} bench_${name} emitted_robot.cpp.in ${name} ${urdf} ${base})
endfunction()

# All robots that there are, or those chosen.
function(featherline_bench_robots target)
  file(GLOB own CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/*.urdf)
  file(GLOB shared CONFIGURE_DEPENDS ${featherline_shared_robots}/*.urdf)
  set(names "")
  foreach(urdf ${own} ${shared})
    get_filename_component(stem ${urdf} NAME_WE)
    featherline_bench_is_chosen(${stem})
    if(NOT chosen)
      continue()
    endif()
    set(name ${stem})
    if(name IN_LIST names)
      set(name ${stem}_shared)
    endif()
    list(APPEND names ${name})
    featherline_bench_base(${urdf})
    _featherline_bench_robot(${target} ${name} ${urdf} ${base})
  endforeach()
  featherline_bench_list(${target} emitted_robot.hpp EmittedRobot emitted ${names})
endfunction()

# The mechanism of paper 001, section VI, as generic/model.hpp describes it. The first joint lays its plane upright,
# so that gravity acts in it. With `skew` as a further argument every joint is turned about x, 0.5 rad against the one
# before it, and links have inertia about all axes: nothing folds away that a robot would not have either.
function(featherline_bench_write_tree urdf branching links)
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
      featherline_bench_write_tree(${urdf} ${branching} ${links})
      _featherline_bench_robot(${target} ${name} ${urdf} fixed)
      list(APPEND names ${name})
    endforeach()
  endforeach()
  featherline_bench_list(${target} emitted_robot.hpp EmittedRobot emitted ${names})
endfunction()
