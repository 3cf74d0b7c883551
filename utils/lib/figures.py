# figures.py - a table of measured figures: printed as it grows, and kept as JSON
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every benchmark of utils/ shows: columns with names, rows of text.

The document that write() makes has the schema `evenkeel.figures/1`:
  columns   names
  names     how many columns at the left name a row; the others are figures
  rows      lists of text, a cell for each column
utils/make-results keeps it and makes tables of it."""
import json


class Figures:
    """Columns are at least as wide as their names, and as \\p widths, from the left."""

    def __init__(self, columns, widths=None, names=1):
        self.columns, self.names, self.rows = list(columns), names, []
        widths = list(widths or []) + [0] * len(self.columns)
        self.widths = [max(len(c), w) for c, w in zip(self.columns, widths)]
        self._print(self.columns)

    def add(self, *cells):
        """Prints one row; missing cells at its end are empty."""
        self.rows.append([str(c) for c in cells] + [""] * (len(self.columns) - len(cells)))
        self._print(self.rows[-1])

    def write(self, path):
        """Writes the document to \\p path; nothing without one."""
        if path:
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"schema": "evenkeel.figures/1", "columns": self.columns, "names": self.names,
                           "rows": self.rows}, f, indent=1)
                f.write("\n")

    def _print(self, cells):
        print("  ".join(c.ljust(w) if i < self.names else c.rjust(w)
                        for i, (c, w) in enumerate(zip(cells, self.widths))).rstrip(), flush=True)
