# Emitted code needs no C++ library: compiled without exceptions and RTTI it links against the C library alone, has
# nothing to construct before main and no variable that could change.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

find_program(readelf readelf)
run(${FEATHERLINE} generate ${ROBOTS}/arm6.urdf -o ${WORK}/generated --name arm --scalar double,float --quiet --c-api
    --functions rnea,bias,mass_matrix,mass_matrix_packed,rnea_derivatives,kinematics)
file(GLOB sources ${WORK}/generated/*.cpp)

# check_object(<object>): neither constructors nor variables, thread-local ones included.
function(check_object object)
  run(${readelf} -S -W ${object})
  expect_not("init_array|\\.ctors|\\.tdata|\\.tbss")
  string(REGEX MATCHALL "\\] \\.(data|bss)[^ ]* +(PROGBITS|NOBITS) +[0-9a-f]+ [0-9a-f]+ [0-9a-f]+" sections "${output}")
  foreach(section ${sections})
    if(NOT section MATCHES " 0+$" AND NOT section MATCHES "\\.data\\.rel\\.ro")
      message(FATAL_ERROR "${object} has a variable: ${section}")
    endif()
  endforeach()
endfunction()

# check_compiler(<name> <compiler> <link flag>...)
function(check_compiler name compiler)
  set(objects "")
  foreach(source ${sources} ${PROJECTS}/arm.cpp)
    get_filename_component(stem ${source} NAME_WE)
    set(object ${WORK}/${name}_${stem}.o)
    run(${compiler} -std=c++17 -O1 -fno-exceptions -fno-rtti -I ${WORK}/generated -I ${REPOSITORY}/runtime -c ${source}
        -o ${object})
    check_object(${object})
    list(APPEND objects ${object})
  endforeach()
  run(${compiler} ${objects} ${ARGN} -o ${WORK}/${name})
  run(${readelf} -d -W ${WORK}/${name})
  expect("NEEDED[^\n]*libc\\.so")
  expect_not("NEEDED[^\n]*(stdc|c\\+\\+)")
  run(${WORK}/${name})
  expect("arm: torque up to [1-9].*functions agree")
endfunction()

# g++ has had -nostdlib++ since version 13; naming the libraries says the same.
find_program(gxx g++)
if(gxx)
  check_compiler(gcc ${gxx} -nodefaultlibs -lm -lgcc -lc)
endif()
find_program(clangxx clang++)
if(clangxx)
  check_compiler(clang ${clangxx} -nostdlib++ -lm)
endif()
if(NOT gxx AND NOT clangxx)
  message(STATUS "SKIP: neither g++ nor clang++")
endif()
