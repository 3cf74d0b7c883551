#!/bin/sh
#===- sim_link_test.sh - two archives share no code -----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# sim_link_test.sh NM A.a B.a: fails when one archive refers to a strong symbol
# that the other defines, or when both define the same strong symbol. Weak
# symbols (inline functions of the format headers and of the C++ library) come
# from headers below both and are no code of either; so does what
# AddressSanitizer adds to every archive.
#===----------------------------------------------------------------------===#
set -eu
LC_ALL=C; export LC_ALL
nm=$1 a=$2 b=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# $2: the symbol types wanted, as nm prints them.
symbols() {
  "$nm" --format=posix --extern-only "$1" 2>/dev/null |
    awk -v types="$2" 'NF >= 2 && index(types, $2) && $1 !~ /^___asan_/ { print $1 }' | sort -u
}
status=0
for side in a b; do
  eval archive=\$$side
  symbols "$archive" TDBRSC >"$dir/$side.defined"
  symbols "$archive" U >"$dir/$side.undefined"
  test -s "$dir/$side.defined" || { echo "no symbols in $archive"; exit 2; }
done
complain() { # verb, file of names
  test -s "$2" || return 0
  status=1
  while read -r name; do echo "$1: $name"; done <"$2"
}
comm -12 "$dir/a.undefined" "$dir/b.defined" >"$dir/out"
complain "$(basename "$a") references $(basename "$b")" "$dir/out"
comm -12 "$dir/b.undefined" "$dir/a.defined" >"$dir/out"
complain "$(basename "$b") references $(basename "$a")" "$dir/out"
comm -12 "$dir/a.defined" "$dir/b.defined" >"$dir/out"
complain "both define" "$dir/out"
test $status -ne 0 || echo "$(basename "$a") and $(basename "$b") share no code"
exit $status
