# add_robot_dynamics(<target> MODEL <file>          the robot in any format that featherline reads; URDF <file> is the same
#                    [NAME <identifier>]        namespace and file stem; default: <target> made an identifier
#                    [BASE fixed|floating]      default: fixed
#                    [FUNCTIONS <name or group>...]  default: dynamics derivatives kinematics, frames if FRAMES are
#                                               chosen, and constraints if CONTACTS are
#                    [SCALARS double|float...]  default: double
#                    [XACRO_ARGS "<name>:=<value> ..."]  arguments for the tool xacro, of a file of xacro
#                    [LOCK <joint>=<value>...]  joints that stay at a position; <value> is a:b:... for several coordinates
#                    [LOCK_ALL_BUT <joint>...]  locks all other joints, where LOCK says, else at 0
#                    [EXTERNAL_FORCES <link>...]  links that forces act on: input fext of the functions that feel them
#                    [PARAMETERS gravity|payload:<link>|anchors|stabilisation...]  input p of the functions that depend on them
#                    [FRAMES <frame>...]        frames of the group frames: <link>, <name>=<link>@x,y,z[,r,p,y], each
#                                               with :point behind it or not; default: the links at the ends of the tree
#                    [FRAME_AXES local_world_aligned|local|world]  default: local_world_aligned
#                    [FRAME_PARTS poses|positions|velocities|jacobians|bias...]  of frame_kinematics; default: all
#                    [CONTACTS <contact>...]    contacts with the world of the group constraints, as FRAMES, with :point
#                                               (default), :weld, :normal or :friction behind it
#                    [STABILISATION KP,KD]      Baumgarte's gains of constraints; default: 0,0
#                    [ACCEPT <finding>...]      kinds of warnings to leave out; a warning ends with its kind in brackets
#                    [C_API]                    also <NAME>.h: the functions for C and for what calls C
#                    [BATCH]                    also <name>::batch: many states a call, in SIMD lanes
#                    [PYTHON]                   also the Python module <NAME>, as target <target>_python
#                    [CASADI]                   also external functions of CasADi: the shared library <target>_casadi
#                    [CUDA]                     also <name>::cuda: many states a call on a GPU; needs enable_language(CUDA)
#                    [TANGENT]                  of these, derivatives by q along steps of the tangent space
#                    [NATIVE]                   compiled for the processor of this machine alone: NativeCode.cmake
#                    [OPTIONS <flag>...])       further flags of `featherline generate`
#
# The arguments between SCALARS and TANGENT are those of the table of options (generator/option_table.cpp) for CMake:
# FeatherlineOptions.cmake has their names, scripts/update-options writes it.
#
# Makes the library <target> out of a robot: the generator runs at build time, again whenever that file, one that it
# includes, one of these arguments or the generator itself changes, and never otherwise. It leaves alone the files that
# come out the same, so that only what changed is compiled again. Relative paths, in OPTIONS too, are relative to the
# calling CMakeLists.txt. <target> carries its include path and Featherline::runtime, and installs and exports like any
# other (its headers are its PUBLIC_HEADER).
#
# Functions that the robot cannot have, or that cannot take its external forces, are left out of groups, with a warning;
# one that is named is an error of the build.
#
# The library is compiled with -O2 and -ffp-contract=fast, in every configuration but Debug and MinSizeRel and
# unless CMAKE_CXX_FLAGS sets it. -O3, CMake's choice for Release, is longer to compile and no
# faster on straight-line code; contraction lets the compiler use fused multiply-add. Functions share files, so a program
# that calls few of them is smaller if it is linked with -Wl,--gc-sections. Batches bring code for AVX2
# and AVX-512 and choose when they run, so they need no NATIVE; for threads link OpenMP::OpenMP_CXX to <target>.
#
# The Python module needs Python's headers (Python3 with Development.Module) and NumPy when it is built, NumPy when it is
# imported, and no Featherline. <NAME>.pyi, its types for editors, is put beside it.
#
# The generator is FEATHERLINE_EXECUTABLE if set, else the one of this build or of the package. Cross-compiling
# inside one tree with Featherline, it is built for the host first.

