# Name, control fields and files of the package; nothing in it knows where it was built.
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)

file(GLOB package ${PACKAGES}/*.deb)
run(dpkg --print-architecture)
string(STRIP "${output}" architecture)
if(NOT package STREQUAL "${PACKAGES}/featherline_${VERSION}-1_${architecture}.deb")
  message(FATAL_ERROR "unexpected name: ${package}")
endif()

run(${dpkg_deb} --field ${package})
foreach(field "Package: featherline\n" "Version: ${VERSION}-1\n" "Maintainer: [^\n]+ <[^\n]+@[^\n]+>\n"
        "Depends: [^\n]*libc6 [^\n]*libtinyxml2" "Recommends: g\\+\\+ [^\n]*cmake, [^\n]*python3-numpy")
  expect("(^|\n)${field}")
endforeach()

set(root ${WORK}/root)
run(${dpkg_deb} --extract ${package} ${root})
foreach(file bin/featherline include/featherline/version.hpp lib/cmake/Featherline/FeatherlineConfig.cmake
        lib/python3/dist-packages/featherline/__init__.py share/man/man1/featherline.1.gz
        share/doc/featherline/changelog.gz share/doc/featherline/changelog.Debian.gz)
  if(NOT EXISTS ${root}/usr/${file})
    message(FATAL_ERROR "the package has no /usr/${file}")
  endif()
endforeach()
file(READ ${root}/usr/share/doc/featherline/copyright copyright)
file(READ ${REPOSITORY}/LICENSE licence)
if(NOT copyright STREQUAL licence)
  message(FATAL_ERROR "/usr/share/doc/featherline/copyright is not LICENSE:\n${copyright}")
endif()
run(gzip -dc ${root}/usr/share/man/man1/featherline.1.gz)
foreach(command generate inspect check)
  string(TOUPPER ${command} title)
  expect("\n\\.SH ${title}\n\\.nf\n[^\n]+\nUsage: featherline ${command} ")
endforeach()

# Compilers keep longer strings in pieces of 16 bytes.
foreach(folder ${REPOSITORY} ${FEATHERLINE_BUILD})
  string(SUBSTRING ${folder}/ 0 16 beginning)
  execute_process(COMMAND grep -rlaF ${beginning} . WORKING_DIRECTORY ${root} OUTPUT_VARIABLE found)
  if(found)
    message(FATAL_ERROR "${beginning}, a part of the path that the package was built in, is in\n${found}")
  endif()
endforeach()

# The program finds its headers wherever the tree lies.
run(${root}/usr/bin/featherline check ${ROBOTS}/arm6.urdf --functions rnea)
expect("rnea")
