# FileTable.cmake - tables made from the names of files
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# evenkeel_file_table(OUT TEMPLATE DECLARE ROW [!NAME...] FOLDER...)
# Makes a source from TEMPLATE (FILE.EXT.in). In it, @declared@ and @rows@ stand
# for one line per source of the folders: "DECLARE;" and "ROW", with NAME replaced
# by the source's name. Sources called !NAME are left out. OUT gets the path of
# the made source, and OUT_sources the sources of the folders.
# Why: a static library drops objects that nothing names. This names them, so
# that a new file is all that a new row takes.
function(evenkeel_file_table out template declare row)
  get_filename_component(made ${template} NAME_WLE)
  get_filename_component(ending ${made} LAST_EXT)
  set(declared "")
  set(rows "")
  set(all "")
  set(folders ${ARGN})
  list(FILTER folders EXCLUDE REGEX "^!")
  foreach(folder ${folders})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*${ending})
    foreach(source ${sources})
      get_filename_component(name ${source} NAME_WE)
      if("!${name}" IN_LIST ARGN)
        continue()
      endif()
      string(REPLACE NAME ${name} one "${declare}")
      string(APPEND declared "${one};\n")
      string(REPLACE NAME ${name} one "${row}")
      string(APPEND rows "${one}\n")
      list(APPEND all ${source})
    endforeach()
  endforeach()
  configure_file(${template} ${CMAKE_CURRENT_BINARY_DIR}/${made} @ONLY)
  set(${out} ${CMAKE_CURRENT_BINARY_DIR}/${made} PARENT_SCOPE)
  set(${out}_sources ${all} PARENT_SCOPE)
endfunction()
