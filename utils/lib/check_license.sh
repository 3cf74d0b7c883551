#!/usr/bin/env bash
# check_license.sh - every source has a licence line, and REUSE finds one for each file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Test inputs are exempt, because a header would move the lines under test:
# below test/, only unit tests and drivers are checked. REUSE.toml covers files
# that cannot contain a licence; `reuse lint` runs if it is installed.
cd "$(dirname "$0")/../.." || exit 2
# REUSE-IgnoreStart
line='SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'
# REUSE-IgnoreEnd
missing=0
while IFS= read -r file; do
  head -n 6 "$file" | grep -q "$line" && continue
  echo "no licence line in the first six lines: $file"
  missing=1
done < <(git ls-files -- '*.h' '*.c' '*.cpp' '*.def' '*.py' '*.sh' 'utils/check' 'utils/quickstart' \
  'utils/main-job' 'utils/fuzz-rewriter' 'utils/fuzz-counts' 'utils/check-debian-packages' 'utils/check-counts' 'utils/check-workload-counts' 'utils/install-packages' 'utils/wrappers/*' .ci/run ':!test/**/*.c' ':!test/**/*.cpp' \
  ':!test/**/*.h' ':!test/lit.cfg.py')
# utils/install-packages puts it here; Debian 12's is too old to read REUSE.toml.
if reuse=$(PATH="$PWD/build/unpacked/python/bin:$PATH" command -v reuse); then
  "$reuse" --no-multiprocessing lint --quiet || { "$reuse" --no-multiprocessing lint --lines; missing=1; }
fi
exit $missing
