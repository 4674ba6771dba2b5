# The Makefile and the C file that runtime/guide/in_firmware.md shows, as they stand there.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

find_program(cross_compiler arm-none-eabi-g++)
find_program(make make)
if(NOT cross_compiler OR NOT make)
  message(STATUS "SKIP: no arm-none-eabi-g++ or make; install gcc-arm-none-eabi, libstdc++-arm-none-eabi-newlib and make")
  return()
endif()

# extract(<file> <language>): the first block of the page in that language.
file(READ ${REPOSITORY}/runtime/guide/in_firmware.md page)
function(extract file language)
  string(FIND "${page}" "```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "runtime/guide/in_firmware.md has no block of ${language}")
  endif()
  string(SUBSTRING "${page}" ${begin} -1 rest)
  string(REGEX REPLACE "^```${language}\n" "" rest "${rest}")
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  file(WRITE ${WORK}/${file} "${block}")
endfunction()
extract(Makefile make)
extract(control.c c)

run(${FEATHERLINE} generate ${ROBOTS}/arm6.urdf -o generated --scalar float --c-api --quiet
    --functions rnea,gravity,mass_matrix)
run(${make} FEATHERLINE=${REPOSITORY})
expect_not("warning:")
run(arm-none-eabi-gcc -std=c99 -Wall -Wextra -Werror -mthumb -mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard
    -Igenerated -c control.c -o control.o)
run(arm-none-eabi-nm -u libarm6.a)
string(REGEX MATCHALL " U [^\n]+" symbols "${output}")
list(REMOVE_ITEM symbols " U memset")
if(symbols)
  message(FATAL_ERROR "runtime/guide/in_firmware.md says that memset is all of the C library; there is also${symbols}")
endif()
