# mechanism.sh MECHANISM NEEDS COMMAND...: what `record --pages` does by a
# mechanism: a record, where the kernel offers it; else one line with NEEDS,
# status 2 and no record, and the program is not started.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
by=$1 needs=$2
shift 2
rm -f by.json
"$@" record --pages --overhead 20% --mechanism "$by" -o by.json -- ./mixed >by.out 2>by.err
status=$?
if [ $status = 0 ]; then
  cmp mixed.plain by.out && grep -q "\"mechanism\": \"$by\"" by.json
  exit
fi
cat by.err
[ ! -s by.out ] && [ $status = 2 ] && [ ! -e by.json ] && [ "$(wc -l <by.err)" = 1 ] &&
  grep -q "does not offer $by: it needs .*$needs" by.err
