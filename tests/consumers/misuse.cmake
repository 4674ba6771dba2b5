# Wrong arguments stop the configuration with a message that names the remedy.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

set(urdf ${ROBOTS}/arm6.urdf)

# expect_refusal(<regular expression> <code>): line breaks of CMake's messages count as spaces.
function(expect_refusal expression code)
  file(WRITE ${WORK}/project/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)\nproject(misuse LANGUAGES NONE)\n"
       "find_package(Featherline REQUIRED)\n${code}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/project -B ${WORK}/build -DCMAKE_PREFIX_PATH=${PREFIX}
                  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result EQUAL 0)
    message(FATAL_ERROR "accepted: ${code}")
  endif()
  expect("add_robot_dynamics\\(arm\\): ${expression}")
endfunction()

expect_refusal("MODEL is missing; name the robot's file" "add_robot_dynamics(arm)")
expect_refusal("MODEL and URDF both name the robot's file; leave out one" "add_robot_dynamics(arm URDF ${urdf} MODEL ${urdf})")
expect_refusal("there is no file [^ ]*/project/nowhere.urdf; check the path" "add_robot_dynamics(arm URDF nowhere.urdf)")
expect_refusal("there is no file" "add_robot_dynamics(arm MODEL ${ROBOTS})")
foreach(name "a;b" "$<1:a>")
  expect_refusal("CMake cannot pass on a path with ; or .< or a line break: [^ ]*; rename it"
                 "add_robot_dynamics(arm URDF [==[${name}.urdf]==])")
endforeach()
expect_refusal("URDF needs a value" "add_robot_dynamics(arm URDF)")
expect_refusal("MODEL needs a value" "add_robot_dynamics(arm MODEL)")
expect_refusal("unknown arguments: URDFS;x.urdf; known are" "add_robot_dynamics(arm URDFS x.urdf)")
expect_refusal("BASE is fixed or floating, not flying" "add_robot_dynamics(arm URDF ${urdf} BASE flying)")
expect_refusal("NAME 2arm cannot be a namespace" "add_robot_dynamics(arm URDF ${urdf} NAME 2arm)")
expect_refusal("NAME a__b cannot be a namespace" "add_robot_dynamics(arm URDF ${urdf} NAME a__b)")
expect_refusal("SCALARS are double and float, not half" "add_robot_dynamics(arm URDF ${urdf} SCALARS half)")
expect_refusal("FUNCTIONS: .pinocchio::crba. of Pinocchio is .mass_matrix. here: it fills both" "add_robot_dynamics(arm URDF ${urdf} FUNCTIONS pinocchio::crba)")
expect_refusal("FUNCTIONS: .compute_minverse. of Pinocchio is .minv. here" "add_robot_dynamics(arm URDF ${urdf} FUNCTIONS compute_minverse)")
expect_refusal("FUNCTIONS: .massMatrix. is not a function; did you mean .mass_matrix.[?]" "add_robot_dynamics(arm URDF ${urdf} FUNCTIONS massMatrix)")
expect_refusal("FUNCTIONS: .newton. is not a function; .*featherline generate --help lists all" "add_robot_dynamics(arm URDF ${urdf} FUNCTIONS newton)")
expect_refusal("--base=floating cannot be among OPTIONS"
               "add_robot_dynamics(arm URDF ${urdf} OPTIONS --werror --base=floating)")
include(${CMAKE_CURRENT_LIST_DIR}/../../runtime/cmake/FeatherlineOptions.cmake)
foreach(argument ${FEATHERLINE_ARGUMENTS} ${FEATHERLINE_SWITCHES})
  string(TOLOWER "--${argument}" flag)
  string(REPLACE "_" "-" flag ${flag})
  expect_refusal("${flag} cannot be among OPTIONS[^;]*; see its arguments [A-Z_, ]*, ${argument}"
                 "add_robot_dynamics(arm URDF ${urdf} OPTIONS ${flag} x)")
endforeach()
expect_refusal("EXTERNAL_FORCES needs a value" "add_robot_dynamics(arm URDF ${urdf} EXTERNAL_FORCES)")
expect_refusal("there is a target of this name" "add_custom_target(arm)\nadd_robot_dynamics(arm URDF ${urdf})")
expect_refusal("FEATHERLINE_EXECUTABLE is /nowhere, which is not a file"
               "set(FEATHERLINE_EXECUTABLE /nowhere)\nadd_robot_dynamics(arm URDF ${urdf})")
expect_refusal("TANGENT is about the derivatives of CASADI; add CASADI, or leave out TANGENT"
               "add_robot_dynamics(arm URDF ${urdf} TANGENT)")
expect_refusal("NATIVE means the processor of this machine, but the code is for another one .aarch64.; leave out NATIVE"
               "set(CMAKE_CROSSCOMPILING ON)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\nadd_robot_dynamics(arm URDF ${urdf} NATIVE)")
expect_refusal("NATIVE: the compiler /usr/bin/odd does not know -mcpu=native; leave out NATIVE"
               "set(CMAKE_CXX_COMPILER /usr/bin/odd)\nset(CMAKE_SYSTEM_PROCESSOR odd)\nset(FEATHERLINE_HAS_NATIVE_FLAG OFF)
               add_robot_dynamics(arm URDF ${urdf} NATIVE)")
if(PYTHON)
  foreach(name lambda json)
    expect_refusal("PYTHON: ${name} is a word of Python, or a module that Python or NumPy needs; give .* another NAME"
                   "set(Python3_EXECUTABLE ${PYTHON})\nadd_robot_dynamics(arm URDF ${urdf} NAME ${name} PYTHON)")
  endforeach()
endif()

# What only the generator knows is found out at build time.
function(expect_failing_build expression arguments)
  file(WRITE ${WORK}/failing/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)\nproject(failing LANGUAGES CXX)\n"
       "find_package(Featherline REQUIRED)\nadd_robot_dynamics(${arguments})\n")
  configure(${WORK}/failing ${WORK}/failing/build -DCMAKE_PREFIX_PATH=${PREFIX})
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/failing/build RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result EQUAL 0)
    message(FATAL_ERROR "built: ${arguments}")
  endif()
  expect("${expression}")
endfunction()
expect_failing_build("the name class is reserved in C\\+\\+ or its libraries; choose another one with NAME" "class URDF ${urdf}")
expect_failing_build("aba_vector_hessian cannot take external forces: .* leave out the function or the forces"
                     "arm URDF ${urdf} FUNCTIONS aba_vector_hessian EXTERNAL_FORCES tool")
