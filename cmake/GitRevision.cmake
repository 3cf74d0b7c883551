# GitRevision - writes OUT with the revision of SOURCE, "+" when it is dirty.
# Run with cmake -P at every build; touches OUT only when the text changes.
set(revision "unknown")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE rc)
  if(rc EQUAL 0)
    execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain
      OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(revision ${head})
    if(changes)
      string(APPEND revision "+")
    endif()
  endif()
endif()
# A copy without .git, such as utils/make-debs builds, is told.
if(revision STREQUAL "unknown" AND DEFINED ENV{EVENKEEL_REVISION})
  set(revision "$ENV{EVENKEEL_REVISION}")
endif()
set(text "#define EVENKEEL_REVISION \"${revision}\"\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
