# forms.py - random kernels, as trees
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates kernels: loops over narrow and wide counters, up and down, triangles,
conditions, choices and switches, early exits, calls, sizes that change or are
negative, indices by modulo, mask and cast; OpenMP constructs (teams) and
data-dependent accesses (data).

A kernel is a tree of nodes; render turns it into C, and shrink reduces it. Every
integer expression has the interval of its values, so that loops end and indices
stay inside arrays for all inputs.

Not here: what is counted or compared.
"""
import random

from fuzz_counts.data import ByData
from fuzz_counts.teams import Teams
from fuzz_counts.trees import (
    ELEMENTS, KEPT, MOST_ROUNDS, NARROW, PARAMETERS, WHOLE, WIDE, Array, Kernel,
    Node, Value, constant)


class Drawing(Teams, ByData):
    """A kernel being generated."""

    def __init__(self, seed, forms):
        self.draw = random.Random(seed)
        self.forms = forms
        self.arrays, self.names = [], 0
        self.volatile = self.draw.random() < 0.6
        self.parallel = False  # inside a team
        self.deepest = self.draw.choice((1, 2, 2, 3))

    def chance(self, share):
        return self.draw.random() < share

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def array(self, index=False):
        """Usually a new array for each access, so that its rows are this access's."""
        known = [a for a in self.arrays if not a.index and not a.sides]
        if known and not index and self.chance(0.25):
            return self.draw.choice(known)
        where = self.draw.choices(("heap", "static", "stack"), (90, 6, 4))[0]
        # A stack array has old contents: it must not decide branches.
        if where == "stack" and (index or any(a.where == "stack"
                                              for a in self.arrays)):
            where = "heap"
        element = "int" if index else "int8_t" if where == "stack" else \
            self.draw.choice(ELEMENTS)
        array = Array(f"a{len(self.arrays)}", element, where, self.volatile,
                      index)
        array.member = where == "heap" and self.chance(0.08)
        self.arrays.append(array)
        return array

    # -- expressions ------------------------------------------------------

    def size(self, scope):
        """A loop bound of the program: small, and possibly negative."""
        pick = self.draw.random()
        small = [v for v in scope if -64 <= v.low and v.high <= 64]
        if pick < 0.5 or not small:
            return self.draw.choice(small or [constant(7)])
        base = self.draw.choice(small)
        if pick < 0.6:
            return base + self.draw.choice((1, 2, 3, -1, -2))
        if pick < 0.65:
            by = self.draw.choice((2, 3))
            return Value(f"({base.text} / {by})", int(base.low / by),
                         int(base.high / by))
        if pick < 0.68:
            return self.part(base)
        other = self.draw.choice(small)
        if pick < 0.71:
            return Value(f"({self.condition(scope)} ? {base.text} : "
                         f"{other.text})", min(base.low, other.low),
                         max(base.high, other.high))
        if pick < 0.8:
            return Value(f"({base.text} - {other.text})", base.low - other.high,
                         base.high - other.low)
        if pick < 0.9:
            which = self.draw.choice(("MIN", "MAX"))
            of = min if which == "MIN" else max
            return Value(f"{which}({base.text}, {other.text})",
                         of(base.low, other.low), of(base.high, other.high))
        return constant(self.draw.choice((1, 3, 4, 8, 10)))

    def part(self, base):
        """The part of a number after a shift, a remainder or a mask."""
        by = self.draw.choice((1, 2, 3))
        pick = self.draw.random()
        if pick < 0.4:
            return Value(f"({base.text} >> {by})", base.low >> by,
                         base.high >> by)
        if pick < 0.8:
            return Value(f"({base.text} % {by + 2})", -by - 1, by + 1)
        return Value(f"({base.text} & {(1 << by + 1) - 1})", 0,
                     (1 << by + 1) - 1)

    def index(self, scope, rounds):
        """An index that depends on the enclosing loops, never negative."""
        moving = [v for v in scope if v.text in rounds]
        moving = self.draw.sample(moving, min(len(moving), self.draw.choice(
            (1, 1, 2, 3))))
        factors = [self.draw.choice((1, 1, 1, 1, 2, 3, 5, -1, -2))
                   for _ in moving]
        if all(v.low >= 0 for v in moving) and min(factors, default=1) > 0:
            moving = [Value(v.text.removeprefix("(long)"), v.low, v.high)
                      for v in moving]
        value = None
        for v, factor in zip(moving, factors):
            term = v * factor
            value = term if value is None else value + term
        if value is None:
            return constant(self.draw.randrange(8))
        pick = self.draw.random()
        if pick < 0.06:
            bits = self.draw.choice((1, 3, 7))
            value = Value(f"({value.text} & {bits})", 0, bits)
        elif pick < 0.1 and value.low >= 0:
            value = Value(f"{value.text} % k" if value.text.isalnum() else
                          f"({value.text}) % k", 0, PARAMETERS["k"][1])
        elif pick < 0.14:
            cast = self.draw.choice(("uint8_t", "uint16_t"))
            value = Value(f"({cast})({value.text})", *NARROW[cast])
        if value.low < 0:
            value = value + -value.low
        return value

    def condition(self, scope):
        ints = [v for v in scope if -70000 <= v.low and v.high <= 70000]
        a, b = self.draw.choice(ints), self.draw.choice(ints)
        pick = self.draw.random()
        if pick < 0.3:
            return f"{a.text} {self.draw.choice(('<', '<=', '>', '>='))} " \
                   f"{b.text if b is not a else self.draw.randrange(9)}"
        if pick < 0.5:
            return f"{a.text} {self.draw.choice(('==', '!='))} " \
                   f"{self.draw.choice((b.text, '0', '2', '5'))}"
        if pick < 0.7:
            by = self.draw.choice((2, 3, 4))
            return f"{a.text} % {by} {self.draw.choice(('==', '!='))} " \
                   f"{self.draw.randrange(by)}"
        if pick < 0.8:
            return f"({a.text} & {self.draw.choice((1, 2, 3, 4))})"
        parts = self.condition(scope), self.condition(scope)
        return self.draw.choice(("({} && {})", "({} || {})")).format(*parts)

    # -- statements -------------------------------------------------------

    def access(self, scope, rounds):
        kind = self.draw.choice(("read", "read", "write", "update"))
        if self.chance(0.06):
            return self.grid(scope, rounds)
        if self.chance(0.06):
            return Node("choice", {
                "test": self.condition(scope), "array": self.array().name,
                "index": self.index(scope, rounds).text,
                "other": self.array().name,
                "place": self.index(scope, rounds).text})
        array = self.array()
        if array.element in WHOLE and self.chance(0.06):
            kind = self.draw.choice(("added", "taken", "put"))
        return Node(kind, {"array": array.name,
                           "index": self.index(scope, rounds).text})

    def grid(self, scope, rounds):
        """An array used as rows whose width is known only at run time."""
        some = self.draw.choice(scope).text
        width = self.draw.choice((Value("k", *PARAMETERS["k"]), constant(3),
                                  Value(f"({some} & 15) + 1", 1, 16)))
        row = self.draw.choice([v for v in scope if v.text in rounds] or
                               [constant(2)])
        if row.low < 0:
            row = row + -row.low
        if row.high > 20_000:
            row = Value(f"({row.text} & 63)", 0, 63)
        return Node("grid", {"array": self.array().name, "width": width.text,
                             "row": row.text,
                             "index": self.index(scope, rounds).text})

    def header(self, scope, simple):
        """Fields of a loop, and its counter."""
        t = self.draw.choice(list(WIDE))
        v = self.name("i")
        pick = self.draw.random()
        if not simple and pick < 0.2 and "narrow" in self.forms:
            return self.narrow(scope, v)
        if simple and pick < 0.1 and "narrow" in self.forms:
            return self.dealt(scope, v)
        if not simple and pick < 0.25:
            return self.geometric(scope, v)
        if not simple and pick < 0.31:
            return self.emptied(scope, v)
        step = self.draw.choice((1, 1, 1, 1, 2, 3))
        if "step" in self.forms and not simple and self.chance(0.1):
            step = "k"
        start = constant(0) if self.chance(0.6) else self.size(scope)
        bound = self.size(scope)
        if t in ("unsigned", "size_t"): # a negative value would become huge
            start, bound = (Value(f"MAX(0, {x.text})", 0, max(0, x.high))
                            if x.low < 0 else x for x in (start, bound))
        low, high = min(start.low, bound.low), max(start.high, bound.high) + 6
        if self.chance(0.75):
            unsigned = t in ("unsigned", "size_t")
            to = f"({t}){bound.text}" if unsigned else bound.text
            also = "" if simple or self.chance(0.92) else self.draw.choice((
                f" && {v} != {self.draw.choice(('k', '3', '5'))}",
                f" && {self.condition(scope)}"))
            return {"type": t, "counter": v, "start": start.text, "test":
                    f"{v} {self.draw.choice(('<', '<', '<', '<='))} {to}{also}",
                    "next": f"{v}++" if step == 1 else f"{v} += {step}"}, \
                Value("(long)" * unsigned + v, low, high)
        if t in ("unsigned", "size_t"):
            t = "long"
        return {"type": t, "counter": v, "start": f"{bound.text} - 1",
                "test": f"{v} {self.draw.choice(('>=', '>'))} {start.text}",
                "next": f"{v}--" if step == 1 else f"{v} -= {step}"}, \
            Value(v, low - 7, high)

    def narrow(self, scope, v):
        t = self.draw.choice(list(NARROW))
        if t.endswith("16_t") and self.depth:
            t = t.replace("16", "8")
        low, high = NARROW[t]
        base = self.draw.choice([x for x in scope if x.text in PARAMETERS] or
                                [constant(9)])
        start = 0 if self.chance(0.6) else self.draw.choice((1, 5, high - 3))
        test = f"{v} != ({t}){base.text}"
        plus = f"{v}++"
        if self.chance(0.4):
            test, plus = f"{v} < ({t})({base.text} & 63)", f"{v} += 3"
        elif self.chance(0.3):
            test, plus = f"{v} != ({t}){base.text}", f"{v}--"
        return {"type": t, "counter": v, "start": str(start), "test": test,
                "next": plus}, Value(v, low, high)

    def dealt(self, scope, v):
        """A narrow counter as OpenMP permits it: it must not wrap around."""
        t = self.draw.choice(list(NARROW))
        if self.depth:
            t = t.replace("16", "8")
        high = NARROW[t][1]
        base = self.draw.choice([x for x in scope if x.text in PARAMETERS] or
                                [constant(9)])
        step = self.draw.choice((1, 1, 2))
        return {"type": t, "counter": v, "start": "0", "test":
                f"{v} < ({t}){base.text}", "next": f"{v} += {step}"}, \
            Value(v, 0, high + step)

    def geometric(self, scope, v):
        bound = self.size(scope)
        if self.chance(0.5):
            by = self.draw.choice((2, 2, 3, 4))
            up = f"{v} <<= 1" if by == 2 and self.chance(0.3) else \
                f"{v} *= {by}"
            start = self.draw.choice((1, 1, 2, 5))
            return {"type": "long", "counter": v, "start": str(start), "test":
                    f"{v} {self.draw.choice(('<', '<='))} {bound.text}",
                    "next": up}, Value(v, 1, by * max(start, bound.high))
        down = self.draw.choice(("/= 2", "/= 2", "/= 3", ">>= 1", ">>= 2"))
        return {"type": "long", "counter": v, "start": bound.text, "test":
                f"{v} > {self.draw.choice((0, 0, 1, 3))}",
                "next": f"{v} {down}"}, \
            Value(v, min(0, bound.low), max(0, bound.high))

    def emptied(self, scope, v):
        """A counter that runs down to 0, usually unsigned."""
        bound = self.size(scope)
        t = self.draw.choice(("unsigned", "size_t", "uint8_t", "long"))
        high = max(0, bound.high)
        test, plus = self.draw.choice((
            (f"{v}-- > 0", ""), (f"{v} > 0", f"{v}--"), (f"{v} != 0", f"--{v}"),
            (v, f"{v}--"), (f"{v} > 1", f"{v} -= 2")))
        if test == f"{v}-- > 0" and self.chance(0.2):
            test = f"{v}-- != 0"
        # With the test at the end, it would wrap around at 0.
        return {"type": t, "counter": v, "start": f"MAX(0, {bound.text})",
                "test": test, "next": plus, "style": "while"}, \
            Value("(long)" * (t in ("unsigned", "size_t")) + v, 0, high)

    def loop(self, scope, rounds, simple=False, pragma=""):
        fields, counter = self.header(scope, simple)
        fields["pragma"] = pragma
        styles = ("for", "while", "do") if "style" not in fields else \
            ("for", "while")
        fields["style"] = "for" if simple or pragma else self.draw.choices(
            styles, (80, 12, 8)[:len(styles)])[0]
        self.depth += 1
        self.rounds *= counter.high - counter.low
        self.work = max(self.work, self.rounds)
        inside = self.block([*scope, counter], rounds | {counter.text})
        self.rounds //= counter.high - counter.low
        self.depth -= 1
        if not simple and not pragma and self.chance(0.08):
            inside.insert(self.draw.randrange(len(inside) + 1), Node(
                "break", {"test": self.condition([*scope, counter])}))
        elif fields["style"] == "for" and self.chance(0.08):
            inside.insert(self.draw.randrange(len(inside)), Node(
                "continue", {"test": self.condition([*scope, counter])}))
        if not simple and not pragma and rounds and self.chance(0.05):
            return self.advancing(fields, inside)
        return [Node("loop", fields, inside)]

    def resize(self, scope):
        """A variable that loop bounds depend on gets another value."""
        mine = [v for v in scope if v.text in KEPT]
        v = self.draw.choice(mine)
        return Node("set", {"to": v.text, "value": self.draw.choice((
            f"{v.text} / 2", "8", "k", f"MIN({v.text} + 1, 29)",
            f"MIN(MAX({v.text}, 0) * 2, 29)",
            f"{v.text} > 3 ? {v.text} - 3 : 5"))})

    def branch(self, scope, rounds):
        """Code that runs in some iterations only, depending on sizes or data."""
        inside = self.block(scope, rounds)
        if rounds and self.chance(0.3):
            return Node("when", {"array": self.array(index=True).name,
                                 "index": self.index(scope, rounds).text},
                        inside)
        if self.chance(0.2):
            return self.switch(scope, rounds, inside)
        return Node("if", {"test": self.condition(scope)}, inside)

    def switch(self, scope, rounds, first):
        """Cases, some of which fall through."""
        v = self.draw.choice([v for v in scope if -70000 <= v.low and
                              v.high <= 70000])
        test = self.draw.choice((f"{v.text} % 3", f"{v.text} & 3", v.text))
        cases = [Node("case", {"label": "case 1", "end": "break"}, first),
                 Node("case", {"label": "case 2", "end": self.draw.choice(
                     ("break", ""))}, self.block(scope, rounds))]
        if self.chance(0.5):
            cases.append(Node("case", {"label": "default", "end": ""},
                              self.block(scope, rounds)))
        self.draw.shuffle(cases)
        return Node("switch", {"test": test}, cases)

    def call(self, scope, rounds):
        """A separate function, called with the sizes of loops here."""
        name = self.name("f")
        outer, self.depth = self.depth, 1
        parallel, self.parallel = self.parallel, True
        known = ("k", "w")
        inside = self.loop([Value("x", -64, 64), Value("y", -64, 64)] +
                           [Value(v, *PARAMETERS[v]) for v in known] +
                           [Value(v, *ends) for v, ends in KEPT.items()
                            if v != "z0"], set())
        self.depth, self.parallel = outer, parallel
        sizes = [self.size(scope) for _ in range(2)]
        return [Node("call", {"name": name, "x": sizes[0].text,
                              "y": sizes[1].text}, inside)]

    def block(self, scope, rounds):
        out = []
        for _ in range(self.draw.choice((1, 1, 2, 2, 3))):
            pick = self.draw.random()
            sized = [v for v in scope if v.text in KEPT]
            if rounds and (pick < 0.3 or self.depth >= self.deepest):
                out.append(self.access(scope, rounds))
                continue
            if pick < 0.55:
                out += self.loop(scope, rounds)
            elif pick < 0.65:
                if rounds or self.depth:
                    out.append(self.branch(scope, rounds))
                else:
                    out += self.loop(scope, rounds)
            elif pick < 0.78 and self.depth < 2:
                out += self.team(scope, rounds)
            elif pick < 0.85 and sized and not self.parallel:
                out.append(self.resize(scope))
            elif pick < 0.9 and self.depth < 2:
                out += self.call(scope, rounds)
            elif pick < 0.94 and self.depth < 1:
                out += self.rows(scope, rounds)
            elif pick < 0.95 and self.depth < 1:
                out += self.plane()
            elif pick < 0.96 and self.depth < 1:
                out += self.gather(scope, rounds)
            elif pick < 0.97 and self.depth < 1:
                out += self.table(scope, rounds)
            elif pick < 0.985 and self.depth < 2:
                out += self.pointed(scope, rounds)
            elif rounds:
                out.append(self.access(scope, rounds))
        if rounds and not out:
            out.append(self.access(scope, rounds))
        return out

    def kernel(self):
        self.depth, self.rounds, self.work = 0, 1, 1
        scope = [Value(name, *ends) for name, ends in PARAMETERS.items()]
        scope += [Value(name, *ends) for name, ends in KEPT.items()]
        body = []
        while not self.arrays:
            body += self.block(scope, set())
        return Kernel(self.arrays, body, self.draw.choice((1, 1, 1, 1, 2)),
                      self.chance(0.2), self.chance(0.5))


ALL = frozenset({"narrow", "step"})


def kernel(seed, number, forms=ALL):
    """The kernel with this number: the same for a seed on every machine."""
    for attempt in range(100):
        drawing = Drawing(f"{seed}.{number}.{attempt}", forms)
        drawn = drawing.kernel()
        if drawing.work <= MOST_ROUNDS and len(drawn.arrays) <= 20:
            return drawn
    raise AssertionError("no kernel is short enough")
