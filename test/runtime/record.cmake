# The recorder's tests; included by CMakeLists.txt.
add_subdirectory(record)
