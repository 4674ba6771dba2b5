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

# Adds robot `name` to `target`: a generated library and the file that puts it behind the common signature.
function(_featherline_bench_robot target name urdf floating)
  if(floating)
    set(base floating)
    set(floating true)
  else()
    set(base fixed)
    set(floating false)
  endif()
  set(library bench_${name})
  _featherline_bench_functions()
  add_robot_dynamics(${library} URDF ${urdf} NAME ${name} BASE ${base} SCALARS double float
                     FUNCTIONS ${functions} OPTIONS --mimic independent)
  set(manifest ${CMAKE_CURRENT_BINARY_DIR}/featherline/${library}/${name}.json)
  configure_file(emitted_robot.cpp.in robots/${name}.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/robots/${name}.cpp)
  target_link_libraries(${target} PRIVATE ${library})
endfunction()

function(featherline_bench_robots target)
  file(GLOB own CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/robots/*.urdf)
  file(GLOB shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/../shared/robots/*.urdf)
  set(names "")
  set(declarations "")
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
    string(APPEND declarations "EmittedRobot emitted_${name}();\n")
    if(stem IN_LIST floating_robots)
      _featherline_bench_robot(${target} ${name} ${urdf} TRUE)
    else()
      _featherline_bench_robot(${target} ${name} ${urdf} FALSE)
    endif()
  endforeach()
  set(calls ${names})
  list(TRANSFORM calls REPLACE "(.+)" "emitted_\\1()")
  list(JOIN calls ", " calls)
  configure_file(emitted_robots.cpp.in robots.cpp @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/robots.cpp)
endfunction()