cmake_policy(VERSION 3.20...3.25)
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/NativeCode.cmake)

set(FEATHERLINE_EXECUTABLE "" CACHE FILEPATH "The featherline generator of the host; empty: find it")

function(add_robot_dynamics target)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/FeatherlineOptions.cmake)
  set(lists ${FEATHERLINE_ARGUMENTS})
  list(REMOVE_ITEM lists ${FEATHERLINE_WORDS})
  cmake_parse_arguments(PARSE_ARGV 1 arg "NATIVE;TANGENT;${FEATHERLINE_SWITCHES}"
                        "MODEL;URDF;NAME;BASE;${FEATHERLINE_WORDS}" "FUNCTIONS;SCALARS;${lists};OPTIONS")
  set(arg_FUNCTIONS ${arg_FUNCTIONS})  # an argument may hold several words
  set(where "add_robot_dynamics(${target})")
  _featherline_check_arguments()
  _featherline_find_generator(generator generator_dependency "${where}")

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/featherline/${target})
  set(header ${directory}/${arg_NAME}.hpp)
  set(manifest ${directory}/${arg_NAME}.json)
  # Functions share numbered files: all names are known before the generator has run, and one function more or changed
  # is one file to compile. Files without a function take 10 ms.
  set(shards 8)
  _featherline_emitted_files(sources further_headers python_files)

  list(JOIN arg_SCALARS "," scalar_list)
  set(arguments --name ${arg_NAME} --base ${arg_BASE} --scalar ${scalar_list} --shards ${shards}
                ${arg_OPTIONS})
  foreach(argument FUNCTIONS ${FEATHERLINE_ARGUMENTS})
    if(arg_${argument})
      _featherline_flag(option ${argument})
      set(names "${arg_${argument}}")
      if(argument IN_LIST FEATHERLINE_LISTS_OF_NAMES)
        string(REPLACE "," "\\," names "${names}")
      endif()
      list(JOIN names "," names)
      list(APPEND arguments ${option} "${names}")
    endif()
  endforeach()
  foreach(switch ${FEATHERLINE_SWITCHES})
    if(arg_${switch})
      _featherline_flag(option ${switch})
      list(APPEND arguments ${option})
    endif()
    if(arg_TANGENT AND switch STREQUAL CASADI)
      list(APPEND arguments tangent)
    endif()
  endforeach()
  # Makefile generators do not notice a changed command line; this file changes with it, and only with it.
  list(JOIN arguments "\n" argument_lines)
  set(argument_lines "${arg_MODEL}\n${argument_lines}\n")
  # Expanded once: an @X@ in the values stays as it is.
  file(CONFIGURE OUTPUT ${directory}.arguments CONTENT "@argument_lines@" @ONLY)

  # The manifest stands for all files. Those that come out the same keep their time stamps, and Make would run the
  # generator for ever if it compared these with the robot's file. Make has no rule for the other files: when one is
  # missing, CMake makes the generator run.
  foreach(file ${header} ${sources} ${further_headers} ${python_files} ${casadi_file})
    if(NOT EXISTS ${file})
      file(TOUCH ${directory}.arguments)
    endif()
  endforeach()
  add_custom_command(
    OUTPUT ${manifest}
    BYPRODUCTS ${header} ${sources} ${further_headers} ${python_files} ${casadi_file}
    COMMAND ${generator} generate ${arg_MODEL} -o ${directory} ${arguments} --depfile ${directory}.d --no-report
    COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${manifest}
    DEPENDS ${arg_MODEL} ${directory}.arguments ${generator_dependency}
    DEPFILE ${directory}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Generating the dynamics of ${target} from ${arg_MODEL}"
    VERBATIM)

  add_library(${target} ${sources} ${header} ${manifest})
  set_target_properties(${target} PROPERTIES PUBLIC_HEADER "${header};${further_headers}")
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${directory}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} PUBLIC Featherline::runtime)
  _featherline_compile_options(${target})
  if(arg_NATIVE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${native_flag}>)
  endif()
  if(arg_CUDA)
    find_package(CUDAToolkit REQUIRED)
    target_link_libraries(${target} PUBLIC CUDA::cudart_static)
    target_compile_features(${target} PRIVATE cuda_std_17)
  endif()
  if(arg_PYTHON)
    _featherline_python_module(${target} "${where}" ${arg_NAME} ${python_files})
  endif()
  if(arg_CASADI)
    _featherline_casadi_library(${target} ${arg_NAME} ${casadi_file})
  endif()
