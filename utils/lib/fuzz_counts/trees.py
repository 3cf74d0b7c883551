# trees.py - the parts of random kernels
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as trees of statements, their arguments and inputs, and integer
expressions with the interval of their values.

Not here: how trees are generated (forms), and their C code (render).
"""
import dataclasses

# Arguments of each kernel, with the interval of their values on all inputs.
PARAMETERS = {"n": (-9, 29), "m": (-9, 23), "k": (1, 6), "d": (-7, 5),
              "w": (-70000, 70000)}
INPUTS = [
    {"n": 13, "m": 7, "k": 3, "d": 2, "w": 300},
    {"n": 0, "m": 5, "k": 1, "d": 4, "w": 256},
    {"n": 24, "m": 17, "k": 4, "d": 0, "w": 65541},
    {"n": 1, "m": 0, "k": 6, "d": 5, "w": -3},
    {"n": 29, "m": 23, "k": 2, "d": 3, "w": 65536},
    {"n": -9, "m": 12, "k": 3, "d": -7, "w": -70000},
    {"n": 11, "m": -4, "k": 5, "d": -2, "w": 7},
]
# Variables that kernels set: a local one, a global one, a struct's member and
# bit fields.
KEPT = {"z0": (-9, 29), "z1": (-9, 29), "s->z2": (-9, 29), "s->b5": (0, 31),
        "s->c4": (-8, 7)}
ROOM = 1 << 19  # elements of each array
MOST_ROUNDS = 400_000
WIDE = {"int": 31, "long": 63, "unsigned": 32, "size_t": 64}
NARROW = {"uint8_t": (0, 255), "int8_t": (-128, 127), "uint16_t": (0, 65535),
          "int16_t": (-32768, 32767)}
ELEMENTS = ["double", "long", "int", "float", "short", "int8_t"]
WHOLE = ELEMENTS[1:3]  # what one instruction adds to


@dataclasses.dataclass
class Value:
    """A C integer expression, and the range of its values."""
    text: str
    low: int
    high: int

    def __add__(self, other):
        other = other if isinstance(other, Value) else constant(other)
        if other.text == "0":
            return self
        return Value(f"({self.text} + {other.text})", self.low + other.low,
                     self.high + other.high)

    def __mul__(self, other):
        other = other if isinstance(other, Value) else constant(other)
        if other.text == "1":
            return self
        ends = [a * b for a in (self.low, self.high)
                for b in (other.low, other.high)]
        return Value(f"{self.text} * {other.text}", min(ends), max(ends))


def constant(number):
    return Value(str(number), number, number)


@dataclasses.dataclass
class Node:
    """A statement: kind, its text fields, and the statements inside."""
    kind: str
    fields: dict
    inside: list = dataclasses.field(default_factory=list)

    def copy(self):
        return Node(self.kind, dict(self.fields),
                    [node.copy() for node in self.inside])


@dataclasses.dataclass
class Array:
    name: str
    element: str
    where: str  # heap, static, stack
    volatile: bool
    index: bool = False # an index array
    member: bool = False  # a struct points to it
    sides: tuple = () # of an array declared as rows: their number and length


@dataclasses.dataclass
class Kernel:
    arrays: list
    body: list
    calls: int = 1 # number of calls from main, with permuted arguments
    inline: bool = False
    shared: bool = False  # its struct is a global one

    def copy(self):
        return Kernel(list(self.arrays), [node.copy() for node in self.body],
                      self.calls, self.inline, self.shared)
