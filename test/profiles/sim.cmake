# Tests of the replay simulator; included by CMakeLists.txt in this folder.
foreach(test replay planned policy report shambles system direction bound last_level)
  add_executable(sim_${test}_test ${CMAKE_CURRENT_LIST_DIR}/sim_${test}_test.cpp)
  target_link_libraries(sim_${test}_test PRIVATE ek_simulator GTest::gtest_main)
  evenkeel_flags(sim_${test}_test)
  add_test(NAME profiles-sim-${test} COMMAND sim_${test}_test)
endforeach()

# Models and planners share no code with the judge, and the check can fail.
find_program(EVENKEEL_NM NAMES nm llvm-nm-19 llvm-nm REQUIRED)
if(TARGET ek_planner)
  add_test(NAME profiles-sim-link
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/sim_link_test.sh ${EVENKEEL_NM}
      $<TARGET_FILE:ek_simulator> $<TARGET_FILE:ek_planner>)
endif()
add_library(sim_link_offender STATIC
  ${CMAKE_CURRENT_LIST_DIR}/sim_link_offender.cpp)
target_include_directories(sim_link_offender PRIVATE ${PROJECT_SOURCE_DIR}/profiles)
evenkeel_flags(sim_link_offender)
add_test(NAME profiles-sim-link-catches
  COMMAND ${CMAKE_CURRENT_LIST_DIR}/sim_link_test.sh ${EVENKEEL_NM}
    $<TARGET_FILE:ek_simulator> $<TARGET_FILE:sim_link_offender>)
set_tests_properties(profiles-sim-link-catches PROPERTIES
  PASS_REGULAR_EXPRESSION "libsim_link_offender.a references libek_simulator.a")

# How long replay takes; by hand: build/.../bin/replay-bench [MILLIONS]
add_executable(replay-bench EXCLUDE_FROM_ALL
  ${CMAKE_CURRENT_LIST_DIR}/replay_bench.cpp)
target_link_libraries(replay-bench PRIVATE ek_simulator)
evenkeel_flags(replay-bench)
