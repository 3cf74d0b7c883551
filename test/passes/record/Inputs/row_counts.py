#!/usr/bin/env python3
# row_counts.py - look-ups of rows in a profile
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints for each region and table, in order of the table's first byte count:
# "rows of B bytes from F: L look-ups, error E, hottest ROW:COUNT ...".
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
for table, size, first, lookups, error in db.execute(
        "select id, row_bytes, first, lookups, error from row_table"
        " order by row_bytes, lookups"):
    hottest = db.execute(
        'select "row", lookups, over from row_count where of = ?'
        ' order by lookups desc, "row" limit 3', (table,)).fetchall()
    assert all(over <= error for _, _, over in hottest)
    print(f"rows of {size} bytes from {first}: {lookups} look-ups,"
          f" error {error}, hottest",
          " ".join(f"{row}:{count}" for row, count, _ in hottest))
