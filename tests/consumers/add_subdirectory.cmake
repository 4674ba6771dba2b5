include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/add_subdirectory ${WORK}/build -DREPOSITORY=${REPOSITORY})
build(${WORK}/build --target controller)
run(${WORK}/build/controller)
expect("arm: torque up to [1-9].*functions agree")
