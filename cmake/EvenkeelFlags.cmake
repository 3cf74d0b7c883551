# EvenkeelFlags - warning and sanitizer flags, one function for every target.
#
# evenkeel_flags(target [HOSTED])
#   HOSTED: the target is loaded into somebody else's process (clang, opt, an
#   instrumented program) that is not built with sanitizers, so it gets none.
function(evenkeel_flags target)
  cmake_parse_arguments(ARG "HOSTED" "" "" ${ARGN})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  if(EVENKEEL_DEVELOPER_MODE)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(EVENKEEL_SANITIZE AND NOT ARG_HOSTED)
    target_compile_options(${target} PRIVATE -fsanitize=${EVENKEEL_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${EVENKEEL_SANITIZE})
  endif()
endfunction()
