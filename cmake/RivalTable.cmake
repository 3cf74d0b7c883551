# RivalTable.cmake - the table of the papers' planners
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# evenkeel_rival_table(OUT FOLDER...): OUT gets the name of a source that defines
# allRivals() (profiles/planner/Registry.h) over the sources of the folders. A
# static library drops objects that nothing names, so something has to name
# them: this does, by the names of their files.
function(evenkeel_rival_table out)
  set(declared "")
  set(listed "")
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    foreach(source ${sources})
      get_filename_component(name ${source} NAME_WE)
      string(APPEND declared "extern const RivalPlanner ${name};\n")
      string(APPEND listed "      &rivals::${name},\n")
    endforeach()
  endforeach()
  set(table ${CMAKE_CURRENT_BINARY_DIR}/RivalTable.cpp)
  file(WRITE ${table}.new
"// Made by RivalTable.cmake from the names of files.
#include \"planner/Registry.h\"
#include <algorithm>
#include <cstring>

namespace evenkeel {
namespace rivals {
${declared}} // namespace rivals

std::vector<const RivalPlanner *> allRivals() {
  std::vector<const RivalPlanner *> All = {
${listed}  };
  std::sort(All.begin(), All.end(), [](auto *A, auto *B) {
    return std::strcmp(A->Name, B->Name) < 0;
  });
  return All;
}
} // namespace evenkeel
")
  configure_file(${table}.new ${table} COPYONLY)
  set(${out} ${table} PARENT_SCOPE)
endfunction()