endfunction()

# The library that casadi.external() loads: lib<NAME>_casadi.so. It is C, which C++ compilers take, too.
function(_featherline_casadi_library target name file)
  add_library(${target}_casadi SHARED ${file})
  set_source_files_properties(${file} PROPERTIES LANGUAGE CXX)
  target_link_libraries(${target}_casadi PRIVATE ${target})
  set_target_properties(${target}_casadi PROPERTIES OUTPUT_NAME ${name}_casadi
    CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  _featherline_compile_options(${target}_casadi)
endfunction()

# The files that `generate --shards` writes besides header and manifest. `shards`, `directory` and arg_* are the caller's.
macro(_featherline_emitted_files sources headers python_files)
  set(${sources} "")
  set(${headers} .ipp _eigen.hpp _pose_steps.ipp)
  foreach(k RANGE 1 ${shards})
    list(APPEND ${sources} _${k}.cpp)
    list(APPEND ${headers} _${k}.ipp _${k}_index.hpp)
    if(arg_CUDA)
      list(APPEND ${headers} _cuda_${k}.ipp)
    endif()
    if(arg_BATCH)
      list(APPEND ${sources} _batch_${k}.cpp _batch_${k}_avx2.cpp _batch_${k}_avx512.cpp)
      list(APPEND ${headers} _batch_${k}.ipp)
    endif()
  endforeach()
  if(arg_C_API)
    list(APPEND ${sources} _c.cpp)
    list(APPEND ${headers} .h)
  endif()
  if(arg_CUDA)
    list(APPEND ${sources} _cuda.cu)
    list(APPEND ${headers} _cuda.hpp)
  endif()
  set(${python_files} "")
  if(arg_PYTHON)
    set(${python_files} _python.cpp .pyi)
  endif()
  set(casadi_file "")
  if(arg_CASADI)
    set(casadi_file _casadi.c)
  endif()
  foreach(list ${sources} ${headers} ${python_files} casadi_file)
    list(TRANSFORM ${list} PREPEND ${directory}/${arg_NAME})
  endforeach()
endmacro()

# The module of Python: the library, its tables, and the sources that read them, which are installed beside this file.
function(_featherline_python_module target where name tables stub)
  foreach(folder IN ITEMS ${CMAKE_CURRENT_FUNCTION_LIST_DIR} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../python/cmake)
    include(${folder}/ChoosePython.cmake OPTIONAL)
  endforeach()
  featherline_choose_python(missing)
  if(missing)
    message(FATAL_ERROR "${where}: PYTHON: ${missing}; or name another interpreter by -DPython3_EXECUTABLE=<file>")
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import keyword, sys
sys.exit(keyword.iskeyword('${name}') or '${name}' in (*sys.stdlib_module_names, 'numpy'))" RESULT_VARIABLE is_taken)
  if(is_taken)
    message(FATAL_ERROR "${where}: PYTHON: ${name} is a word of Python, or a module that Python or NumPy needs; give the "
                        "robot another NAME")
  endif()
  set(native ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/python)
  if(NOT EXISTS ${native})
    set(native ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../python/native)
  endif()
  set(sources arguments arrays attributes buffers call checks dlpack function named_tuple shapes states robot_module)
  list(TRANSFORM sources PREPEND ${native}/)
  list(TRANSFORM sources APPEND .cpp)
  add_library(${target}_python MODULE ${sources} ${tables})
  target_compile_definitions(${target}_python PRIVATE FEATHERLINE_MODULE=${name})
  target_link_libraries(${target}_python PRIVATE ${target} Python3::Module Python3::NumPy)
  set_target_properties(${target}_python PROPERTIES
    OUTPUT_NAME ${name} PREFIX "" SUFFIX .${Python3_SOABI}.so CXX_VISIBILITY_PRESET hidden)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_custom_command(TARGET ${target}_python POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${stub} $<TARGET_FILE_DIR:${target}_python>)
endfunction()

# FRAME_AXES -> --frame-axes
function(_featherline_flag result argument)
  string(TOLOWER "--${argument}" flag)
  string(REPLACE "_" "-" flag ${flag})
  set(${result} ${flag} PARENT_SCOPE)
endfunction()

# Completes and checks arg_*; `target` and `where` are the caller's.
macro(_featherline_check_arguments)
  list(JOIN FEATHERLINE_ARGUMENTS ", " passed_names)
  list(JOIN FEATHERLINE_SWITCHES ", " switch_names)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}; "
                        "known are MODEL, URDF, NAME, BASE, FUNCTIONS, SCALARS, ${passed_names}, ${switch_names}, TANGENT, "
                        "NATIVE and OPTIONS")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where}: ${arg_KEYWORDS_MISSING_VALUES} needs a value; give one or leave it out")
  endif()
  if(arg_TANGENT AND NOT arg_CASADI)
    message(FATAL_ERROR "${where}: TANGENT is about the derivatives of CASADI; add CASADI, or leave out TANGENT")
  endif()
  if(arg_NATIVE)
    _featherline_native_flag(native_flag "${where}")
  endif()
  if(arg_CUDA AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "${where}: CUDA: the project has no compiler of CUDA; write enable_language(CUDA) before, or leave "
                        "CUDA out where CheckLanguage finds none")
  endif()
  if(TARGET ${target})
    message(FATAL_ERROR "${where}: there is a target of this name already; choose another one")
  endif()

  if(arg_MODEL AND arg_URDF)
    message(FATAL_ERROR "${where}: MODEL and URDF both name the robot's file; leave out one of them")
  endif()
  if(arg_URDF)
    set(arg_MODEL "${arg_URDF}")
  endif()
  if(NOT arg_MODEL)
    message(FATAL_ERROR "${where}: MODEL is missing; name the robot's file: MODEL <file>")
  endif()
  get_filename_component(arg_MODEL "${arg_MODEL}" ABSOLUTE)
  if(arg_MODEL MATCHES ";|\\$<|[\n]")
    message(FATAL_ERROR "${where}: CMake cannot pass on a path with ; or $< or a line break: ${arg_MODEL}; rename it")
  endif()
  get_source_file_property(_featherline_generated "${arg_MODEL}" GENERATED)
  if(NOT _featherline_generated AND (NOT EXISTS "${arg_MODEL}" OR IS_DIRECTORY "${arg_MODEL}"))
    message(FATAL_ERROR "${where}: there is no file ${arg_MODEL}; check the path behind MODEL or URDF, which is "
                        "relative to ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()

  if(NOT arg_NAME)
    _featherline_identifier(arg_NAME ${target})
  elseif(NOT arg_NAME MATCHES "^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$")
    message(FATAL_ERROR "${where}: NAME ${arg_NAME} cannot be a namespace and a file stem; use letters, digits "
                        "and single underscores, beginning with a letter")
  endif()
  if(NOT arg_BASE)
    set(arg_BASE fixed)
  elseif(NOT arg_BASE MATCHES "^(fixed|floating)$")
    message(FATAL_ERROR "${where}: BASE is fixed or floating, not ${arg_BASE}")
  endif()
  if(NOT arg_SCALARS)
    set(arg_SCALARS double)
  endif()
  foreach(scalar ${arg_SCALARS})
    if(NOT scalar MATCHES "^(double|float)$")
      message(FATAL_ERROR "${where}: SCALARS are double and float, not ${scalar}; other scalars include "
                          "${arg_NAME}.ipp")
    endif()
  endforeach()
  set(own_flags -o --name --base --functions --scalar --depfile --dump-after --no-report --shards)
  foreach(argument ${FEATHERLINE_ARGUMENTS} ${FEATHERLINE_SWITCHES})
    _featherline_flag(flag ${argument})
    list(APPEND own_flags ${flag})
  endforeach()
  list(JOIN own_flags "|" own_flags)
  foreach(option ${arg_OPTIONS})
    if(option MATCHES "^(${own_flags})")
      message(FATAL_ERROR "${where}: ${option} cannot be among OPTIONS, this function sets it itself; see its "
                          "arguments NAME, BASE, FUNCTIONS, SCALARS, ${passed_names}, ${switch_names}")
    endif()
  endforeach()
endmacro()

# A name that the generator takes as it is.
function(_featherline_identifier result text)
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" name "${text}")
  string(REGEX REPLACE "^_+|_+$" "" name "${name}")
  if(NOT name MATCHES "^[A-Za-z]")
    set(name robot_${name})
  endif()
  string(SUBSTRING "${name}" 0 48 name)
  string(REGEX REPLACE "_+$" "" name "${name}")
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# The command that runs the generator, and what to depend on so that a new generator means new code. A generator that is
# there already is asked now whether it knows the functions; one that is built with the project says so in the build.
function(_featherline_find_generator command dependency where)
  set(program "")
  set(depends "")
  if(FEATHERLINE_EXECUTABLE)
    if(NOT EXISTS ${FEATHERLINE_EXECUTABLE} OR IS_DIRECTORY ${FEATHERLINE_EXECUTABLE})
      message(FATAL_ERROR "${where}: FEATHERLINE_EXECUTABLE is ${FEATHERLINE_EXECUTABLE}, which is not a file")
    endif()
    set(program ${FEATHERLINE_EXECUTABLE})
    _featherline_check_functions("${where}" ${program})
  elseif(TARGET featherline_host)  # cross-compiling in one tree: see HostGenerator.cmake
    get_target_property(program featherline_host FEATHERLINE_EXECUTABLE)
    set(depends featherline_host)
  elseif(TARGET Featherline::featherline)
    set(program $<TARGET_FILE:Featherline::featherline>)
    get_target_property(is_there Featherline::featherline IMPORTED)
    if(is_there)
      get_target_property(location Featherline::featherline LOCATION)
      _featherline_check_functions("${where}" ${location})
    endif()
  else()
    find_program(FEATHERLINE_PROGRAM featherline NO_CMAKE_FIND_ROOT_PATH)
    if(NOT FEATHERLINE_PROGRAM)
      message(FATAL_ERROR "${where}: the generator is not to be found; build Featherline for the host and set "
                          "FEATHERLINE_EXECUTABLE to its program featherline")
    endif()
    set(program ${FEATHERLINE_PROGRAM})
    _featherline_check_functions("${where}" ${program})
  endif()
  set(${command} ${program} PARENT_SCOPE)
  set(${dependency} ${depends} ${program} PARENT_SCOPE)
endfunction()

# Stops in the words of the generator if it does not know one of arg_FUNCTIONS. With this stage it reads its flags alone.
function(_featherline_check_functions where program)
  list(JOIN arg_FUNCTIONS "," functions)
  if(functions)
    execute_process(COMMAND ${program} generate ROBOT.urdf --functions ${functions} --dump-after list
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE error)
    string(REGEX REPLACE "^.*--functions: |\n$" "" error "${error}")
    if(result EQUAL 2)
      message(FATAL_ERROR "${where}: FUNCTIONS: ${error}")
    endif()
  endif()
endfunction()

function(_featherline_compile_options target)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-ffunction-sections>)
  if(NOT " ${CMAKE_CXX_FLAGS}" MATCHES " -O")
    target_compile_options(${target} PRIVATE
      $<$<NOT:$<OR:$<CONFIG:Debug,MinSizeRel>,$<COMPILE_LANGUAGE:CUDA>>>:-O2>)
  endif()
  if(NOT CMAKE_CXX_FLAGS MATCHES "-ffp-contract|-ffast-math|-Ofast")
    target_compile_options(${target} PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-ffp-contract=fast>)
  endif()
endfunction()
