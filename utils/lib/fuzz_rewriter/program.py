# program.py - one generated program, as data
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: nothing about generating or checking programs.
# Makes: the type that generators fill and the check reads.


class Program:
    """Files by name; the units among them in link order, each with its flags."""

    def __init__(self, cxx):
        self.cxx = cxx
        self.files = {}
        self.units = []  # (name, [flag, ...])
        self.link = []
        self.blocks = 0  # pieces of allocating code, for the tally

    def add(self, name, text, flags=None):
        self.files[name] = text
        if flags is not None:
            self.units.append((name, flags))
