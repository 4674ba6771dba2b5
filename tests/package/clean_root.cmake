# What a user does after `apt install ./featherline.deb` on a small Debian: the package is installed by dpkg, which checks
# its dependencies, where nothing is but what the package asks for (clean_root.py). There its program runs, a project
# finds, builds and uses it, and Python loads a robot. At the end the package goes and leaves nothing.
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)

find_program(python python3)
find_program(chroot chroot PATHS /usr/sbin)
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT user EQUAL 0 OR NOT python OR NOT chroot)
  message(STATUS "SKIP: needs root, python3 and chroot, to install into a folder and to work there")
  return()
endif()

file(GLOB package ${PACKAGES}/*.deb)
set(root ${WORK}/root)
run(${python} ${CMAKE_CURRENT_LIST_DIR}/clean_root.py ${root} ${package})
file(COPY_FILE ${package} ${root}/featherline.deb)
file(COPY ${PROJECTS}/find_package ${PROJECTS}/arm.cpp ${PROJECTS}/agreement.hpp ${ROBOTS}/arm6.urdf
     DESTINATION ${root}/home/user)

# inside(<command>...): runs it in the clean root, with nothing of this environment.
function(inside)
  run(${chroot} ${root} /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user ${ARGV})
  set(output "${output}" PARENT_SCOPE)
endfunction()

inside(dpkg --install /featherline.deb)
inside(featherline --version)
expect("^featherline ${VERSION}\n")
inside(cmake -S /home/user/find_package -B /home/user/build -G Ninja -DCMAKE_BUILD_TYPE=Release
       -DROBOT=/home/user/arm6.urdf)
inside(cmake --build /home/user/build --verbose)
expect("/usr/bin/featherline generate")
inside(/home/user/build/controller)
expect("arm: torque up to [1-9].*functions agree")

inside(python3 -c "import featherline
robot = featherline.load('/home/user/arm6.urdf', functions=['rnea'])
print(featherline.__file__, robot.rnea(robot.neutral, [0.0] * robot.nv, [0.0] * robot.nv))")
expect("/usr/lib/python3/dist-packages/featherline/__init__.py \\[ *[-0-9.e]+")

inside(dpkg --purge featherline)
run(find ${root}/usr -name *eatherline*)
expect_not(".")
file(REMOVE_RECURSE ${root})  # hundreds of megabytes
