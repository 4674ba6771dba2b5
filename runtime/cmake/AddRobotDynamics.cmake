# add_robot_dynamics(<target> URDF <file>
#                    [NAME <identifier>]        namespace and file stem; default: <target> made an identifier
#                    [BASE fixed|floating]      default: fixed
#                    [FUNCTIONS <name or group>...]  default: dynamics derivatives kinematics, frames if FRAMES are
#                                               chosen, and constraints if CONTACTS are
#                    [SCALARS double|float...]  default: double
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
#                    [NATIVE]                   compiled for the processor of this machine alone: NativeCode.cmake
#                    [OPTIONS <flag>...])       further flags of `featherline generate`
#
# Makes the library <target> out of a robot: the generator runs at build time, again whenever the URDF, a file it
# reads, one of these arguments or the generator itself changes, and never otherwise. It leaves alone the files that
# come out the same, so that only what changed is compiled again. Relative paths, in OPTIONS too, are relative to the
# calling CMakeLists.txt. <target> carries its include path and Featherline::runtime, and installs and exports like any
# other (its headers are its PUBLIC_HEADER).
#
# Functions that the robot cannot have, or that cannot take its external forces, are left out of groups, with a warning;
# one that is named is an error.
#
# The library is compiled with -O2 and -ffp-contract=fast, in every configuration but Debug and MinSizeRel and
# unless CMAKE_CXX_FLAGS sets it. -O3, CMake's choice for Release, is longer to compile and no
# faster on straight-line code; contraction lets the compiler use fused multiply-add. Batches bring code for AVX2
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
  # In the tree of Featherline itself ReadCatalogue.cmake has made the list; elsewhere it is installed beside this file.
  get_property(function_list GLOBAL PROPERTY FEATHERLINE_FUNCTION_LIST)
  if(NOT function_list)
    set(function_list ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/FeatherlineFunctions.cmake)
  endif()
  include(${function_list})
  string(TOUPPER "${FEATHERLINE_BINDING_OPTIONS}" bindings)  # C_API asks for --c-api
  string(REPLACE "-" "_" bindings "${bindings}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "NATIVE;${bindings}" "URDF;NAME;BASE;FRAME_AXES;STABILISATION"
    "FUNCTIONS;SCALARS;LOCK;LOCK_ALL_BUT;EXTERNAL_FORCES;PARAMETERS;FRAMES;FRAME_PARTS;CONTACTS;ACCEPT;OPTIONS")
  set(where "add_robot_dynamics(${target})")
  _featherline_check_arguments()
  # In the words of the user: what the robot cannot have is left out of groups, and an error if it is named.
  set(asked ${arg_FUNCTIONS})  # an argument may hold several words
  if(asked)
    list(JOIN asked "," asked)
    list(PREPEND asked --functions)
  endif()
  if(NOT arg_FUNCTIONS AND (arg_FRAMES OR arg_CONTACTS))
    set(arg_FUNCTIONS ${FEATHERLINE_DEFAULT_GROUPS})
    if(arg_FRAMES)
      list(APPEND arg_FUNCTIONS frames)
    endif()
    if(arg_CONTACTS)
      list(APPEND arg_FUNCTIONS constraints)
    endif()
  endif()
  _featherline_resolve_functions(functions "${where}" ${arg_FUNCTIONS})
  if(arg_EXTERNAL_FORCES)
    _featherline_refuse_functions_without_forces("${where}" ${arg_FUNCTIONS})
  endif()
  _featherline_find_generator(generator generator_dependency "${where}")

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/featherline/${target})
  set(asked_bindings "")
  foreach(option argument IN ZIP_LISTS FEATHERLINE_BINDING_OPTIONS bindings)
    if(arg_${argument})
      list(APPEND asked_bindings ${option})
    endif()
  endforeach()
  _featherline_emitted_files(files ${arg_NAME} "${asked_bindings}" "${functions}")
  list(JOIN files "," file_names)
  list(TRANSFORM files PREPEND ${directory}/)
  set(header ${directory}/${arg_NAME}.hpp)
  set(manifest ${directory}/${arg_NAME}.json)
  list(REMOVE_ITEM files ${header} ${manifest})
  set(sources ${files})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(further_headers ${files})
  list(FILTER further_headers EXCLUDE REGEX "\\.cpp$")
  set(python_files ${files})  # of the module alone
  list(FILTER python_files INCLUDE REGEX "/${arg_NAME}(_python\\.cpp|\\.pyi)$")

  list(JOIN arg_SCALARS "," scalar_list)
  set(arguments --name ${arg_NAME} --base ${arg_BASE} ${asked} --scalar ${scalar_list}
                ${arg_OPTIONS})
  foreach(argument LOCK LOCK_ALL_BUT EXTERNAL_FORCES PARAMETERS FRAMES FRAME_AXES FRAME_PARTS CONTACTS STABILISATION ACCEPT)
    if(arg_${argument})
      string(TOLOWER "--${argument}" option)
      string(REPLACE "_" "-" option ${option})
      set(names "${arg_${argument}}")
      if(argument MATCHES "ALL_BUT|FORCES|PARAMETERS")  # names alone; in others commas stand between numbers, too
        string(REPLACE "," "\\," names "${names}")
      endif()
      list(JOIN names "," names)
      list(APPEND arguments ${option} "${names}")
    endif()
  endforeach()
  foreach(option ${asked_bindings})
    list(APPEND arguments --${option})
  endforeach()
  # Makefile generators do not notice a changed command line; this file changes with it, and only with it.
  list(JOIN arguments "\n" argument_lines)
  set(argument_lines "${arg_URDF}\n${argument_lines}\n")
  # Expanded once: an @X@ in the values stays as it is.
  file(CONFIGURE OUTPUT ${directory}.arguments CONTENT "@argument_lines@" @ONLY)

  # The manifest stands for all files. Those that come out the same keep their time stamps, and Make would run the
  # generator for ever if it compared these with the URDF's. Make has no rule for the other files: when one is missing,
  # CMake makes the generator run.
  foreach(file ${header} ${sources} ${further_headers})
    if(NOT EXISTS ${file})
      file(TOUCH ${directory}.arguments)
    endif()
  endforeach()
  add_custom_command(
    OUTPUT ${manifest}
    BYPRODUCTS ${header} ${sources} ${further_headers}
    COMMAND ${generator} generate ${arg_URDF} -o ${directory} ${arguments} --depfile ${directory}.d --no-report
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${directory} -DNAME=${arg_NAME} -DFILES=${file_names}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CompleteEmittedFiles.cmake
    COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${manifest}
    DEPENDS ${arg_URDF} ${directory}.arguments ${generator_dependency}
    DEPFILE ${directory}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Generating the dynamics of ${target} from ${arg_URDF}"
    VERBATIM)

  if(arg_PYTHON)
    list(REMOVE_ITEM sources ${python_files})
    list(REMOVE_ITEM further_headers ${python_files})
  endif()
  add_library(${target} ${sources} ${header} ${manifest})
  set_target_properties(${target} PROPERTIES PUBLIC_HEADER "${header};${further_headers}")
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${directory}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(${target} PUBLIC Featherline::runtime)
  _featherline_compile_options(${target})
  if(arg_NATIVE)
    target_compile_options(${target} PRIVATE ${native_flag})
  endif()
  if(arg_PYTHON)
    _featherline_python_module(${target} "${where}" ${arg_NAME} ${python_files})
  endif()
