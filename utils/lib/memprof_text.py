# memprof_text.py - MemProf's output for heap blocks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the text of -fmemory-profile with MEMPROF_OPTIONS=print_text=1."""
import collections
import os
import re

# accesses: summed over all blocks of a stack
Blocks = collections.namedtuple("Blocks", "accesses times size frames")


def read_blocks(text):
    """Blocks by the stack that allocated them; frames are 'file:line:col',
    innermost first, if they have a place. Blocks allocated by libraries, whose
    code has no places, are omitted."""
    counts = {}
    for match in re.finditer(
            r"stack id = (\d+)\n\talloc_count (\d+), size \(ave/min/max\) "
            r"([\d.]+) .*\n\taccess_count \(ave/min/max\): ([\d.]+)", text):
        stack, times, size, average = match.groups()
        counts[stack] = (float(average) * int(times), int(times), float(size))
    result = []
    for match in re.finditer(r"Stack for id (\d+):\n((?:    #.*\n)+)", text):
        frames = [os.path.normpath(path) + place for path, place in
                  re.findall(r" (/\S+?)(:\d+:\d+)$", match[2], re.M)]
        asked = re.findall(r"^    #1 .* (/\S+:\d+:\d+)$", match[2], re.M)
        if match[1] in counts and asked:
            result.append(Blocks(*counts[match[1]], frames))
    return result
