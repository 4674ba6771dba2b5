# The sources come from FETCHCONTENT_SOURCE_DIR_FEATHERLINE, the generator that is built already from
# FEATHERLINE_EXECUTABLE, so this tree must not build another one.
include(${CMAKE_CURRENT_LIST_DIR}/support.cmake)

configure(${PROJECTS}/fetch_content ${WORK}/build -DFETCHCONTENT_SOURCE_DIR_FEATHERLINE=${REPOSITORY}
          -DFEATHERLINE_EXECUTABLE=${FEATHERLINE} -DROBOTS=${ROBOTS})
build(${WORK}/build --target controller)
expect_not("featherline_model")
run(${WORK}/build/controller)
expect("arm: torque up to [1-9].*functions agree")
