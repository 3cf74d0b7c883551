# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# other-program.py IN OUT: the same file with every site's id changed, as if it
# came from another program.
import re
import sys

text = open(sys.argv[1]).read()
changed = re.sub(r'"(id|site)": "([0-9a-f]{16})"',
                 lambda m: f'"{m[1]}": "{int(m[2], 16) ^ 1:016x}"', text)
assert changed != text
open(sys.argv[2], "w").write(changed)
