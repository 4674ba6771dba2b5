# No CMake in the user's project: the generator and one command line of the compiler.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

run(${FEATHERLINE} generate ${ROBOTS}/arm6.urdf -o ${WORK}/generated --name arm --functions dynamics)
expect("rnea +[0-9]+ +[0-9]+")
file(GLOB sources ${WORK}/generated/*.cpp)
set(warnings -Wall -Wextra -Wconversion -Wshadow -Wpedantic)
run(${CXX} -std=c++17 -O2 ${warnings} -I ${WORK}/generated -I ${REPOSITORY}/runtime ${PROJECTS}/arm.cpp ${sources}
    -o ${WORK}/controller)
expect_not("warning")
run(${WORK}/controller)
expect("arm: torque up to [1-9].*functions agree")
