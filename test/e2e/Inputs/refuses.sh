#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# refuses.sh PATTERN OUTPUT COMMAND...: the command must end with status 2, say
# exactly one line on stderr that begins `evenkeel: error: ` and holds PATTERN
# (extended regular expression), and leave OUTPUT as it was: absent stays
# absent, a file keeps its bytes, and nothing appears beside it.
pattern=$1 output=$2
shift 2
folder=$(dirname "$output")
before=$(ls -a "$folder"; cat "$output" 2>/dev/null)
said=$("$@" 2>&1 >/dev/null)
status=$?
after=$(ls -a "$folder"; cat "$output" 2>/dev/null)
[ "$status" -eq 2 ] || { echo "status $status, not 2: $said"; exit 1; }
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || { echo "not one line: $said"; exit 1; }
case $said in
"evenkeel: error: "*) ;;
*) echo "no error line: $said"; exit 1 ;;
esac
printf '%s\n' "$said" | grep -Eq "$pattern" || { echo "'$said' does not match '$pattern'"; exit 1; }
[ "$before" = "$after" ] || { echo "something was written"; exit 1; }
printf '%s\n' "$said"