endfunction()

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
  set(sources arguments arrays attributes call checks function named_tuple shapes states robot_module)
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

# Completes and checks arg_*; `target` and `where` are the caller's.
macro(_featherline_check_arguments)
  list(JOIN bindings ", " binding_names)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}; "
                        "known are URDF, NAME, BASE, FUNCTIONS, SCALARS, LOCK, LOCK_ALL_BUT, EXTERNAL_FORCES, PARAMETERS, FRAMES, "
                        "FRAME_AXES, FRAME_PARTS, CONTACTS, STABILISATION, ACCEPT, ${binding_names}, NATIVE and OPTIONS")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where}: ${arg_KEYWORDS_MISSING_VALUES} needs a value; give one or leave it out")
  endif()
  if(arg_NATIVE)
    _featherline_native_flag(native_flag "${where}")
  endif()
  if(TARGET ${target})
    message(FATAL_ERROR "${where}: there is a target of this name already; choose another one")
  endif()

  if(NOT arg_URDF)
    message(FATAL_ERROR "${where}: URDF is missing; name the robot's file: URDF <file>")
  endif()
  get_filename_component(arg_URDF "${arg_URDF}" ABSOLUTE)
  if(arg_URDF MATCHES ";|\\$<|[\n]")
    message(FATAL_ERROR "${where}: CMake cannot pass on a path with ; or $< or a line break: ${arg_URDF}; rename it")
  endif()
  get_source_file_property(_featherline_generated "${arg_URDF}" GENERATED)
  if(NOT _featherline_generated AND (NOT EXISTS "${arg_URDF}" OR IS_DIRECTORY "${arg_URDF}"))
    message(FATAL_ERROR "${where}: there is no file ${arg_URDF}; check the path after URDF, which is "
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
  list(JOIN FEATHERLINE_BINDING_OPTIONS "|--" binding_flags)
  foreach(option ${arg_OPTIONS})
    if(option MATCHES "^(-o|--name|--base|--functions|--scalar|--lock|--external-forces|--parameters|--frames|--frame-axes|--frame-parts|--contacts|--stabilisation|--accept|--depfile|--dump-after|--no-report|--${binding_flags})")
      message(FATAL_ERROR "${where}: ${option} cannot be among OPTIONS, this function sets it itself; see its "
                          "arguments NAME, BASE, FUNCTIONS, SCALARS, LOCK, LOCK_ALL_BUT, EXTERNAL_FORCES, PARAMETERS, "
                          "FRAMES, FRAME_AXES, FRAME_PARTS, CONTACTS, STABILISATION, ACCEPT, "
                          "${binding_names}")
    endif()
  endforeach()
endmacro()

# An identifier after the generator's own rules, so that the file names are known here.
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

# Names and groups -> names, in the order of the list, each once. No name: what the generator emits unasked.
function(_featherline_resolve_functions result where)
  set(words ${ARGN})
  if(NOT words)
    set(words ${FEATHERLINE_DEFAULT_GROUPS})
  endif()
  set(wanted "")
  foreach(word ${words})
    if(word STREQUAL "all")
      list(APPEND wanted ${FEATHERLINE_FUNCTIONS})
    elseif(word IN_LIST FEATHERLINE_GROUPS)
      list(APPEND wanted ${FEATHERLINE_GROUP_${word}})
    elseif(word IN_LIST FEATHERLINE_FUNCTIONS)
      list(APPEND wanted ${word})
    else()
      _featherline_refuse_function("${where}" ${word})
    endif()
  endforeach()
  set(ordered "")
  foreach(name ${FEATHERLINE_FUNCTIONS})
    if(name IN_LIST wanted)
      list(APPEND ordered ${name})
    endif()
  endforeach()
  set(${result} ${ordered} PARENT_SCOPE)
endfunction()

# Stops with our name if `word` is what another library calls a function, else with all names.
function(_featherline_refuse_function where word)
  string(REGEX REPLACE "^.*:" "" plain "${word}")
  string(REGEX REPLACE "[_-]" "" plain "${plain}")
  string(TOLOWER "${plain}" plain)
  foreach(function ${FEATHERLINE_FUNCTIONS})
    string(REPLACE "_" "" ours "${function}")
    if(plain STREQUAL ours)
      message(FATAL_ERROR "${where}: FUNCTIONS: there is no ${word}; write ${function}")
    endif()
  endforeach()
  foreach(pair ${FEATHERLINE_FOREIGN_NAMES})
    if(pair MATCHES "^(.*)=(.*)$" AND plain STREQUAL CMAKE_MATCH_1)
      message(FATAL_ERROR "${where}: FUNCTIONS: ${word} is ${CMAKE_MATCH_2} here; "
                          "featherline generate ROBOT.urdf -o DIR --functions ${word} says how they differ")
    endif()
  endforeach()
  list(JOIN FEATHERLINE_FUNCTIONS ", " names)
  list(JOIN FEATHERLINE_GROUPS ", " groups)
  message(FATAL_ERROR "${where}: FUNCTIONS: there is no ${word}; choose from ${names}, or the groups "
                      "${groups}, all")
endfunction()

# Stops if ARGN names a function that cannot take external forces. The generator leaves it out of groups.
function(_featherline_refuse_functions_without_forces where)
  foreach(word ${ARGN})
    if(word IN_LIST FEATHERLINE_WITHOUT_FORCES)
      message(FATAL_ERROR "${where}: ${word} cannot take external forces: their second derivatives are not "
                          "implemented; leave out the function or EXTERNAL_FORCES")
    endif()
  endforeach()
endfunction()

# Names of the files that `functions` and bindings come to, by the rules of the list.
function(_featherline_emitted_files result robot bindings functions)
  set(packed ${functions})
  list(FILTER packed INCLUDE REGEX "_packed$")
  set(linked ${functions})
  list(REMOVE_ITEM linked ${FEATHERLINE_LINK_FUNCTIONS})
  set(kernels "")  # dense functions whose packed form is not asked for
  foreach(function ${functions})
    if("${function}_packed" IN_LIST FEATHERLINE_FUNCTIONS AND NOT "${function}_packed" IN_LIST functions)
      list(APPEND kernels ${function})
    endif()
  endforeach()
  set(files "")
  foreach(rule ${FEATHERLINE_FILES})
    string(REPLACE "|" ";" rule ${rule})
    list(POP_FRONT rule option kind file)
    string(REPLACE NAME ${robot} file ${file})
    if(NOT option IN_LIST bindings AND NOT option STREQUAL "always")
      continue()
    elseif(kind STREQUAL "robot")
      list(APPEND files ${file})
    elseif(kind STREQUAL "linked" AND NOT "${linked}" STREQUAL "${functions}")
      list(APPEND files ${file})
    endif()
    set(owners_function ${functions})
    set(owners_packed ${packed})
    set(owners_packed_kernel ${kernels})
    foreach(function ${owners_${kind}})
      string(REPLACE FUNCTION ${function} function_file ${file})
      list(APPEND files ${function_file})
    endforeach()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# The command that runs the generator, and what to depend on so that a new generator means new code.
function(_featherline_find_generator command dependency where)
  if(FEATHERLINE_EXECUTABLE)
    if(NOT EXISTS ${FEATHERLINE_EXECUTABLE} OR IS_DIRECTORY ${FEATHERLINE_EXECUTABLE})
      message(FATAL_ERROR "${where}: FEATHERLINE_EXECUTABLE is ${FEATHERLINE_EXECUTABLE}, which is not a file")
    endif()
    set(${command} ${FEATHERLINE_EXECUTABLE} PARENT_SCOPE)
    set(${dependency} ${FEATHERLINE_EXECUTABLE} PARENT_SCOPE)
  elseif(TARGET featherline_host)  # cross-compiling in one tree: see HostGenerator.cmake
    get_target_property(executable featherline_host FEATHERLINE_EXECUTABLE)
    set(${command} ${executable} PARENT_SCOPE)
    set(${dependency} featherline_host ${executable} PARENT_SCOPE)
  elseif(TARGET Featherline::featherline)
    set(${command} $<TARGET_FILE:Featherline::featherline> PARENT_SCOPE)
    set(${dependency} $<TARGET_FILE:Featherline::featherline> PARENT_SCOPE)
  else()
    find_program(FEATHERLINE_PROGRAM featherline NO_CMAKE_FIND_ROOT_PATH)
    if(NOT FEATHERLINE_PROGRAM)
      message(FATAL_ERROR "${where}: the generator is not to be found; build Featherline for the host and set "
                          "FEATHERLINE_EXECUTABLE to its program featherline")
    endif()
    set(${command} ${FEATHERLINE_PROGRAM} PARENT_SCOPE)
    set(${dependency} ${FEATHERLINE_PROGRAM} PARENT_SCOPE)
  endif()
endfunction()

function(_featherline_compile_options target)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  if(NOT " ${CMAKE_CXX_FLAGS}" MATCHES " -O")
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug,MinSizeRel>>:-O2>)
  endif()
  if(NOT CMAKE_CXX_FLAGS MATCHES "-ffp-contract|-ffast-math|-Ofast")
    target_compile_options(${target} PRIVATE -ffp-contract=fast)
  endif()
endfunction()
