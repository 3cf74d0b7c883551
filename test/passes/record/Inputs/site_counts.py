#!/usr/bin/env python3
# site_counts.py - instances of a profile in order of creation, with accesses
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints for each instance: "N. site SITE#ORDINAL bytes B reads R writes W";
# sites are numbered in the order in which they appear.
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
sites = {}
rows = db.execute(
    'select i."row", i.site, i.ordinal, i.bytes, coalesce(sum(a.reads), 0),'
    ' coalesce(sum(a.writes), 0) from inst i left join access a on'
    ' a.inst = i."row" group by i."row" order by i."row"')
for n, (_, site, ordinal, size, reads, writes) in enumerate(rows, 1):
    number = sites.setdefault(site, len(sites) + 1)
    print(f"{n}. site {number}#{ordinal} bytes {size} reads {reads}"
          f" writes {writes}")
