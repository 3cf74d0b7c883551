# Tests of replay on a required tier; included by CMakeLists.txt above.
foreach(test pools graph streams policies recorded)
  add_executable(required_${test}_test
    ${CMAKE_CURRENT_LIST_DIR}/${test}_test.cpp)
  target_link_libraries(required_${test}_test PRIVATE ek_required
    GTest::gtest_main)
  target_include_directories(required_${test}_test PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/..)
  evenkeel_flags(required_${test}_test)
  add_test(NAME profiles-required-${test} COMMAND required_${test}_test)
endforeach()
