# ProviderTable.cmake - the table of the kinds of memory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# evenkeel_provider_table(OUT FOLDER...): OUT gets the names of sources: the
# providers of the folders, one file each, and a generated one that defines
# ek_providers (runtime/providers/provider.h) over them, by the names of the
# files. A file NAME.c defines `ek_provider_NAME`; provider.c is none of them.
function(evenkeel_provider_table out)
  set(declared "")
  set(listed "")
  set(all "")
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
    foreach(source ${sources})
      get_filename_component(name ${source} NAME_WE)
      if(name STREQUAL "provider")
        continue()
      endif()
      string(APPEND declared "extern const ek_provider ek_provider_${name};\n")
      string(APPEND listed "    &ek_provider_${name},\n")
      list(APPEND all ${source})
    endforeach()
  endforeach()
  set(table ${CMAKE_CURRENT_BINARY_DIR}/provider_table.c)
  file(WRITE ${table}.new
"/* Made by ProviderTable.cmake from the names of files. */
#include \"providers/provider.h\"

${declared}
const ek_provider *const ek_providers[] = {
${listed}    0,
};
")
  configure_file(${table}.new ${table} COPYONLY)
  set(${out} ${all} ${table} PARENT_SCOPE)
endfunction()
