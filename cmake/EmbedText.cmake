# EmbedText - writes OUT, a header with the text of each FILES entry
# NAME=PATH as a constant. Run with cmake -P.
set(text "// Made by cmake/EmbedText.cmake.\n#include <string>\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([^=]+)=(.*)$" found "${entry}")
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" content)
  string(APPEND text
    "static const std::string ${name} = R\"ek-text(${content})ek-text\";\n")
endforeach()
file(WRITE "${OUT}" "${text}")
