# Run by cpack between installation and packing. Adds what Debian asks of a package and nobody else misses: copyright
# and changelogs in their places, and a manual page made of the program's own --help.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

if(CPACK_FEATHERLINE_FLAGS MATCHES "-m(arch|cpu)=native|-fsanitize")
  message(FATAL_ERROR "cpack: this build has the flags ${CPACK_FEATHERLINE_FLAGS}, and a package is for all machines; "
                      "use the preset release")
endif()
foreach(program dpkg-shlibdeps file)  # without the first, cpack would leave out the dependencies and not say so
  find_program(path_of_${program} ${program})
  if(NOT path_of_${program})
    message(FATAL_ERROR "cpack: there is no ${program}; install the packages dpkg-dev and file")
  endif()
endforeach()

set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
file(GLOB foreign ${usr}/lib/python*/site-packages ${usr}/local)
if(foreign)
  message(FATAL_ERROR "cpack: the Python module is for another interpreter than Debian's, which does not look into "
                      "${foreign}; configure with -DPython3_EXECUTABLE=/usr/bin/python3")
endif()
set(documents ${usr}/share/doc/${CPACK_PACKAGE_NAME})

# compress(<file>): as Debian does it, the same bytes each time.
function(compress file)
  execute_process(COMMAND gzip -9 -n ${file} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${file}.gz PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

file(GLOB_RECURSE modules ${usr}/lib/python3/*.so)
execute_process(COMMAND strip --strip-unneeded --remove-section=.comment --remove-section=.note
                        ${usr}/bin/featherline ${modules} COMMAND_ERROR_IS_FATAL ANY)

file(WRITE ${usr}/share/lintian/overrides/${CPACK_PACKAGE_NAME}
     "# The Python module is a part that not everyone wants: numpy is recommended.\nmissing-dependency-on-numpy-abi\n")

file(RENAME ${usr}/share/doc/Featherline ${documents})
file(RENAME ${documents}/LICENSE ${documents}/copyright)

file(COPY_FILE ${CPACK_FEATHERLINE_SOURCE}/CHANGELOG.md ${documents}/changelog)
compress(${documents}/changelog)
file(TIMESTAMP ${CPACK_FEATHERLINE_SOURCE}/CHANGELOG.md date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documents}/changelog.Debian
     "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
     "  * See changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
compress(${documents}/changelog.Debian)

# help(<result> <command>...): what `featherline <command>... --help` prints, as text that man leaves as it is.
function(help result)
  execute_process(COMMAND ${usr}/bin/featherline ${ARGN} --help OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "\n([.'])" "\n\\\\&\\1" text "\n${text}")
  set(${result} "\n.nf${text}.fi\n" PARENT_SCOPE)
endfunction()

help(description)
string(CONCAT page ".TH FEATHERLINE 1 \"\" \"featherline ${CPACK_PACKAGE_VERSION}\"\n"
              ".SH NAME\nfeatherline \\- ${CPACK_PACKAGE_DESCRIPTION_SUMMARY}\n.SH DESCRIPTION${description}")
foreach(command generate inspect check tune compare)
  help(text ${command})
  string(TOUPPER ${command} title)
  string(APPEND page ".SH ${title}${text}")
endforeach()
file(WRITE ${usr}/share/man/man1/featherline.1 "${page}")
compress(${usr}/share/man/man1/featherline.1)
